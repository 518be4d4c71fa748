"""What is typed into a search: the words that matter, and the kind that is asked for."""

import pytest

from intaglio.finding.question import read_question


@pytest.mark.parametrize(
    ("typed", "words", "start", "kind"),
    [
        ("who is Priya", ("Priya",), "priya", "entity"),
        ("the session about the outage", ("outage",), "outage", "session"),
        ("sessions outage", ("outage",), "outage", "session"),
        ("outage session", ("outage",), "", "session"),
        ("all decisions on the database", ("database",), "database", "memory"),
        ("Entscheidungen über die Datenbank", ("Datenbank",), "datenbank", "memory"),
        ("commit about the compass?", ("compass",), "", "commit"),
        ("suggestions for invoices ", ("invoices",), "", "inbox"),
        ("why Celery went", ("Celery",), "", None),
        ("session cookie expiry", ("session", "cookie", "expiry"), "expiry", None),
        ("commit", ("commit",), "commit", None),
        ("postg", ("postg",), "postg", None),
        ("a", ("a",), "", None),
        ("the", ("the",), "the", None),
        ("データ", ("データ",), "データ", None),
        ("", (), "", None),
        ("?!", (), "", None),
    ],
)
def test_the_topic_and_the_kind_are_told_apart(
    typed: str, words: tuple[str, ...], start: str, kind: str | None
) -> None:
    found = read_question(typed)
    named = found.wanted.kind if found.wanted else None
    assert (found.words, found.start, named) == (words, start, kind)


def test_a_type_of_memories_is_named() -> None:
    found = read_question("decisions on caching")
    assert found.wanted is not None
    assert (found.wanted.kind, found.wanted.type) == ("memory", "decision")


def test_a_long_text_is_read_in_part() -> None:
    assert len(read_question("word " * 100_000).words) == 24
