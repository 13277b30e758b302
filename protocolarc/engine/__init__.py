"""Engines: pure functions from contracts and envelopes to findings, changes and counts."""
