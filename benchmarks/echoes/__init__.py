"""Two agents that echo, one bare and one behind the bridge, the load on them, and what it took."""
