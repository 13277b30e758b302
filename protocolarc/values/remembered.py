"""Answers about large collections, such as an enum beside a map, which meets every named member."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ParamSpec, TypeVar

    _P = ParamSpec("_P")
    _R = TypeVar("_R")

_SHORT = 32
"""Items of a collection about which it is as well to ask again."""
_MOST = 256
"""Answers of a function that are kept."""
_filled: list[dict[tuple[Any, ...], Any]] = []


def remembered(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Keep the last answers of a function where no argument is short.

    Arguments by position are collections and go by identity: to compare them would take as long as to ask. Those by
    name go by value.
    """
    kept: dict[tuple[Any, ...], tuple[Any, _R]] = {}

    def answer(*large: _P.args, **small: _P.kwargs) -> _R:
        if min(map(len, large)) <= _SHORT:  # type: ignore[arg-type]  # collections, as said
            return function(*large, **small)
        key = (*map(id, large), *small.values())
        found = kept.pop(key, None)
        if found is None:
            if not kept:
                _filled.append(kept)
            elif len(kept) == _MOST:
                del kept[next(iter(kept))]
            found = large, function(*large, **small)
        kept[key] = found  # the last one asked for is the last to go
        return found[1]

    return answer


def forget() -> None:
    """Let go of all answers, so that no document outlives its comparison."""
    while _filled:
        _filled.pop().clear()
