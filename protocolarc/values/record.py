"""``NamedTuple`` for the modules that a hook loads: to type checkers it is that of ``typing``.

At run time ``typing`` compiles the annotation of every field, which for some forty classes is a good part of what a
hook costs. Here a class is made by ``collections.namedtuple`` and nothing looks at its annotations.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import namedtuple

    class _Maker(type):
        """Turns the body of a class into a named tuple with its methods."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body.pop("__annotations__", {})
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(  # noqa: PYI024  # this is how the other one is made
                name, fields, defaults=defaults, module=body["__module__"]
            )
            for key, value in body.items():
                setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """The base of a named tuple."""


__all__ = ["NamedTuple"]
