"""The policy file and the waivers: what a repository decided about its registry."""
