"""What a user says in a tool's result is said: answers to the agent's questions, and rejections."""

import json
from pathlib import Path
from typing import Any

import pytest

from intaglio.capture.transcripts import TranscriptMessage
from intaglio.harness.claude_code.transcript import read_new

LIMIT = 50_000_000
NOT_RUN = (
    "The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the "
    "file)."
)
NO = f"The user doesn't want to proceed with this tool use. {NOT_RUN}"
SAID = "To tell you how to proceed, the user said:"
NOTE = "Note: The user's next message may contain a correction or preference. Pay close attention"
STOP = "STOP what you are doing and wait for the user to tell you how to proceed."
DENIED = f"Permission for this tool use was denied. {NOT_RUN} The user said:"
WHICH = "Which login should we use?"
LOGIN: dict[str, Any] = {
    "question": WHICH,
    "header": "Login",
    "options": [{"label": "Own table"}, {"label": "Auth0 (Recommended)"}, {"label": "SSO"}],
    "multiSelect": False,
}
NAME = {"question": "Which name?", "options": [{"label": "a"}, {"label": "b"}]}


def _asks(name: str = "AskUserQuestion", uuid: str = "a-1", call: str = "t-1") -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_use", "id": call, "name": name, "input": {}}
    return {
        "type": "assistant",
        "uuid": uuid,
        "sessionId": "s",
        "message": {"role": "assistant", "content": [block]},
    }


def _result(content: object, *, call: str = "t-1", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    block = {"type": "tool_result", "tool_use_id": call, "content": content, "is_error": True}
    return {
        "type": "user",
        "uuid": "u-1",
        "sessionId": "s",
        "message": {"role": "user", "content": [block]},
        **more,
    }


def _answers(answers: dict[str, Any], *questions: object, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {"questions": list(questions) or [LOGIN], "answers": answers, "annotations": {}, **more}


def _said(folder: Path, *records: object) -> list[TranscriptMessage]:
    file = folder / "t.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return [m for m in read_new(file, "", LIMIT).messages if m.role == "user"]


def _pairs(said: list[TranscriptMessage]) -> list[tuple[str, str, bool]]:
    return [(m.question, m.text, m.is_choice) for m in said]


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (_answers({WHICH: "SSO"}), [(WHICH, "SSO", True)]),
        (
            _answers({WHICH: "Auth0 (Recommended)"}),
            [(WHICH, "Auth0", True)],
        ),
        (
            _answers({WHICH: "Own table, SSO"}),
            [(WHICH, "Own table, SSO", True)],
        ),
        (
            _answers({WHICH: ["SSO", "Own table"]}),
            [(WHICH, "SSO, Own table", True)],
        ),
        (
            _answers({WHICH: "SSO, and never our own table."}),
            [(WHICH, "SSO, and never our own table.", False)],
        ),
        (
            _answers(
                {WHICH: "SSO"},
                annotations={WHICH: {"notes": "only for staff", "preview": "x"}},
            ),
            [(WHICH, "SSO", True), (WHICH, "only for staff", False)],
        ),
        (
            _answers(
                {WHICH: "(notes only)"},
                annotations={WHICH: {"notes": "Ask Ann."}},
            ),
            [(WHICH, "Ask Ann.", False)],
        ),
        (
            _answers({"Which name?": "c", WHICH: "SSO"}, LOGIN, NAME),
            [(WHICH, "SSO", True), ("Which name?", "c", False)],
        ),
        (_answers({}, response="We use tabs."), [("", "We use tabs.", False)]),
        (_answers({WHICH: "SSO"}, afkTimeoutMs=60_000), []),
        (_answers({WHICH: 5}), []),
        (_answers({"Another question?": "SSO"}), []),
        ("The user answered", []),
    ],
)
def test_an_answer_is_captured_with_its_question(
    tmp_path: Path, result: object, said: list[tuple[str, str, bool]]
) -> None:
    found = _said(tmp_path, _asks(), _result("x", toolUseResult=result))
    assert _pairs(found) == said


def test_each_answer_has_an_id_of_its_own(tmp_path: Path) -> None:
    result = _answers({"Which name?": "c", WHICH: "SSO"}, LOGIN, NAME)
    found = _said(tmp_path, _asks(), _result("x", toolUseResult=result))
    assert [m.message_id for m in found] == ["u-1", "u-1#2"]


def test_another_tools_result_is_never_an_answer(tmp_path: Path) -> None:
    result = _answers({WHICH: "SSO"})
    planted = _result("x", toolUseResult=result)
    assert _said(tmp_path, _asks("mcp__forms__AskUserQuestion"), planted) == []
    assert _said(tmp_path, _asks(call="another"), planted) == []
    assert _said(tmp_path, planted) == []


def test_a_question_asked_before_the_part_that_is_read_is_known(tmp_path: Path) -> None:
    asked, answered = _asks(), _result("x", toolUseResult=_answers({WHICH: "SSO"}))
    file = tmp_path / "t.jsonl"
    file.write_text(json.dumps(asked) + "\n")
    offset = read_new(file, "", LIMIT).position
    with file.open("a") as stream:
        stream.write(json.dumps(answered) + "\n")
    assert [m.text for m in read_new(file, offset, LIMIT).messages] == ["SSO"]


@pytest.mark.parametrize(
    ("content", "marks", "said"),
    [
        ("x", {"userFeedback": "Use Zod instead."}, ["Use Zod instead."]),
        (f"{NO} {SAID}\nUse Zod.\n\n{NOTE}", {"holdsPersonsWords": True}, ["Use Zod."]),
        (f"{DENIED}\nUse Zod.", {"holdsPersonsWords": True}, ["Use Zod."]),
        (f"{NO} {STOP}", {"toolUseResult": "User rejected tool use"}, []),
        ("A policy of the host forbids it.", {"holdsPersonsWords": True}, []),
        (f"{NO} {SAID}\nA tool may say so too.", {"toolUseResult": "Error"}, []),
    ],
)
def test_a_rejection_contains_the_users_words(
    tmp_path: Path, content: str, marks: dict[str, Any], said: list[str]
) -> None:
    assert [m.text for m in _said(tmp_path, _asks("Edit"), _result(content, **marks))] == said


def test_words_beside_an_approval_are_the_users(tmp_path: Path) -> None:
    record = _result("written", holdsPersonsWords=True, toolUseResult={"filePath": "a.py"})
    record["message"]["content"].append({"type": "text", "text": "And never use mocks."})
    assert [m.text for m in _said(tmp_path, _asks("Edit"), record)] == ["And never use mocks."]
    del record["holdsPersonsWords"]
    assert _said(tmp_path, _asks("Edit"), record) == []


def test_text_after_an_agents_command_is_not_the_users(tmp_path: Path) -> None:
    text = (
        "<command-message>a</command-message>\n<command-name>/a</command-name>\n"
        "<command-args>We use tabs.</command-args>"
    )
    record = {
        "type": "user",
        "uuid": "u-1",
        "sessionId": "s",
        "message": {"role": "user", "content": text},
    }
    assert [m.text for m in _said(tmp_path, record)] == ["We use tabs."]
    assert _said(tmp_path, {**record, "sourceToolUseID": "t-1"}) == []
