"""The named tuples of this package are those of ``typing``, made in another way."""

from __future__ import annotations

import copy
import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest

from protocolarc.values.record import NamedTuple


class Record(NamedTuple):
    """A record."""

    name: str
    size: int
    tags: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return f"{self.name}:{self.size}"

    def grown(self, by: int) -> Record:
        return self._replace(size=self.size + by)


class Model(typing.NamedTuple):
    """What it has to be like."""

    name: str
    size: int
    tags: tuple[str, ...] = ()


MAKE: list[Callable[[Any], Any]] = [
    lambda made: made("a", 1),
    lambda made: made("a", size=1),
    lambda made: made(size=1, name="a", tags=("x",)),
    lambda made: made("a", 1, ("x",)),
    lambda made: made._make(["a", 1, ()]),
    lambda made: made("a", 1)._replace(size=2, tags=("y",)),
    lambda made: made("a", 1)._replace(),
]


@pytest.mark.parametrize("make", MAKE)
def test_a_record_is_what_typing_would_make(make: Callable[[Any], Any]) -> None:
    record, model = make(Record), make(Model)
    assert record == model
    assert hash(record) == hash(model)
    assert (record.name, record.size, record.tags) == tuple(record)
    assert record._asdict() == model._asdict()
    assert repr(record) == repr(model).replace("Model", "Record")


WRONG: list[Callable[[Any], Any]] = [
    lambda made: made(),
    lambda made: made("a"),
    lambda made: made("a", 1, (), 2),
    lambda made: made("a", 1, name="b"),
    lambda made: made("a", 1, other=2),
    lambda made: made._make(["a"]),
    lambda made: made("a", 1)._replace(other=2),
    lambda made: setattr(made("a", 1), "name", "b"),
    lambda made: setattr(made("a", 1), "other", "b"),
]


@pytest.mark.parametrize("make", WRONG)
def test_a_record_refuses_what_typing_refuses(make: Callable[[Any], Any]) -> None:
    for made in (Record, Model):
        with pytest.raises((TypeError, ValueError, AttributeError)):
            make(made)


def test_a_record_has_the_methods_of_its_class() -> None:
    assert Record("a", 1).label == "a:1"
    assert Record("a", 1).grown(2) == ("a", 3, ())
    assert (Record.__doc__, Record.__module__, Record.__qualname__) == ("A record.", __name__, "Record")
    assert Record._fields == Model._fields
    assert Record._field_defaults == Model._field_defaults
    match Record("a", 1):
        case Record(name, size=size):
            assert (name, size) == ("a", 1)


def test_a_record_is_copied_and_pickled_as_itself() -> None:
    record = Record("a", 1, ("x",))
    for other in (copy.copy(record), copy.deepcopy(record), pickle.loads(pickle.dumps(record))):
        assert (other, type(other)) == (record, Record)
