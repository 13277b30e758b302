"""``validate`` as users run it: formats, inputs, options, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.cli import run, spawn
from tests.support.notation import document

GOOD = b'{"contract":"t","data":{"a":1}}'
WRONG = b'{"contract":"t","data":{"a":"x"}}'
WARNS = b'{"contract":"t","revision":"9.9.9","data":{"a":1}}'
BROKEN = b"{"


@pytest.fixture
def contract(tmp_path: Path) -> str:
    path = tmp_path / "t.json"
    path.write_text(json.dumps(document("a: integer")), encoding="ascii")
    return str(path)


def write(folder: Path, **files: bytes) -> Path:
    """Write files into a folder; ``__`` in a name stands for a dot and ``_in_`` for a slash."""
    for name, data in files.items():
        path = folder / name.replace("_in_", "/").replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([], 0),
        ([GOOD], 0),
        ([WARNS], 0),
        ([GOOD, WRONG], 1),
        ([GOOD, BROKEN], 3),
        ([WRONG, BROKEN, GOOD], 3),
    ],
)
def test_the_exit_code_is_that_of_the_worst_document(
    contract: str, tmp_path: Path, lines: list[bytes], code: int
) -> None:
    write(tmp_path, log__jsonl=b"\n".join(lines))
    for format_name in ("text", "json", "jsonl"):
        assert run("validate", contract, str(tmp_path / "log.jsonl"), "--format", format_name).exit_code == code


def test_standard_input_is_a_log(contract: str) -> None:
    assert run("validate", contract, "-", stdin=GOOD + b"\n" + BROKEN + b"\n\n" + WRONG) == (
        3,
        b"[PASS] t@1.0.0 <- -:1\n[ERROR] -:2 json.syntax at byte 1\n[FAIL] t@1.0.0 <- -:4\n"
        b"    ERROR   field.type             a: expected integer, got string\n",
        "",
    )


def test_a_directory_stands_for_the_files_below_it_in_byte_order_of_their_paths(contract: str, tmp_path: Path) -> None:
    logs = write(
        tmp_path / "logs",
        b__json=GOOD,
        a__jsonl=GOOD,
        B__ndjson=GOOD,
        sub_in_c__json=GOOD,
        a_in_d__json=GOOD,
        other__txt=BROKEN,
        __hidden__json=BROKEN,
        __git_in_e__json=BROKEN,
    )
    (logs / "link.json").symlink_to(logs / "b.json")
    (logs / "linked").symlink_to(logs / "sub")
    done = run("validate", contract, str(logs))
    labels = [line.split()[-1].decode() for line in done.stdout.splitlines()]
    assert (done.exit_code, labels) == (0, ["B.ndjson:1", "a.jsonl:1", "d.json", "b.json", "c.json"])


def test_inputs_that_share_a_base_name_are_labelled_by_their_path(contract: str, tmp_path: Path) -> None:
    write(tmp_path / "logs", x_in_a__json=GOOD, y_in_a__json=GOOD, y_in_b__json=GOOD)
    folder = f"{tmp_path}/logs"
    done = run("validate", contract, folder + "/")
    labels = [line.split()[-1].decode() for line in done.stdout.splitlines()]
    assert labels == [f"{folder}/x/a.json", f"{folder}/y/a.json", "b.json"]


def test_a_name_is_escaped_in_text_and_itself_in_json(contract: str, tmp_path: Path) -> None:
    name = "it's\n\x1b[31m\\ \u00e9.json"
    (tmp_path / name).write_bytes(GOOD)
    text = run("validate", contract, str(tmp_path / name)).stdout
    assert text == b"[PASS] t@1.0.0 <- it's\\n\\u001b[31m\\\\ \\u00e9.json\n"
    report = json.loads(run("validate", contract, str(tmp_path / name), "--format", "json").stdout)
    assert report["results"][0]["envelope"] == name


def test_a_name_that_is_not_utf8_stands_as_escapes(contract: str, tmp_path: Path) -> None:
    path = bytes(tmp_path) + b"/\xff.json"
    with open(path, "wb") as stream:
        stream.write(GOOD)
    assert (
        b"[PASS] t@1.0.0 <- \\udcff.json\n"
        in spawn("validate", contract, str(tmp_path), environ={"LC_ALL": "C.UTF-8"}).stdout
    )


UNREADABLE = [
    ("missing.jsonl", b"[ERROR] missing.jsonl input.unreadable\n", "missing.jsonl: No such file or directory\n"),
    ("t.json/x.json", b"[ERROR] x.json input.unreadable\n", "x.json: Not a directory\n"),
    ("empty", b"[ERROR] empty input.empty\n", "empty: no *.json *.jsonl *.ndjson below\n"),
]


@pytest.mark.parametrize(("name", "stdout", "stderr"), UNREADABLE)
def test_an_input_that_cannot_be_read_hides_no_other(
    contract: str, tmp_path: Path, name: str, stdout: bytes, stderr: str
) -> None:
    write(tmp_path, good__json=GOOD)
    (tmp_path / "empty").mkdir()
    done = run("validate", contract, str(tmp_path / name), str(tmp_path / "good.json"))
    assert done == (3, stdout + b"[PASS] t@1.0.0 <- good.json\n", stderr)
    report = json.loads(run("validate", contract, str(tmp_path / name), "--format", "json").stdout)
    assert report["results"][0]["error"]["offset"] is None


@pytest.mark.parametrize(
    ("data", "stderr"),
    [
        (b"[", "[ERROR] c.json json.syntax at byte 1: not a JSON document\n"),
        (b"[]", "[ERROR] c.json contract.not_object at byte 0: a contract is a JSON object\n"),
        (
            b'{"name":"c","revision":"1.0.0","kind":"k","fields":[{"name":"a","type":"any","requird":1}]}',
            "[ERROR] c.json contract.key_unknown at byte 77 /fields/0/requird: "
            "unknown key 'requird', did you mean 'required'?\n",
        ),
        (
            b'{"name":"c","revision":"1.0.0","kind":"k","fields":[{"name":"a","type":"any","\\u001b[31m":1}]}',
            "[ERROR] c.json contract.key_unknown at byte 77 /fields/0/\\u001b[31m: unknown key '\\\\u001b[31m'\n",
        ),
    ],
)
def test_a_bad_contract_is_told_on_standard_error(tmp_path: Path, data: bytes, stderr: str) -> None:
    write(tmp_path, c__json=data)
    for command in (["validate", "CONTRACT", "x.json"], ["describe", "CONTRACT"], ["diff", "CONTRACT", "CONTRACT"]):
        done = run(*(str(tmp_path / "c.json") if word == "CONTRACT" else word for word in command))
        assert (done.exit_code, done.stdout) == (3, b"")
        assert done.stderr.splitlines()[0].endswith(stderr.strip().removeprefix("[ERROR] "))


def test_a_contract_that_cannot_be_read_is_in_the_report(tmp_path: Path) -> None:
    for name in ("missing.json", "."):
        done = run("validate", str(tmp_path / name), "x.json", "--format", "json")
        assert done.exit_code == 3
        assert json.loads(done.stdout) == {
            "schema": "protocolarc/validation/1",
            "contract": None,
            "revision": None,
            "errors": [{"code": "input.unreadable", "pointer": "", "offset": None}],
            "results": [],
            "ok": False,
        }


def test_bare_bodies_are_checked_with_raw(contract: str, tmp_path: Path) -> None:
    write(tmp_path, body__json=b'{"a":1}', batch__json=b'[{"a":1},{"a":"x"}]', log__jsonl=b'{"a":1}\n[]\n')
    paths = [str(tmp_path / name) for name in ("body.json", "batch.json", "log.jsonl")]
    assert run("validate", "--raw", contract, *paths) == (
        3,
        b"[PASS] t@1.0.0 <- body.json\n[PASS] t@1.0.0 <- batch.json[0]\n[FAIL] t@1.0.0 <- batch.json[1]\n"
        b"    ERROR   field.type             a: expected integer, got string\n"
        b"[PASS] t@1.0.0 <- log.jsonl:1\n[ERROR] log.jsonl:2 envelope.not_object at byte 0\n",
        "",
    )


def test_only_failing_leaves_out_what_passes_and_the_summary_counts_it(contract: str) -> None:
    lines = b"\n".join([GOOD, WARNS, WRONG, BROKEN])
    done = run("validate", contract, "-", "--only-failing", "--summary", stdin=lines)
    assert [line.split()[0] for line in done.stdout.splitlines()] == [b"[FAIL]", b"ERROR", b"[ERROR]"]
    assert done.stderr == "4 documents: 2 passed, 1 failed, 1 malformed; 1 warnings\n"
    report = json.loads(run("validate", contract, "-", "--only-failing", "--format", "json", stdin=lines).stdout)
    assert [result["envelope"] for result in report["results"]] == ["-:3", "-:4"]
    assert report["ok"] is False
    assert json.loads(run("validate", contract, "-", "--only-failing", "--format", "json", stdin=GOOD).stdout)["ok"]


def test_json_lines_hold_the_objects_of_the_report(contract: str) -> None:
    lines = b"\n".join([GOOD, WRONG, BROKEN])
    report = json.loads(run("validate", contract, "-", "--format", "json", stdin=lines).stdout)
    each = run("validate", contract, "-", "--format", "jsonl", stdin=lines).stdout.splitlines()
    assert [json.loads(line) for line in each] == report["results"]
    assert each[0] == b'{"envelope":"-:1","ok":true,"findings":[]}'


class TestOutputFile:
    """``--output`` writes beside the name and moves the result there when it is whole."""

    def test_it_holds_the_bytes_of_standard_output(self, contract: str, tmp_path: Path) -> None:
        target = tmp_path / "out.txt"
        assert run("validate", contract, "-", "-o", str(target), stdin=WRONG) == (1, b"", "")
        assert target.read_bytes() == run("validate", contract, "-", stdin=WRONG).stdout

    def test_it_may_replace_the_file_that_is_read(self, contract: str, tmp_path: Path) -> None:
        log = write(tmp_path, log__jsonl=GOOD) / "log.jsonl"
        log.chmod(0o640)
        assert run("validate", contract, str(log), "-o", str(log)).exit_code == 0
        assert log.read_bytes() == b"[PASS] t@1.0.0 <- log.jsonl:1\n"
        assert log.stat().st_mode & 0o777 == 0o640

    def test_a_file_behind_a_link_is_replaced_and_the_link_stays(self, contract: str, tmp_path: Path) -> None:
        target, link = write(tmp_path, real__txt=b"") / "real.txt", tmp_path / "link.txt"
        link.symlink_to(target)
        assert run("validate", contract, "-", "-o", str(link), stdin=GOOD).exit_code == 0
        assert link.is_symlink()
        assert target.read_bytes() == b"[PASS] t@1.0.0 <- -:1\n"

    def test_a_device_is_written_directly(self, contract: str) -> None:
        assert run("validate", contract, "-", "-o", "/dev/null", stdin=GOOD) == (0, b"", "")

    @pytest.mark.parametrize("name", ["missing/out.txt", "."])
    def test_a_place_that_cannot_be_written_is_a_clear_error(self, contract: str, tmp_path: Path, name: str) -> None:
        done = run("validate", contract, "-", "-o", str(tmp_path / name), stdin=GOOD)
        assert (done.exit_code, done.stdout) == (3, b"")
        assert done.stderr.startswith("error: cannot write ")

    def test_nothing_is_left_beside_it(self, contract: str, tmp_path: Path) -> None:
        run("validate", contract, "-", "-o", str(tmp_path / "out.txt"), stdin=GOOD)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["out.txt", "t.json"]
