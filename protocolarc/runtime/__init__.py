"""The .NET runtime from Python: finding it, building it, and talking to its ``serve`` command."""
