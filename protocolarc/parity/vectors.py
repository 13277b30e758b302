"""Conformance vectors: the specification as data, read, expected, and written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from protocolarc.render.json import VALIDATION_SCHEMA, dump
from protocolarc.runtime.wire import Answer, Request

SCHEMA_NAME = "vectors.schema.json"
KNOWN_NAME = "known-differences.txt"


class VectorError(ValueError):
    """A file that holds no vectors."""


class Vector(NamedTuple):
    """One case, its contract resolved and its parts as bytes."""

    id: str
    contract: bytes
    format: str
    raw: bool
    input: bytes
    expect: Mapping[str, Any]

    @property
    def request(self) -> Request:
        """The vector as a request; its input is called ``in.json`` or ``in.jsonl``."""
        return Request(self.format, f"in.{self.format}", self.contract, self.input, self.raw)

    @property
    def answer(self) -> Answer:
        """The exit code and the report that the vector demands."""
        report: dict[str, Any] = {"schema": VALIDATION_SCHEMA, "contract": None, "revision": None}
        if "errors" in self.expect:
            report |= {"errors": self.expect["errors"], "results": [], "ok": False}
        else:
            contract = json.loads(self.contract)
            results = self.expect["results"]
            report |= {"contract": contract["name"], "revision": contract["revision"]}
            report |= {"results": results, "ok": all(result["ok"] for result in results)}
        return Answer(self.expect["exit"], dump(report).encode("ascii"))


def own_vectors() -> str | None:
    """Return the folder of the vectors in a checkout; an installed package has none."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder = os.path.join(os.path.dirname(package), "tests", "vectors")
    return folder if os.path.isdir(folder) else None


def topic_files(folder: str) -> list[str]:
    """Return the paths of the files of vectors, one per topic."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(".json") and name != SCHEMA_NAME)
    return [os.path.join(folder, name) for name in names]


def read_vectors(folder: str) -> Iterator[Vector]:
    """Yield every case of every topic.

    Raises:
        VectorError: a file does not have the form of vectors, or cannot be read.
    """
    try:
        for path in topic_files(folder):
            with open(path, "rb") as stream:
                topic = json.loads(stream.read())
            yield from _cases(topic)
    except OSError as error:
        raise VectorError(f"{error.filename}: {error.strerror}") from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise VectorError(f"{path}: no file of vectors ({error})") from None


def read_known(folder: str) -> dict[str, str]:
    """Return the vectors that the runtime is known not to meet, each with the reason: ``id why``, one per line.

    Raises:
        VectorError: the file is there but cannot be read.
    """
    path = os.path.join(folder, KNOWN_NAME)
    try:
        with open(path, encoding="ascii") as stream:
            entries = [line.partition(" ") for line in map(str.strip, stream) if line and not line.startswith("#")]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise VectorError(f"{path}: {error}") from None
    return {identity: why for identity, _, why in entries}


def _cases(topic: Mapping[str, Any]) -> Iterator[Vector]:
    for case in topic["cases"]:
        contract = case["contract"]
        yield Vector(
            id=case["id"],
            contract=to_bytes(topic["contracts"][contract] if isinstance(contract, str) else contract),
            format=case["format"],
            raw=case.get("raw", False),
            input=to_bytes(case["input"]),
            expect=case["expect"],
        )


def to_bytes(source: Mapping[str, Any]) -> bytes:
    """Return the bytes that a vector describes as JSON, text, hex or repeated text."""
    if "json" in source:
        return json.dumps(source["json"]).encode("ascii")
    if "hex" in source:
        return bytes.fromhex(source["hex"])
    if "repeat" in source:
        return b"".join(text.encode() * count for text, count in source["repeat"])
    text: str = source["text"]
    return text.encode()


def write_vector(request: Request, answer: Answer, comment: str) -> str:
    """Return a request and its answer as a case to be added to a file of vectors, with an id to be numbered."""
    report = json.loads(answer.report)
    told = "errors" if "errors" in report else "results"
    case: dict[str, Any] = {
        "id": "fuzz-000",
        "comment": comment,
        "level": "must",
        "contract": _from_bytes(request.contract),
        "format": request.format,
    }
    if request.raw:
        case["raw"] = True
    case |= {"input": _from_bytes(request.input), "expect": {"exit": answer.exit_code, told: report[told]}}
    return json.dumps(case, indent=2) + "\n"


def _from_bytes(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"hex": data.hex()}
