"""The machine formats of a check: their structure, and that no data can break it."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator

from protocolarc import diff_contracts, load_contract
from protocolarc.render import check as check_view
from protocolarc.render import github, gitlab, junit, markdown, sarif
from protocolarc.rules.catalogue import catalogue
from protocolarc.values.envelope import Problem
from protocolarc.values.judgement import ERROR, NOTICE, CheckResult, Judgement
from protocolarc.values.snapshot import Unread
from tests.support.notation import document

RENDERERS = {
    module.__name__.rpartition(".")[2]: module.render_check for module in (github, gitlab, junit, markdown, sarif)
}
HOSTILE = "a\n::error::x %0A %, ]]> <b> & \"q\" 'r' | `c` \x00\x1b[31m\u202e\ud800 #{[_*]}"


def broken(contract: str = "t", path: str = "registry/t.json", **words: Any) -> Judgement:
    old, new = (
        load_contract(json.dumps(document(fields)).encode())
        for fields in ("a: string; b: any", "a: integer; b: any; c: any")
    )
    diff = diff_contracts(old, new)
    return Judgement("bump.missing", ERROR, 2, contract, "1.0.0", "1.0.0", path, "needs 2.0.0", diff, "2.0.0")._replace(
        **words
    )


def notice(contract: str = "t", path: str = "registry/t.json") -> Judgement:
    return Judgement("bump.larger", NOTICE, 0, contract, "1.0.0", "2.0.0", path, "1.1.0 would do")


def result(*judgements: Judgement, notes: tuple[str, ...] = ()) -> CheckResult:
    return CheckResult("the index", "HEAD", "HEAD", len(judgements), judgements, notes)


CLEAN = result()
HARD = result(
    broken(),
    broken(HOSTILE, "reg/%,\\n\\u00e9 \\udcff:.json", message=HOSTILE, new=HOSTILE, code="contract.removed"),
    notice(HOSTILE),
    notes=(HOSTILE,),
)


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("check", [CLEAN, HARD], ids=["clean", "hostile"])
def test_the_same_result_gives_the_same_printable_lines(name: str, check: CheckResult) -> None:
    text = RENDERERS[name](check)
    assert text == RENDERERS[name](check)
    assert all(line.isprintable() for line in text.split("\n"))
    assert text.isascii()


PATHS = {
    "registry/t.json": "registry/t.json",
    "a\\nb\\u001b\\\\n.json": "a\nb\x1b\\n.json",
    "\\u00e9.json": "\u00e9.json",
    "\\udcff.json": "\\xff.json",
}


@pytest.mark.parametrize(("shown", "path"), PATHS.items(), ids=PATHS)
def test_json_has_the_path_itself(shown: str, path: str) -> None:
    unread = Unread(shown, (Problem(7, "/name", "contract.name", "choose another"),))
    report = json.loads(check_view.render_json(result(broken(path=shown))._replace(unread=(unread,))))
    assert [report["judgements"][0]["path"], report["errors"][0]["path"]] == [path, path]


@pytest.mark.parametrize("name", RENDERERS)
def test_a_file_that_gave_no_contract_is_told(name: str) -> None:
    unread = Unread("registry/x.json", (Problem(7, "/name", "contract.name", "choose another"),))
    text = RENDERERS[name](result()._replace(unread=(unread,)))
    assert "contract.name at byte 7: choose another" in text.replace("\\", "")


def test_github_escapes_data_and_properties() -> None:
    first, second, third, fourth, end = github.render_check(HARD).split("\n")
    assert first == (
        "::error file=registry/t.json,title=t@1.0.0%3A bump.missing::needs 2.0.0%0A"
        "breaking field.type.changed a: string -> integer%0Abreaking field.added.required c: added any"
        "%0Aprotocolarc bump t"
    )
    assert second.startswith("::error title=a\\n%3A%3Aerror%3A%3Ax %250A %25%2C ]]>")
    assert third.startswith("::notice file=registry/t.json,title=a\\n%3A%3A")
    assert fourth.startswith("::notice title=protocolarc::a\\n::error::x %250A %25,")
    assert end == ""


def test_github_names_a_file_as_git_holds_it() -> None:
    shown = github.render_check(result(broken(path="reg/a\\\\b,100%.json")))
    assert shown.startswith("::error file=reg/a\\b%2C100%25.json,title=")
    shown = github.render_check(result(broken(path="reg/\\u00e9.json")))
    assert "::needs 2.0.0%0Ain reg/\\u00e9.json%0Abreaking" in shown


PLACES: dict[str, tuple[str | None, str, str]] = {
    # What github, gitlab and sarif point at.
    "reg/t.json": ("reg/t.json", "reg/t.json", "reg/t.json"),
    "reg/a\\\\b.json": ("reg/a\\b.json", "reg/a\\b.json", "reg/a%5Cb.json"),
    "reg/\\u00e9.json": (None, "reg/\u00e9.json", "reg/%C3%A9.json"),
    "reg/\\udcff.json": (None, "reg", "reg"),
    "reg/bad\\nline.json": (None, "reg", "reg"),
    "reg/\\u001b/\\u202e.json": (None, "reg", "reg"),
    "\\udcff/t.json": (None, ".", "."),
}


@pytest.mark.parametrize(("shown", "places"), PLACES.items(), ids=PLACES)
def test_a_place_is_plain_text_and_another_name_is_in_the_message(
    shown: str, places: tuple[str | None, str, str]
) -> None:
    check = result(broken(path=shown))
    annotation = github.render_check(check)
    in_github = re.match("::error file=([^,]*),", annotation)
    issues = json.loads(gitlab.render_check(check))
    ((run,), (first, *_)) = json.loads(sarif.render_check(check))["runs"], issues
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert (None if in_github is None else in_github[1], first["location"]["path"], uri) == places
    assert (f"%0Ain {shown}" in annotation) is (places[0] is None)
    is_named = places[1].rpartition("/")[2] == places[1]
    messages = [item["description"] for item in issues] + [item["message"]["text"] for item in run["results"]]
    assert all((f" (in {shown})" in message) is is_named for message in messages)


@pytest.mark.parametrize(("count", "shown"), [(10, 10), (11, 10), (30, 10)])
def test_github_shows_ten_of_each_kind_at_most(count: int, shown: int) -> None:
    judgements = [
        *(notice(f"n{index}") for index in range(count)),
        *(broken(f"c{index}") for index in range(count - 1)),
    ]
    judgements.append(broken("worst"))
    lines = github.render_check(result(*judgements, notes=("a", "b"))).splitlines()
    errors, notices = ([line for line in lines if line.startswith(f"::{kind} ")] for kind in ("error", "notice"))
    assert len(errors) == len(notices) == shown
    assert (errors[-1] == f"::error title=protocolarc::... and {count - 9} more") is (count > 10)
    assert notices[-1] == f"::notice title=protocolarc::... and {count + 2 - 9} more"


@pytest.mark.parametrize("name", sorted(RENDERERS.keys() - {"junit"}))
def test_the_worst_comes_first(name: str) -> None:
    worst, *others = ranked = ("this unread", "this break", "this error", "this notice")
    judgements = (broken(), broken(exit_code=1), notice())
    unread = Unread("registry/z.json", (Problem(None, "", "json.syntax", worst),))
    told = [item._replace(message=words) for item, words in zip(judgements, others, strict=True)]
    text = RENDERERS[name](result(*told)._replace(unread=(unread,)))
    assert sorted(ranked, key=text.index) == list(ranked)


def test_github_hides_no_file_behind_breaks_and_no_break_behind_the_problems_of_a_file() -> None:
    problems = [Problem(None, "", "contract.name", f"problem {number}") for number in range(30)]
    removed = broken("removed", code="contract.removed")
    check = result(*(broken(f"c{number}") for number in range(13)), removed)._replace(
        unread=(
            Unread("registry/bad.json", tuple(problems)),
            Unread("registry/link.json", (Problem(None, "", "contract.symlink", "a link"),)),
        )
    )
    lines = github.render_check(check).splitlines()
    assert lines[0] == (
        "::error file=registry/bad.json,title=registry/bad.json%3A contract.name"
        "::registry/bad.json: contract.name: problem 0%0A"
        + "".join(f"contract.name: problem {number}%0A" for number in range(1, github.MAX_LISTED + 1))
        + "... and 9 more"
    )
    assert lines[1].startswith("::error file=registry/link.json,title=registry/link.json%3A contract.symlink::")
    assert [re.findall(r"title=(\w+)@", line) for line in lines[2:9]] == [[f"c{number}"] for number in range(7)]
    assert lines[9:] == ["::error title=protocolarc::... and 7 more"]


def test_many_files_that_gave_no_contract_hide_no_break_from_github() -> None:
    problem = Problem(0, "", "json.syntax", "not JSON")
    unread = tuple(Unread(f"registry/{number:02}.json", (problem,)) for number in range(20))
    shown = RENDERERS["github"](result(broken(message="the break"), notice())._replace(unread=unread)).splitlines()
    errors = [line for line in shown if line.startswith("::error ")]
    assert (len(errors), sum("the break" in line for line in errors)) == (10, 1)
    assert "registry/00.json" in errors[0]
    assert errors[-1].endswith("::... and 12 more")


def test_a_file_that_gave_no_contract_is_a_blocker_in_gitlab_which_sorts_by_severity() -> None:
    (issue,) = json.loads(gitlab.render_check(UNREAD))
    assert issue["severity"] == "blocker"


def test_github_shows_the_worst_first() -> None:
    lesser = broken("lesser", exit_code=1)
    assert github.render_check(result(lesser, broken("worst"))).startswith("::error file=registry/t.json,title=worst@")


def test_gitlab_issues_have_all_their_keys_and_unique_fingerprints() -> None:
    assert json.loads(gitlab.render_check(CLEAN)) == []
    issues = json.loads(gitlab.render_check(result(broken(), broken(), notice())))
    assert [issue["check_name"] for issue in issues] == [
        *("bump.missing", "field.type.changed", "field.added.required") * 2,
        "bump.larger",
    ]
    assert [issue["severity"] for issue in issues] == ["critical"] * 6 + ["info"]
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    for issue in issues:
        assert issue.keys() == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["location"] == {"path": "registry/t.json", "lines": {"begin": 1}}
        assert re.fullmatch("[0-9a-f]{64}", issue["fingerprint"])


def test_fingerprints_come_from_contract_rule_and_field_alone() -> None:
    before = json.loads(gitlab.render_check(result(broken())))
    moved = broken(path="elsewhere/u.json", message="needs 3.0.0", old="1.1.0", new="1.2.0")
    after = json.loads(gitlab.render_check(result(broken("other"), notice(), moved)))
    assert [issue["fingerprint"] for issue in before] == [issue["fingerprint"] for issue in after[-3:]]
    assert not {issue["fingerprint"] for issue in after[:3]} & {issue["fingerprint"] for issue in before}


def test_sarif_is_one_run_whose_rules_come_from_the_catalogue() -> None:
    report = json.loads(sarif.render_check(HARD))
    assert (report["version"], len(report["runs"])) == ("2.1.0", 1)
    (run,) = report["runs"]
    rules = run["tool"]["driver"]["rules"]
    known = {item.entry.id: item.entry for item in catalogue()}
    assert [rule["id"] for rule in rules] == sorted({item["ruleId"] for item in run["results"]})
    for rule in rules:
        if rule["id"] in known:
            assert rule["shortDescription"] == {"text": known[rule["id"]].summary}
    for item in run["results"]:
        assert rules[item["ruleIndex"]]["id"] == item["ruleId"]
        assert item["level"] in ("error", "note")
        assert item["message"]["text"].isprintable()
        assert item["partialFingerprints"].keys() == {"contractRuleField/v1"}
        (location,) = item["locations"]
        assert re.fullmatch(r"[A-Za-z0-9._/%-]+", location["physicalLocation"]["artifactLocation"]["uri"])
    hostile = next(item for item in run["results"] if item["ruleId"] == "contract.removed")
    assert hostile["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "reg",
        "uriBaseId": "%SRCROOT%",
    }


def closed(required: str, optional: str = "", **properties: Any) -> dict[str, Any]:
    """A JSON schema of an object with these members and no others."""
    names = required.split() + optional.split()
    return {
        "type": "object",
        "properties": {name: properties.get(name, {"type": "string", "minLength": 1}) for name in names},
        "required": required.split(),
        "additionalProperties": False,
    }


def items(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": schema, **more}


TEXT = {"type": "string", "minLength": 1, "not": {"pattern": r"\{\d+\}|\]\("}}
MESSAGE = closed("text", text=TEXT)
PLACE = closed(
    "physicalLocation",
    physicalLocation=closed(
        "artifactLocation region",
        artifactLocation=closed("uri uriBaseId", uri={"pattern": r"^[A-Za-z0-9._~%-][A-Za-z0-9._~%/-]*$"}),
        region=closed("startLine", startLine={"type": "integer", "minimum": 1}),
    ),
)
RESULT = closed(
    "ruleId ruleIndex level message partialFingerprints properties locations",
    ruleIndex={"type": "integer", "minimum": 0},
    level={"enum": ["none", "note", "warning", "error"]},
    message=MESSAGE,
    partialFingerprints={"type": "object", "minProperties": 1, "additionalProperties": {"type": "string"}},
    properties={"type": "object"},
    locations=items(PLACE, minItems=1, maxItems=1),
)
RULE = closed(
    "id", "shortDescription fullDescription help", shortDescription=MESSAGE, fullDescription=MESSAGE, help=MESSAGE
)
NOTIFICATION = closed("level message", level={"const": "note"}, message=MESSAGE)
RUN = closed(
    "tool columnKind invocations results",
    tool=closed("driver", driver=closed("name rules", rules=items(RULE, uniqueItems=True))),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations=items(
        closed(
            "executionSuccessful toolExecutionNotifications",
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=items(NOTIFICATION),
        )
    ),
    results=items(RESULT, maxItems=sarif.MAX_RESULTS),
)
SARIF = closed("$schema version runs", version={"const": "2.1.0"}, runs=items(RUN, minItems=1, maxItems=1))
"""The part of SARIF 2.1.0 that a report uses, closed, with what code scanning asks for: a place for each result."""

UNREAD = result()._replace(
    unread=(Unread("registry/x.json", (Problem(7, "/name", "contract.name", "choose another"),)),)
)
POLICY = result(Judgement("policy.changed", NOTICE, 0, "", None, None, "protocolarc.toml", "the file differs"))


@pytest.mark.parametrize("check", [CLEAN, HARD, UNREAD, POLICY], ids=["clean", "hostile", "unread", "policy"])
def test_sarif_holds_what_its_schema_and_code_scanning_ask_for(check: CheckResult) -> None:
    report = json.loads(sarif.render_check(check))
    assert [error.message for error in Draft202012Validator(SARIF).iter_errors(report)] == []


def test_data_is_no_placeholder_and_no_link_in_sarif() -> None:
    text = "x: {1} -> {1, 2}, [here](https://example.com) [0]"
    (run,) = json.loads(sarif.render_check(result(broken(message=text, diff=None), notes=(text,))))["runs"]
    told = run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    assert told == run["results"][0]["message"]["text"] == "x: { 1} -> {1, 2}, [here] (https://example.com) [0]"


def test_what_is_about_no_contract_is_named_by_its_file() -> None:
    assert github.render_check(POLICY).startswith(
        "::notice file=protocolarc.toml,title=protocolarc.toml%3A policy.changed::"
    )
    assert "\n## notice: protocolarc.toml\n" in markdown.render_check(POLICY)
    ((case,),) = ET.fromstring(junit.render_check(POLICY))
    assert (case.get("classname"), case.get("name")) == ("protocolarc.toml", "protocolarc.toml")


def test_sarif_keeps_the_worst_and_says_how_many_more_there_were() -> None:
    many = result(*(notice(f"n{index}") for index in range(sarif.MAX_RESULTS)), broken())
    (run,) = json.loads(sarif.render_check(many))["runs"]
    assert len(run["results"]) == sarif.MAX_RESULTS
    assert run["results"][0]["ruleId"] == "bump.missing"
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert told["message"]["text"] == "... and 3 more results"


def test_junit_has_a_case_per_contract_and_revision() -> None:
    root = ET.fromstring(junit.render_check(result(broken("u"), broken(), notice("v"))))
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    assert [(case.get("classname"), case.get("name")) for case in suite] == [
        ("t", "t@1.0.0"),
        ("u", "u@1.0.0"),
        ("v", "v@2.0.0"),
    ]
    failure = suite[0][0]
    assert (failure.get("type"), failure.get("message")) == ("bump.missing", "needs 2.0.0")
    assert failure.text == (
        "bump.missing: needs 2.0.0\n  breaking field.type.changed a: string -> integer\n"
        "  breaking field.added.required c: added any"
    )
    assert suite[2][0].tag == "system-out"


JUNIT = {
    "testsuites": ({"tests", "failures"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped"}, {"testcase", "system-out"}),
    "testcase": ({"classname", "name"}, {"failure", "system-out"}),
    "failure": ({"type", "message"}, set[str]()),
    "system-out": (set[str](), set[str]()),
}
"""Attributes and children of each element: what readers of JUnit reports have in common."""


@pytest.mark.parametrize("check", [CLEAN, HARD, POLICY], ids=["clean", "hostile", "policy"])
def test_junit_holds_what_its_readers_know(check: CheckResult) -> None:
    root = ET.fromstring(junit.render_check(check))
    assert root.tag == "testsuites"
    for element in root.iter():
        attributes, children = JUNIT[element.tag]
        assert set(element.attrib) <= attributes
        assert all(element.attrib.values()) or element.tag == "failure"
        assert {child.tag for child in element} <= children
        assert sum(1 for child in element if child.tag != "testcase") <= 1
    (suite,) = root
    cases = suite.findall("testcase")
    assert (suite.get("tests"), suite.get("failures")) == (str(len(cases)), str(len(suite.findall("testcase/failure"))))
    assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases)


def test_junit_survives_hostile_data_and_a_clean_check_has_a_case_that_passes() -> None:
    (suite,) = ET.fromstring(junit.render_check(HARD))
    assert [child.tag for child in suite] == ["testcase", "testcase", "testcase", "system-out"]
    assert any("]]> <b> &" in (part.text or "") for part in suite.iter("failure"))
    (clean,) = ET.fromstring(junit.render_check(CLEAN))
    assert [list(case) for case in clean] == [[]]


def test_markdown_shows_the_outcome_then_each_judgement() -> None:
    assert markdown.render_check(result(broken(), notes=("a|b",))) == (
        "# ProtocolArc: breaking\n\n- head: the index\n- base: HEAD\n- 1 contract, 1 error, 0 notices\n- a\\|b\n\n"
        "## BREAKING: t@1.0.0\n\n`bump.missing`: needs 2.0.0\n\nIn registry/t.json\n\n"
        "| 1.0.0 to 1.0.0 | kind | field | change |\n| --- | --- | --- | --- |\n"
        "| breaking | field.type.changed | `a` | `string -> integer` |\n"
        "| breaking | field.added.required | `c` | `added any` |\n\n"
        "`protocolarc bump t`\n"
    )
    assert "protocolarc bump" not in markdown.render_check(result(notice(), broken(smallest=None)))


def test_markdown_never_reads_data_as_markup() -> None:
    text = markdown.render_check(HARD)
    spans = re.findall(r"\n(`+) ?(protocolarc bump .*?) ?\1\n", text)
    assert len(spans) == sum(item.smallest is not None for item in HARD.judgements[:2])
    assert all(fence not in words for fence, words in spans)  # nothing in a span is markup but its own fence
    text = re.sub(r"\n(`+) ?protocolarc bump .*\n", "\n", text)
    assert not re.search(r"(?<!\\)<", text)
    assert "\\|" in text
    assert text.count("\n## ") == len(HARD.judgements)


def test_markdown_stays_below_what_a_step_may_write() -> None:
    text = markdown.render_check(result(*(broken(f"c{index}") for index in range(5000))))
    assert len(text) < markdown.MAX_BYTES + 100
    assert re.search(r"\n\.\.\. and \d+ more\n$", text)
