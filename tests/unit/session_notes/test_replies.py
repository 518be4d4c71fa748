"""How the replies about sessions and messages are read: what is malformed is left out."""

from typing import Any, Final

import pytest

from intaglio.models.prompt import ReadReply, UnreadableReply
from intaglio.session_notes.notes_prompt import (
    MAX_NOTES,
    MAX_OPEN_ENDS,
    SESSION_NOTES,
    read_notes,
)
from intaglio.session_notes.turn_prompt import MAX_ENTITIES, read_relations
from intaglio.session_notes.values import OPEN_END, OutdatedText, SessionNotes

NOTE: Final = {
    "content": "The linter runs before each push.",
    "type": "rule",
    "message": 1,
    "evidence": "always run the linter",
    "accepted": "",
}


def read(reply: object) -> ReadReply[SessionNotes]:
    found = read_notes(reply)
    assert isinstance(found, ReadReply)
    return found


def test_a_whole_reply_is_read() -> None:
    summary = {"text": "The linter.", "topics": ["CI", "CI", ""], "decisions": ["Run it."]}
    found = read({"notes": [NOTE], "one_off": [2, "S3"], "summary": summary})
    assert found.warnings == ()
    [note] = found.value.notes
    assert (note.content, note.type, note.message) == (NOTE["content"], "rule", 1)
    assert found.value.one_off == (2, 3)
    assert (found.value.summary.topics, found.value.summary.decisions) == (("CI",), ("Run it.",))


@pytest.mark.parametrize(
    "broken",
    [
        {"type": "order"},
        {"message": 0},
        {"message": "first"},
        {"content": "short"},
        {"content": "x" * 601},
        {"evidence": ""},
        {"evidence": None},
    ],
)
def test_a_malformed_note_is_left_out_with_a_warning(broken: dict[str, Any]) -> None:
    found = read({"notes": [{**NOTE, **broken}, NOTE, "a note"], "summary": None})
    assert [each.content for each in found.value.notes] == [NOTE["content"]]
    assert len(found.warnings) == 2


def test_a_number_as_text_and_missing_fields_do_no_harm() -> None:
    bare = {key: NOTE[key] for key in ("content", "type", "evidence")}
    found = read([{**bare, "message": "3"}])
    assert [(each.message, each.accepted) for each in found.value.notes] == [(3, "")]


def test_no_more_notes_than_allowed_are_read() -> None:
    found = read({"notes": [NOTE] * (MAX_NOTES + 5)})
    assert (len(found.value.notes), len(found.warnings)) == (MAX_NOTES, 1)


@pytest.mark.parametrize("summary", ["Just a text.", {"text": "Just a text.", "topics": []}])
def test_a_summary_may_be_a_plain_text(summary: object) -> None:
    assert read({"notes": [], "summary": summary}).value.summary.text == "Just a text."


@pytest.mark.parametrize(
    "one_off", ["1", None, {"1": 2}, [None, "x", -1, "9" * 5_000, [1], True, 10**5_000]]
)
def test_numbers_of_one_off_tasks_that_are_none_are_left_out(one_off: object) -> None:
    assert read({"notes": [], "one_off": one_off}).value.one_off == ()


def test_open_ends_are_notes_of_their_own_type_and_at_most_three() -> None:
    texts = [f"The migration of table {number} is still open." for number in range(5)]
    listed = [{**NOTE, "type": "open", "content": text} for text in texts]
    found = read({"notes": [*listed, NOTE]})
    kinds = [each.type for each in found.value.notes]
    assert kinds == [*[OPEN_END] * MAX_OPEN_ENDS, "rule"]
    assert len(found.warnings) == 1


def test_an_open_end_that_is_listed_twice_takes_none_of_the_others() -> None:
    texts = [f"The migration of table {number} is still open." for number in (1, 2, 3, 1)]
    found = read({"notes": [{**NOTE, "type": "open", "content": text} for text in texts]})
    assert [each.content for each in found.value.notes] == texts[:MAX_OPEN_ENDS]


def test_what_is_outdated_names_a_saved_text_and_quotes_the_user() -> None:
    listed = [
        {"saved": 2, "message": 9, "evidence": "forget the linter"},
        {"saved": "S3", "message": "10", "evidence": " use ruff instead "},
    ]
    found = read({"notes": [], "outdated": listed})
    assert found.value.outdated == (
        OutdatedText(2, 9, "forget the linter"),
        OutdatedText(3, 10, "use ruff instead"),
    )
    assert found.warnings == ()


@pytest.mark.parametrize(
    "outdated",
    [
        7,
        "S1",
        [1, 2],
        [{"saved": 1}],
        [{"saved": 1, "message": 0, "evidence": "x"}],
        [{"saved": 1, "message": 2, "evidence": ""}],
        [{"saved": [1], "message": 2, "evidence": "x"}],
        [{"saved": 1, "message": True, "evidence": "x"}],
        [{"saved": 1, "message": -2, "evidence": "x"}] * 10_000,
    ],
)
def test_a_malformed_outdated_text_is_left_out_with_a_warning(outdated: object) -> None:
    found = read({"notes": [NOTE], "outdated": outdated})
    assert (len(found.value.notes), found.value.outdated) == (1, ())
    assert found.warnings


@pytest.mark.parametrize("number", [-1, "x", "", "9" * 5_000])
def test_an_outdated_text_without_a_number_is_left_out(number: object) -> None:
    listed = [{"saved": number, "message": 2, "evidence": "never mind"}]
    assert read({"notes": [], "outdated": listed}).value.outdated == ()


def test_nothing_need_be_outdated() -> None:
    assert read({"notes": [], "outdated": None}).warnings == ()
    assert read({"notes": []}).value.outdated == ()


def test_the_prompt_names_each_part_of_its_reply() -> None:
    parts = ("notes", "one_off", "outdated", "summary")
    assert SESSION_NOTES.schema["required"] == [*parts]
    assert all(f'"{part}"' in SESSION_NOTES.system for part in parts)


@pytest.mark.parametrize("reply", [None, "text", 7, {}, {"facts": []}])
def test_a_reply_without_anything_is_unreadable(reply: object) -> None:
    assert isinstance(read_notes(reply), UnreadableReply)


@pytest.mark.parametrize("notes", ["none", 0, {"0": NOTE}])
def test_notes_that_are_no_list_close_nothing(notes: object) -> None:
    assert isinstance(read_notes({"notes": notes, "summary": None}), UnreadableReply)


def relation(source: str, target: str, **given: object) -> dict[str, object]:
    return {"source": source, "relationship": "uses", "target": target, "confidence": 0.9, **given}


def test_relations_between_too_many_things_are_cut() -> None:
    found = read_relations({"relations": [relation(f"S{n}", f"T{n}") for n in range(8)]})
    assert isinstance(found, ReadReply)
    assert len(found.value) == MAX_ENTITIES // 2
    assert len(found.warnings) == 1


def test_a_malformed_relation_is_left_out() -> None:
    listed = [relation("A", "B"), relation("", "B"), relation("A", "C", confidence=7), {"a": 1}]
    found = read_relations(listed)
    assert isinstance(found, ReadReply)
    assert [(each.source, each.target) for each in found.value] == [("A", "B")]
    assert len(found.warnings) == 3
    assert isinstance(read_relations("nothing"), UnreadableReply)
