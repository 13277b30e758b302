from __future__ import annotations

import io

import pytest

from protocolarc.runtime.errors import RuntimeBrokenError
from protocolarc.runtime.wire import Answer, Request, encode_request, encode_word, read_answer


def test_a_request_is_one_header_line_and_its_raw_bytes() -> None:
    request = Request("jsonl", "my calls.jsonl", b"{}\n", b"\x00\xff\n")
    assert encode_request(7, request) == b"PA1 7 validate jsonl my%20calls.jsonl 3 3\n{}\n\x00\xff\n"


def test_bare_bodies_are_told_by_a_trailing_word() -> None:
    assert encode_request(1, Request("json", "in.json", b"", b"", raw=True)) == b"PA1 1 validate json in.json 0 0 raw\n"


def test_a_label_keeps_every_byte_of_a_name() -> None:
    label = "\u00fc %\n\udcff"  # the last one stands for the byte FF of a name that is not UTF-8
    assert b" validate json %C3%BC%20%25%0A%FF 0 0\n" in encode_request(1, Request("json", label, b"", b""))


def test_a_label_that_no_header_can_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="a label of 4080 characters"):
        encode_request(1, Request("json", "\u00fc" * 680, b"", b""))


def test_the_longest_file_name_fits_a_header_with_every_byte_encoded() -> None:
    request = Request("jsonl", "\udcff" * 255, b"", b"", raw=True)
    assert encode_request(10**17, request).count(b"%FF") == 255


def test_requests_without_a_body_are_one_word() -> None:
    assert encode_word(3, "hello") == b"PA1 3 hello\n"


def test_an_answer_is_read_to_its_last_byte_and_no_further() -> None:
    stream = io.BytesIO(b"PA1 7 1 3\n{}\nPA1 8 0 0\n")
    assert read_answer(stream, 7) == Answer(1, b"{}\n")
    assert read_answer(stream, 8) == Answer(0, b"")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"", "ended without an answer"),
        (b"PA1 7 0", "no header"),
        (b"PA1 7 0 2\r\n{}", "no header"),
        (b"PA1 07 0 2\n{}", "no header"),
        (b"PA1 7 0 -2\n{}", "no header"),
        (b"PA1 7 0 0x2\n{}", "no header"),
        (b"PA1 7 0 \xb2\n{}", "no header"),
        (b"PA2 7 0 2\n{}", "no header"),
        (b"PA1 7 0 " + b"1" * 400 + b"\n", "no header"),
        (b"x" * 400, "no header"),
        (b"PA1 8 0 2\n{}", "answered request 8 in place of 7"),
        (b"PA1 7 0 101\n", "over the limit of 100"),
        (b"PA1 7 0 99\n{}", "97 bytes before the end"),
    ],
)
def test_what_is_no_answer_is_refused_with_its_reason(said: bytes, reason: str) -> None:
    with pytest.raises(RuntimeBrokenError, match=reason):
        read_answer(io.BytesIO(said), 7, limit=100)
