"""Damaged contracts and envelopes through the loader: ``python -m tests.fuzz [COUNT] [SEED]``.

Each input is a vector or an example with a few random edits. It must give a contract, an envelope, or the
documented problems of one; and where it gives both a contract and an envelope, findings.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random

from protocolarc.engine.diff import diff_contracts
from protocolarc.engine.places import TooManyPlacesError
from protocolarc.engine.validate import Validator
from protocolarc.loader.contract import ContractError, load_contract
from protocolarc.loader.envelopes import read_document, read_lines
from protocolarc.rules.structural import CODES
from protocolarc.values.contract import Contract
from protocolarc.values.envelope import Fault
from tests.support.vectors import vectors

_LONGEST = 20_000
_CODES = {entry.id for entry in CODES}
_TOKENS = (
    rb'{ } [ ] , : " \\ \u \ud800 \udc00 null true 1.0 -0 1e999999999 1e9999999999 "name" "type" "enum" "fields"'
    rb' "reserved" "a.b" "a[*]" "a.*" "required" "object" "any" "$schema" "x-a" .* [*] . @'
).split()
_BYTES = [
    b"\x00",
    b"\x1b",
    b"\x7f",
    b"\x80",
    b"\xc2\x85",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\xff",
    b"[" * 70,
    b" ",
    b"\n",
    b"\r",
]


def seeds() -> list[bytes]:
    """Return what the inputs are made from: short enough that every edit has a chance to matter."""
    examples = Path(__file__).parent.parent / "examples"
    found = [
        path.read_bytes() for folder in ("contracts", "fixtures") for path in sorted((examples / folder).iterdir())
    ]
    found += [data for vector in vectors() for data in (vector.contract, vector.input)]
    return [data for data in dict.fromkeys(found) if data and len(data) < _LONGEST]


def damage(random: Random, pool: list[bytes]) -> bytes:
    """Edit one seed: insert, remove, repeat, overwrite, or splice with another."""
    data = bytearray(random.choice(pool))
    for _ in range(random.choice((0, 1, 1, 2, 3, 6))):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice((1, 1, 2, 5, 20)))
        match random.randrange(6):
            case 0:
                data[at:at] = random.choice(_TOKENS)
            case 1:
                data[at:at] = random.choice(_BYTES)
            case 2:
                del data[at:end]
            case 3:
                data[at:at] = data[at:end] * random.choice((1, 2, 50))
            case 4:
                data[at : at + 1] = bytes([random.randrange(256)])
            case _:
                other = random.choice(pool)
                start = random.randrange(len(other))
                data[at:end] = other[start : start + random.choice((1, 8, 40))]
    return bytes(data[:_LONGEST])


def load(data: bytes, seen: Counter[str]) -> Contract | None:
    """Load a contract; anything but a contract or its documented problems is a failure."""
    try:
        contract = load_contract(data)
    except ContractError as error:
        assert error.problems
        for problem in error.problems:
            assert problem.code in _CODES
            assert problem.offset is not None
            assert 0 <= problem.offset <= len(data)
            seen[problem.code] += 1
        return None
    seen["contract"] += 1
    return contract


def check(data: bytes, contract: Contract, random: Random, seen: Counter[str]) -> None:
    """Read the same bytes as a file and as a log, and validate what is there."""
    validator = Validator(contract)
    raw = random.random() < 0.5
    for documents in (read_document("a", data, raw=raw), read_lines("a", data.split(b"\n"), raw=raw)):
        for document in documents:
            result = validator.judge(document)
            assert all(finding.message.isascii() and finding.field.isascii() for finding in result.findings)
            seen[document.content.code if isinstance(document.content, Fault) else "envelope"] += 1


def main(count: int, seed: int) -> None:
    """Run so many inputs and print what they turned out to be."""
    random, pool, seen = Random(seed), seeds(), Counter[str]()
    contracts = [contract for contract in (load(data, Counter()) for data in pool) if contract is not None]
    for number in range(count):
        data = damage(random, pool)
        try:
            contract = load(data, seen)
            if contract is not None:
                other = random.choice(contracts)._replace(name=contract.name)
                diff_contracts(other, contract)
                contracts[random.randrange(len(contracts))] = contract
            check(data, random.choice(contracts), random, seen)
        except TooManyPlacesError:
            seen["too many places"] += 1
        except BaseException:
            sys.stderr.write(f"input {number} of seed {seed}: {data!r}\n")
            raise
    sys.stdout.write(f"{count} inputs, seed {seed}\n")
    for outcome, times in sorted(seen.items()):
        sys.stdout.write(f"{times:>9}  {outcome}\n")


if __name__ == "__main__":
    main(*(int(word) for word in (sys.argv[1:] + ["200000", "1"][len(sys.argv) - 1 :])))
