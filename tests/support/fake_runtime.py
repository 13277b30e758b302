"""A runtime for tests, in Python: the honest one answers with this package's engine, the others misbehave.

python fake_runtime.py MODE serve
python fake_runtime.py MODE validate CONTRACT ENVELOPES... [--raw] [--json|--jsonl]
"""

from __future__ import annotations

import json
import os
import sys
from typing import BinaryIO
from urllib.parse import unquote_to_bytes

from protocolarc import __version__
from protocolarc.cli.main import main
from protocolarc.parity.python import PythonSide
from protocolarc.runtime.wire import Answer, Request

HELLO = {"name": "fake", "version": __version__, "profile": 1, "rules": ["field.type"]}
HELLOS = {
    "old": {**HELLO, "version": "0.0.1"},
    "profile": {**HELLO, "profile": 2},
    "nameless": [1],
}


def serve(mode: str) -> int:
    """Answer requests until the input ends."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    python = PythonSide()
    while header := source.readline():
        words = header.decode("ascii").split()
        seq = int(words[1])
        if words[2] == "hello":
            _write(sink, seq, Answer(0, json.dumps(HELLOS.get(mode, HELLO)).encode()))
        elif words[2] == "bye":
            _write(sink, seq, Answer(0, b""))
            if mode == "chatty":
                sink.write(b"one more thing")
            return 9 if mode == "sore" else 0
        else:
            request = _request(words, source)
            _misbehave(mode, seq, sink)
            _write(sink, seq, _bend(mode, request, python.validate(request)))
    return 0


def _request(words: list[str], source: BinaryIO) -> Request:
    contract = source.read(int(words[5]))
    return Request(
        format=words[3],
        label=os.fsdecode(unquote_to_bytes(words[4])),
        contract=contract,
        input=source.read(int(words[6])),
        raw=words[7:] == ["raw"],
    )


def _write(sink: BinaryIO, seq: int, answer: Answer) -> None:
    sink.write(b"PA1 %d %d %d\n" % (seq, answer.exit_code, len(answer.report)) + answer.report)
    sink.flush()


def _misbehave(mode: str, seq: int, sink: BinaryIO) -> None:
    """Say what is no answer, or nothing any more."""
    headers = {
        "garbage": b"Unhandled exception. System.Exception: no\n",
        "endless": b"x" * 100_000,
        "other": b"PA1 %d 0 2\n{}" % (seq + 1),
        "huge": b"PA1 %d 0 999999999999\n{}" % seq,
        "negative": b"PA1 %d 0 -1\n" % seq,
        "short": b"PA1 %d 0 10\n{}" % seq,
    }
    if mode in headers:
        sink.write(headers[mode])
        sink.flush()
        if mode == "short":
            sys.exit(0)
    elif mode == "dies":
        sys.stderr.write("Unhandled exception.\nout of luck\n")
        sys.stderr.flush()
        os._exit(137)
    elif mode == "hangs":
        sys.stdin.buffer.read()


def _bend(mode: str, request: Request, answer: Answer) -> Answer:
    """Answer wrongly, always or for some inputs."""
    if mode == "code":
        return answer._replace(exit_code=70)
    if mode == "wrong":
        return answer._replace(report=answer.report.replace(b"required field is missing", b"required field is absent"))
    if mode == "spaced":
        return answer._replace(report=answer.report.replace(b'"ok": true', b'"ok":  true'))
    if mode == "depth" and b"[[[" in request.input:
        return answer._replace(report=answer.report.replace(b'"ok"', b'"OK"'))
    if mode == "crash" and b"\x00" in request.input:
        sys.exit(134)
    return answer


def validate(mode: str, words: list[str]) -> int:
    """Run the Python command under the runtime's options."""
    formats = {"--json": ["--format", "json"], "--jsonl": ["--format", "jsonl"]}
    spread = [part for word in words for part in formats.get(word, [word])]
    code = main(["validate", *spread])
    if mode == "loose":
        return 1 - code
    return 134 if mode == "falls" else code


if __name__ == "__main__":
    chosen, command, *rest = sys.argv[1:]
    sys.exit(serve(chosen) if command == "serve" else validate(chosen, rest))
