"""The bottom layer: values that nobody changes once they are made, and what they mean.

Standard library only, no input or output.
"""
