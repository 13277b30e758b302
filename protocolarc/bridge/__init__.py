"""An agent on live A2A traffic, held to contracts: the optional bridge."""
