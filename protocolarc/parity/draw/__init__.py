"""Strategies that draw contracts and documents for the fuzzer. These modules need the ``dev`` extra."""
