"""Loaders: bytes and files become contracts and envelopes, or a structural fault that says where."""
