"""The bottom layer: immutable values and what they mean. Standard library only, no input or output."""
