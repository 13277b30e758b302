"""The values that drawn contracts and documents are made of: few, and each of them a trap somewhere."""

from __future__ import annotations

from protocolarc.values.jsontype import TYPES, Scalar
from protocolarc.values.number import Number, exceeds_limits

COMMON_KEYS = ("a", "b", "c", "id")
STRANGE_KEYS = (
    "",
    "a.b",
    "\u00fc",
    "u\u0308",
    "x y",
    "__proto__",
    "it's",
    "[*]",
    "@contract",
    "\\",
    "\uff5e",
    "\U00010000",
    "\u202e",
    "A",
)
KEYS = (*COMMON_KEYS * 3, *STRANGE_KEYS)

STRINGS = (
    "",
    "a",
    "A",
    "a ",
    "1",
    "true",
    "null",
    "\u00e9",
    "e\u0301",
    'it\'s "q" \u00e9\u202e\x7f',
    "\x00\x1f\b\f\n\r\t/\\",
    "\u2028\u2029\x85",
    "\U0001f600",
    "x" * 60,
    "x" * 61,
    "x" * 59 + "\U0001f600y",
    "\uffff\U0010ffff",
)
NUMBERS = tuple(
    Number(source)
    for source in (
        "0",
        "-0",
        "0.0",
        "-0e9",
        "1",
        "1.0",
        "10e-1",
        "0.1E+1",
        "-1",
        "1.5",
        "15e-1",
        "2.50",
        "100",
        "1e2",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0",
        "12345678901234567890",
        "-9223372036854775809",
        "1E400",
        "1e-400",
        "1e999999999",
        "1e-999999999",
        "1e1000000000",
        "1e0000000000001",
        "9" * 40,
        "9" * 41,
        "9" * 1000,
        "9" * 1001,
        "0." + "0" * 50 + "1",
    )
)
GOOD_NUMBERS = tuple(number for number in NUMBERS if not exceeds_limits(number.source))
SCALARS: tuple[Scalar, ...] = (*STRINGS, *GOOD_NUMBERS, True, False, None)
"""Scalars that documents within the JSON profile hold."""

TYPE_CHOICES: tuple[str | list[str], ...] = (
    *TYPES,
    "object",
    "array",
    ["string", "integer"],
    ["integer", "number"],
    ["null", "object"],
    ["array", "object", "null"],
    ["boolean"],
)
REVISIONS = ("1.0.0", "1.0.0", "2.0.0", "0.1.0-rc.1+b.5", "10.20.30")
COUNTS = (*(0, 1, 1, 1, 2, 2, 3) * 10, 11, 11, 11, 100, 101, 130)
"""Members that stand for a wildcard: none, a few, more than ten for the order, around the limit of findings."""

PADS = (*(0,) * 40, 250, 4_090, 8_180, 16_370, 65_520)
"""Bytes that a document is padded with, so that its ends lie around the sizes of buffers."""

FRAGMENTS = (
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b" ",
    b"\n",
    b"\r",
    b"\r\n",
    b"\t",
    b"0",
    b"-",
    b"+",
    b".",
    b"e",
    b"1e400",
    b"9" * 25,
    b"01",
    b"NaN",
    b"-Infinity",
    b"true",
    b"nul",
    b"//",
    b"/**/",
    b"\\u",
    b"\\u00",
    b"\\x",
    b"\\ud83d",
    b"\\ude00",
    b"\\ud83d\\ude00",
    b"\\ud83d\\u0041",
    b"\\\\ud83d",
    b"\\u0061",
    b'"a":1,',
    b'"\\u0061":1,',
    b'"contract":"t",',
    b'"data":{},',
    b"\x00",
    b"\x0b",
    b"\x0c",
    b"\x1f",
    b"\x7f",
    b"\x80",
    b"\x85",
    b"\xa0",
    b"\xc0\x80",
    b"\xc2",
    b"\xc2\x85",
    b"\xc2\xa0",
    b"\xe2\x80\xa8",
    b"\xe0\x80\x80",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x98\x80",
    b"\xf0\x9f\x98",
    b"\xf4\x90\x80\x80",
    b"\xef\xbb\xbf",
    b"\xff",
    b"[" * 61,
    b"[" * 64 + b"]" * 64,
    b'{"a":' * 63,
)
"""Pieces for byte mutations: syntax, near misses of it, ill-formed UTF-8, separators of other formats, depth."""
