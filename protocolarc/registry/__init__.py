"""The registry: which contracts a repository holds, and what the rules say about a change of them."""
