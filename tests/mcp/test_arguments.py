"""Arguments as models send them: the tools do what was meant."""

import json
from typing import Any

import pytest

from fakes.daemon import Daemon
from fakes.mcp import ENDPOINT, PROJECT, text_of, tool_call

CONTENT = "Feature flags live in flags.json."


def result(daemon: Daemon, name: str, arguments: object, **context: str) -> dict[str, Any]:
    with daemon.client() as http:
        params = {"workspace": PROJECT, **context}
        reply = http.post(ENDPOINT, params=params, json=tool_call(name, arguments))
    found: dict[str, Any] = reply.json()["result"]
    return found


def call(daemon: Daemon, name: str, arguments: object, **context: str) -> dict[str, Any]:
    found = result(daemon, name, arguments, **context)
    assert "isError" not in found, found
    read: dict[str, Any] = json.loads(text_of(found))
    return read


@pytest.fixture(scope="module")
def flags(daemon: Daemon) -> str:
    """The id of a stored memory; its optional arguments were sent as null."""
    sent = {"content": CONTENT, "tags": None, "importance": None, "type": None}
    memory_id: str = call(daemon, "memory_store", sent)["id"]
    return memory_id


@pytest.mark.parametrize(
    "sent",
    [
        {"query": "feature flags", "limit": "5"},
        {"query": "feature flags", "limit": 5.0, "min_score": "0,0"},
        {"query": "feature flags", "limit": 1_000, "type": "Facts"},
        {"query": ["feature flags"], "limit": None, "type": "any", "minScore": None},
        {"Query": "feature flags", "project": "all"},
        '{"query": "feature flags"}',
    ],
    ids=repr,
)
def test_a_search_finds_a_memory_with_any_arguments(
    daemon: Daemon, flags: str, sent: object
) -> None:
    found = call(daemon, "memory_search", sent)
    assert [each["id"] for each in found["results"]] == [flags]
    ignored = ["project"] if isinstance(sent, dict) and "project" in sent else None
    assert found.get("ignored_arguments") == ignored


def test_a_reply_says_what_was_out_of_range(daemon: Daemon) -> None:
    sent = {"content": "Lids are stored upright.", "importance": 9}
    stored = call(daemon, "memory_store", sent)
    assert stored["limited_arguments"] == {"importance": "a number from 0 to 1"}
    assert stored["importance"] == 0.8


def test_a_memory_is_read_by_a_part_of_its_id(daemon: Daemon, flags: str) -> None:
    for sent in (flags, f"`{flags}`", f"[{flags[:24]}]", flags.upper()[:24], flags[-12:]):
        assert call(daemon, "memory_get", {"id": sent})["content"] == CONTENT
    for sent in (flags[-5:], "zzzzzzzz"):
        assert "No such memory" in text_of(result(daemon, "memory_get", {"id": sent}))


def test_an_ambiguous_id_is_refused(daemon: Daemon) -> None:
    # Ids begin with the time.
    told = ("The lid is red.", "The door is green.")
    ids = [call(daemon, "memory_store", {"content": each})["id"] for each in told]
    shared = ids[0][:6]
    assert ids[1].startswith(shared)
    assert f"begin or end with {shared}" in text_of(result(daemon, "memory_get", {"id": shared}))


def test_ratings_in_any_form_and_by_a_part_of_the_id(
    daemon: Daemon, session: str, flags: str
) -> None:
    for ratings in (
        {flags: "0.5"},
        json.dumps({flags[:24]: 0.5}),
        [{"id": f"`{flags}`", "rating": "0.5"}],
    ):
        sent = {"session_key": "Current", "ratings": ratings}
        rated = call(daemon, "memory_feedback", sent, session=session, harness="claude-code")
        assert rated == {"recorded": 1}
