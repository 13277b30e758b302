"""Inputs: files, directories and standard input become one stream of documents, and contracts become bytes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from protocolarc.loader.envelopes import read_document, read_lines
from protocolarc.loader.profile import MAX_DOCUMENT_BYTES
from protocolarc.values.envelope import Document, Fault

SUFFIXES = (".json", ".jsonl", ".ndjson")
STDIN = "-"
_UNREADABLE = Fault("input.unreadable")
_CHUNK_BYTES = 64 * 1024
_LINE_ENDING_BYTES = 2


class Source(NamedTuple):
    """One file to read, ``-`` for standard input, or the fault that stands for an argument without any.

    ``reason`` says for people what the fault is about.
    """

    path: str
    label: str
    fault: Fault | None = None
    reason: str = ""


def find_sources(arguments: Sequence[str], suffixes: Sequence[str] = SUFFIXES) -> list[Source]:
    """Expand directories into the files below them, and label each input by its base name.

    Inputs that share a base name are labelled by their path as given.
    """
    found = [source for argument in arguments for source in _expand(argument, suffixes)]
    counts: dict[str, int] = {}
    for source in found:
        counts[source.label] = counts.get(source.label, 0) + 1
    return [source._replace(label=source.path) if counts[source.label] > 1 else source for source in found]


class Watcher:
    """Told what the readers do and meet. This one ignores it; a command draws progress and says reasons."""

    def before_read(self) -> None:
        """A read follows, which may have to wait for its input."""

    def after_read(self, count: int) -> None:
        """So many bytes were read."""

    def unreadable(self, label: str, reason: str) -> None:
        """An input gives no document, for this reason in the words of the system."""


_SILENT = Watcher()


def read_documents(
    sources: Sequence[Source],
    *,
    raw: bool = False,
    watcher: Watcher = _SILENT,
) -> Iterator[Document]:
    """Yield every document of every source, in order. A source that cannot be read is one fault."""
    for source in sources:
        if source.fault is not None:
            watcher.unreadable(source.label, source.reason)
            yield Document(source.label, "", source.fault)
            continue
        try:
            if source.path == STDIN:
                yield from read_lines(source.label, split_lines(_standard_input(), watcher), raw=raw)
                continue
            with open(source.path, "rb", buffering=0) as stream:
                if source.path.endswith(".json"):
                    yield from read_document(source.label, _read_bounded(stream, watcher), raw=raw)
                else:
                    yield from read_lines(source.label, split_lines(stream, watcher), raw=raw)
        except OSError as error:
            watcher.unreadable(source.label, reason_of(error))
            yield Document(source.label, "", _UNREADABLE)


def read_file(path: str) -> bytes:
    """Return the bytes of a contract file, cut where they are over the size limit anyway.

    Raises:
        OSError: the file cannot be read.
    """
    with open(path, "rb", buffering=0) as stream:
        return _read_bounded(stream, _SILENT)


def split_lines(stream: BinaryIO, watcher: Watcher) -> Iterator[bytes | None]:
    """Split a stream at 0x0A and nowhere else; a line over the size limit is ``None`` and is never held."""
    read = getattr(stream, "read1", stream.read)  # whatever is there, without waiting for a full chunk
    parts: list[bytes] = []
    held = 0
    while True:
        watcher.before_read()
        chunk = read(_CHUNK_BYTES)
        watcher.after_read(len(chunk))
        if not chunk:
            break
        head, *lines = chunk.split(b"\n")
        if held <= MAX_DOCUMENT_BYTES + _LINE_ENDING_BYTES:
            parts.append(head)
        held += len(head)
        if not lines:
            continue
        yield _join(parts)
        *whole, tail = lines
        yield from whole
        parts, held = [tail], len(tail)
    if held:
        yield _join(parts)


def _join(parts: list[bytes]) -> bytes | None:
    line = b"".join(parts)
    return None if len(line) - line.endswith(b"\r") > MAX_DOCUMENT_BYTES else line


def _read_bounded(stream: BinaryIO, watcher: Watcher) -> bytes:
    """Read a whole file, or enough of it to know that it is over the size limit."""
    parts: list[bytes] = []
    left = MAX_DOCUMENT_BYTES + _LINE_ENDING_BYTES + 1
    while left and (chunk := stream.read(min(left, 1 << 20))):
        parts.append(chunk)
        left -= len(chunk)
        watcher.after_read(len(chunk))
    return b"".join(parts)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise OSError(errno.EBADF, "it is closed")
    with suppress(OSError):  # a parent may have left it non-blocking; no data yet is not the end
        os.set_blocking(sys.stdin.fileno(), True)
    return sys.stdin.buffer


def base_name(path: str) -> str:
    """Return the last part of a path, or the path where there is none."""
    return os.path.basename(path.rstrip("/" + os.sep)) or path


def _expand(argument: str, suffixes: Sequence[str]) -> Iterator[Source]:
    if argument == STDIN:
        yield Source(STDIN, STDIN)
        return
    label = base_name(argument)
    if not os.path.isdir(argument):
        yield Source(argument, label)
        return
    found = list(_walk(argument.rstrip("/" + os.sep) or argument, suffixes))
    found.sort(key=lambda source: os.fsencode(source.path))
    if not found:
        reason = f"no {' '.join('*' + suffix for suffix in suffixes)} below"
        yield Source(argument, label, Fault("input.empty"), reason)
    yield from found


def _walk(top: str, suffixes: Sequence[str]) -> Iterator[Source]:
    """Yield the files below a directory, hidden ones and symbolic links left out."""
    pending = [top]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as entries:
                visible = [entry for entry in entries if not entry.name.startswith(".") and not entry.is_symlink()]
        except OSError as error:
            yield Source(folder, base_name(folder), _UNREADABLE, reason_of(error))
            continue
        for entry in visible:
            path = f"{folder.rstrip('/')}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                pending.append(path)
            elif entry.name.endswith(tuple(suffixes)) and entry.is_file(follow_symlinks=False):
                yield Source(path, entry.name)


def reason_of(error: OSError) -> str:
    """Return why the system refused, without the path, which the label says."""
    return error.strerror or str(error)
