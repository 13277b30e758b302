"""``NamedTuple`` for the modules that a hook loads: to type checkers it is that of ``typing``.

At run time ``typing`` compiles the annotation of every field, and ``collections.namedtuple`` the constructor of every
class; for some forty classes that is a good part of what a hook costs. Here nothing looks at annotations, and the
constructors are compiled with this module, one for each number of fields.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import namedtuple
    from collections.abc import Iterable
    from types import FunctionType

    _new = tuple.__new__
    _CONSTRUCTORS = (
        lambda cls, a: _new(cls, (a,)),
        lambda cls, a, b: _new(cls, (a, b)),
        lambda cls, a, b, c: _new(cls, (a, b, c)),
        lambda cls, a, b, c, d: _new(cls, (a, b, c, d)),
        lambda cls, a, b, c, d, e: _new(cls, (a, b, c, d, e)),
        lambda cls, a, b, c, d, e, f: _new(cls, (a, b, c, d, e, f)),
        lambda cls, a, b, c, d, e, f, g: _new(cls, (a, b, c, d, e, f, g)),
        lambda cls, a, b, c, d, e, f, g, h: _new(cls, (a, b, c, d, e, f, g, h)),
        lambda cls, a, b, c, d, e, f, g, h, i: _new(cls, (a, b, c, d, e, f, g, h, i)),
        lambda cls, a, b, c, d, e, f, g, h, i, j: _new(cls, (a, b, c, d, e, f, g, h, i, j)),
        lambda cls, a, b, c, d, e, f, g, h, i, j, k: _new(cls, (a, b, c, d, e, f, g, h, i, j, k)),
        lambda cls, a, b, c, d, e, f, g, h, i, j, k, m: _new(cls, (a, b, c, d, e, f, g, h, i, j, k, m)),
    )
    _WIDEST = namedtuple(  # noqa: PYI024  # for its getters
        "_WIDEST", [f"field_{place}" for place in range(len(_CONSTRUCTORS))]
    )
    _GETTERS = [vars(_WIDEST)[field] for field in _WIDEST._fields]
    """What reads the field at each place, of any tuple: faster than a property."""

    class _Record(tuple):
        """What all the classes have in common."""

        __slots__ = ()

        @classmethod
        def _make(cls, values: Iterable[object]) -> _Record:
            return cls(*values)

        def _replace(self, /, **changed: object) -> _Record:
            values = tuple(map(changed.pop, self._fields, self))
            if changed:
                raise TypeError(f"{type(self).__name__} has no field {', '.join(changed)}")
            return _new(type(self), values)

        def _asdict(self) -> dict[str, object]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            shown = ", ".join(f"{field}={value!r}" for field, value in self._asdict().items())
            return f"{type(self).__name__}({shown})"

        def __getnewargs__(self) -> tuple[object, ...]:
            return tuple(self)

        __replace__ = _replace

    class _Maker(type):
        """Turns the body of a class into a tuple with names and with the methods of the body."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.pop("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            code = _CONSTRUCTORS[len(fields) - 1].__code__.replace(co_varnames=("cls", *fields))
            new = FunctionType(code, globals(), "__new__", tuple(defaults.values()))
            new.__qualname__ = f"{name}.__new__"
            named = {"_fields": fields, "_field_defaults": defaults, "__match_args__": fields, "__slots__": ()}
            return type(
                name, (_Record,), {**dict(zip(fields, _GETTERS, strict=False)), **named, **body, "__new__": new}
            )

    class NamedTuple(metaclass=_Maker):
        """The base of a named tuple."""


__all__ = ["NamedTuple"]
