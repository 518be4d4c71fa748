"""How memories, log lines and reasons are written in a terminal."""

import time
from collections.abc import Generator
from itertools import pairwise
from typing import Any

import click
import pytest

from intaglio.cli.logs import readable
from intaglio.cli.memories.recall import how_searched, why_found
from intaglio.cli.output import clipped, paragraph, project_names, short_ids
from intaglio.logs.lines import line_of, shown
from intaglio.logs.values import LogPosition, RawLine
from intaglio.wire.memory import RecallExplain, ResultExplain

ONE = "0198f1c2-7a3b-7c11-9d2e-0123456789ab"
SAME_END = "0198f1c2-7a3b-7c11-8d2e-0123456789ab"
LATER = "0198f1c2-9999-7c11-9d2e-fedcba987654"


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Set the terminal's own clock."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


def test_a_short_id_is_its_random_end() -> None:
    assert short_ids([ONE, LATER]) == {ONE: "456789ab", LATER: "ba987654"}


def test_short_ids_are_long_enough_to_differ() -> None:
    found = short_ids([ONE, SAME_END, "short"])
    assert found["short"] == "short"
    assert found[ONE] != found[SAME_END]
    assert all(long.endswith(short) for long, short in found.items())
    assert not any(one.endswith(other) for one, other in pairwise(found.values()))


def test_projects_are_named_by_their_directory_unless_two_have_one_name() -> None:
    assert project_names([None, "/src/tea", "/a/api", "/b/api", "plan"]) == {
        None: "All projects",
        "/src/tea": "tea",
        "/a/api": "/a/api",
        "/b/api": "/b/api",
        "plan": "plan",
    }


def read(line: str) -> str:
    raw = RawLine(LogPosition("1.00000000", 0), line.encode())
    return click.unstyle(readable(shown(line_of(raw))))


def test_a_log_line_is_readable() -> None:
    line = (
        '{"port": 3850, "workspace": "/home/me/my agents", "who": "", "event": "starting", '
        '"part": "daemon", "level": "info", "timestamp": "2026-01-31T08:00:01.234Z", '
        '"request_id": "r-1", "duration_ms": 2}'
    )
    assert read(line) == (
        "2026-01-31 08:00:01 info  daemon starting port=3850 "
        'workspace="/home/me/my agents" who="" ms=2 request=r-1'
    )


def test_a_traceback_follows_its_line() -> None:
    line = '{"event": "failed", "level": "error", "exception": "Traceback:\\n  boom", "x": [1]}'
    assert read(line).splitlines() == [
        "error failed x=[1]",
        "    Traceback:",
        "      boom",
    ]


def test_an_unstructured_log_line_is_printed_without_what_moves_the_cursor() -> None:
    assert read("not \x1b[2JJSON\x07") == "info  unreadable not JSON bytes=13"


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            {"coverage": 0.5, "cosine": 0.71, "matched": ["tea", "five"]},
            "contains tea, five (50% of the question); semantic similarity 0.71",
        ),
        (
            {"cosine": 0.71, "meaning": 0.4, "reasons": ["said by Ada"]},
            "said by Ada",
        ),
        ({"cosine": 0.71}, "semantic similarity 0.71"),
        ({}, "no word of the question matches"),
    ],
)
def test_a_reason_has_no_empty_parts(found: dict[str, Any], words: str) -> None:
    nothing: dict[str, Any] = {"bm25": 0.0, "coverage": 0.0, "cosine": None, "meaning": None}
    rest: dict[str, Any] = {"matched": [], "shares": {}, "reasons": [], "answers": True}
    explained = ResultExplain(**(nothing | rest | found))
    assert why_found(explained, "Is tea at five?") == words


def test_a_retriever_that_did_not_run_has_no_line() -> None:
    empty = RecallExplain(terms=[], dropped=[""], postings=0, candidates=0, timed_out=False)
    assert how_searched(empty, "x") == []
    full = RecallExplain(
        terms=["tea", "deploi"], dropped=["the", ""], postings=1, candidates=1, timed_out=True
    )
    assert how_searched(full, "The teas we deployed") == [
        "Searched for: teas, deployed",
        "Left out: the",
        "The search was cut short: it took too long.",
    ]


def test_control_characters_of_a_memory_are_neutralised() -> None:
    text = "a\x1b[2J\x1b]0;x\x07b\u202ec\u200bd"
    assert paragraph(text, indent="") == "a]0;xbcd"
    assert clipped(text, 80) == "a]0;xbcd"
    assert project_names([text])[text] == "a]0;xbcd"
