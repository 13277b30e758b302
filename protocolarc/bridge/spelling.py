"""Two spellings of one member: the JSON name that a contract knows, and the protobuf name that the SDK reads, too.

A message with the second one would pass a contract that forbids what it says.
"""

from __future__ import annotations

from a2a.types import SendMessageRequest
from google.protobuf.descriptor import Descriptor

from protocolarc.values.jsontype import Value
from protocolarc.values.path import Instance, render_path


def other_spelling(value: Value, path: Instance = ()) -> str | None:
    """Return where the body of a request that sends a message has a member under its protobuf name, or nothing."""
    return _search(value, SendMessageRequest.DESCRIPTOR, path)


def _search(value: Value, message: Descriptor, path: Instance) -> str | None:
    if isinstance(value, list):
        found = (_search(item, message, (*path, index)) for index, item in enumerate(value))
        return next((place for place in found if place is not None), None)
    if not isinstance(value, dict) or message.file.package == "google.protobuf":  # free content, as metadata is
        return None
    known = {field.json_name: field for field in message.fields}
    for key, member in value.items():
        here = (*path, key)
        field = known.get(key)
        if field is None and key in message.fields_by_name:
            return render_path(here)
        if field is not None and field.message_type is not None:
            place = _search(member, field.message_type, here)
            if place is not None:
                return place
    return None
