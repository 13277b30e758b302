"""What can keep a runtime from answering, each in one line for people."""

from __future__ import annotations


class RuntimeMissingError(Exception):
    """There is no runtime to run, or not the one that belongs to this package. Says what to do."""


class RuntimeBrokenError(Exception):
    """A runtime that was there died, hung, or said what the protocol does not allow."""


class RuntimeHungError(RuntimeBrokenError):
    """No answer came in time."""
