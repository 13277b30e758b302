"""Parity: the Python engine and the .NET runtime on the same inputs, byte for byte."""
