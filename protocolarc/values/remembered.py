"""Answers about large collections, such as an enum beside a map, which meets every named member."""

from __future__ import annotations

from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ParamSpec, TypeVar

    _P = ParamSpec("_P")
    _R = TypeVar("_R")

_SHORT = 32
"""Items of a collection about which it is as well to ask again."""
_MOST = 256
"""Answers of a function that are kept."""
LETTING_GO: list[Callable[[], None]] = []
"""What ``forget`` calls."""


def remembered(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Keep the last answers of a function where no argument is short.

    Arguments by position are collections and go by identity: to compare them would take as long as to ask. Those by
    name go by value. Threads may ask and forget at once: then something is asked again.
    """
    kept: dict[tuple[Any, ...], tuple[Any, _R]] = {}
    LETTING_GO.append(kept.clear)

    def answer(*large: _P.args, **small: _P.kwargs) -> _R:
        if min(map(len, large)) <= _SHORT:  # type: ignore[arg-type]  # collections, as said
            return function(*large, **small)
        key = (*map(id, large), *small.values())
        found = kept.get(key)
        if found is None:
            if len(kept) >= _MOST:
                kept.clear()
            kept[key] = found = large, function(*large, **small)
        return found[1]

    return answer


def forget() -> None:
    """Let go of all answers, so that no document outlives the work on it."""
    for let_go in LETTING_GO:
        let_go()
