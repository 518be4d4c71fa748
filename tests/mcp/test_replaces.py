"""What `memory_store` says of near memories, and what its `replaces` does to them."""

from typing import Any

import pytest

from fakes.daemon import Daemon
from fakes.mcp_tools import call, refusal, remember, stored

TABS = "Indent the code of the parser with tabs."
SPACES = "Indent the code of the parser with two spaces."


def inbox(daemon: Daemon) -> list[dict[str, Any]]:
    with daemon.client() as http:
        found: list[dict[str, Any]] = http.get("/api/inbox").json()["items"]
    return found


def test_near_older_memories_are_named_and_only_close_ones(daemon: Daemon) -> None:
    near = remember(daemon, "The parser listens on port 8080.")
    remember(daemon, "The garden is watered on Mondays.")
    found = call(daemon, "memory_store", content="The parser listens on port 9090.", type="fact")
    assert found["nearest"] == [{"id": near, "content": "The parser listens on port 8080."}]
    found = call(daemon, "memory_store", content="Zebras have black and white stripes.")
    assert "nearest" not in found


def test_an_agents_own_memory_is_replaced_by_its_newer_one(daemon: Daemon) -> None:
    older = call(daemon, "memory_store", content="The lexer takes 40 ms a file.")["id"]
    newer = call(daemon, "memory_store", content="The lexer takes 4 ms a file.", replaces=older)
    assert newer["replaced"] == [older]
    row = stored(daemon, older)
    assert (row["status"], row["superseded_by"]) == ("replaced", newer["id"])
    again = call(daemon, "memory_get", id=older)
    assert (again["status"], again["superseded_by"]) == ("replaced", newer["id"])
    listed = call(daemon, "memory_list")["memories"]
    assert older not in [each["id"] for each in listed]


def test_what_the_user_said_is_replaced_by_the_user_alone(daemon: Daemon) -> None:
    older = remember(daemon, "The staging host is called emerald.")
    said = {"content": "The staging host is called ruby.", "type": "fact", "replaces": [older]}
    newer = call(daemon, "memory_store", **said)
    assert newer["asked"] == [older]
    # An agent's own word hides nothing that the user said.
    assert stored(daemon, older)["status"] == "current"
    assert stored(daemon, newer["id"])["is_unsettled"]
    pairs = [[each["id"] for each in item["memories"]] for item in inbox(daemon)]
    assert [older, newer["id"]] in pairs


@pytest.mark.parametrize("pinned", [False, True])
def test_an_accepted_claim_replaces_what_the_item_showed(daemon: Daemon, *, pinned: bool) -> None:
    older = remember(daemon, f"{TABS} ({pinned})", type="rule", pinned=pinned)
    said = {"content": f"{SPACES} ({pinned})", "type": "rule", "replaces": f"id: {older}"}
    asked = call(daemon, "memory_store", **said)
    assert asked["status"] == "suggested"
    assert stored(daemon, older)["status"] == "current"
    item = next(each for each in inbox(daemon) if each["id"] == asked["id"])
    assert [each["id"] for each in item["memories"]] == [older]
    with daemon.client() as http:
        kept = {"action": "keep"}
        http.post(f"/api/inbox/{asked['id']}", json=kept, headers=daemon.owner).raise_for_status()
    assert stored(daemon, older)["status"] == "replaced"


def test_an_id_that_is_no_memory_is_named_and_nothing_is_stored(daemon: Daemon) -> None:
    known = remember(daemon, "The box has a lid.")
    said = {"content": "The lid of the box is blue.", "replaces": [known, "no-such-memory"]}
    assert "No such memory: id 2 of replaces" in refusal(daemon, "memory_store", **said)
    assert stored(daemon, known)["status"] == "current"
    found = call(daemon, "memory_search", query="lid of the box")
    assert [each["id"] for each in found["results"]] == [known]


def test_an_agent_sets_no_memories_of_the_user_against_each_other(daemon: Daemon) -> None:
    older = remember(daemon, "The cache is warmed at six.")
    # Of something else: a newer value of the same would replace the older one in the background.
    newer = remember(daemon, "The garden gate squeaks.")
    said = {"content": "The garden gate squeaks.", "known": newer, "replaces": [older]}
    assert call(daemon, "memory_store", **said)["asked"] == [older]
    assert [stored(daemon, each)["status"] for each in (older, newer)] == ["current", "current"]
    assert not stored(daemon, newer)["is_unsettled"]
