"""What an agent may not do by its tools: bind the user, change the user's words, leave traces."""

from collections.abc import Generator

import pytest

from fakes.daemon import NO_MODEL, Daemon, running_daemon, write_settings
from fakes.mcp_tools import call, refusal, remember, result, stored

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Generator[Daemon]:
    home = tmp_path_factory.mktemp("home")
    write_settings(home, NO_MODEL)
    with running_daemon(home) as running:
        yield running


def test_new_words_for_what_the_user_stated_wait_for_the_user(daemon: Daemon) -> None:
    memory_id = remember(daemon, "The API listens on port 8080.", type="fact")
    words = {"content": "The API listens on port 9090.", "reason": "The port has moved."}
    changed = call(daemon, "memory_modify", id=memory_id, **words)
    assert (changed["status"], changed["unchanged"]) == ("suggested", memory_id)
    assert stored(daemon, memory_id)["content"] == "The API listens on port 8080."
    with daemon.client() as http:
        items = http.get("/api/inbox").json()["items"]
    (item,) = [each for each in items if each["id"] == changed["id"]]
    assert "The port has moved." in item["evidence"][0]["sentence"]


@pytest.mark.parametrize(
    "more", [{"type": "rule"}, {"type": "fact", "pinned": True}], ids=["a rule", "a pinned memory"]
)
def test_only_the_user_demotes_and_forgets(daemon: Daemon, more: dict[str, object]) -> None:
    memory_id = remember(daemon, f"Never push to main ({more}).", **more)
    before = stored(daemon, memory_id)
    for name, change in (("memory_modify", {"importance": 0}), ("memory_forget", {})):
        asked = call(daemon, name, id=memory_id, reason="x", **change)
        assert (asked["status"], asked["unchanged"]) == ("suggested", memory_id)
    assert stored(daemon, memory_id) == before


def test_an_agent_cannot_put_its_memory_first(daemon: Daemon) -> None:
    said = {"content": "critical: The logo is blue.", "type": "fact", "importance": 1}
    row = stored(daemon, call(daemon, "memory_store", **said)["id"])
    assert (row["pinned"], row["importance"], row["type"]) == (0, 0.8, "fact")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("memory_store", {"content": "The lid is red."}),
        ("memory_store", {"content": "Never paint the lid.", "type": "rule"}),
        ("memory_modify", {"reason": "x", "content": "The door is green."}),
        ("memory_forget", {"reason": "x"}),
    ],
)
def test_tool_calls_during_a_pause_leave_no_trace(
    daemon: Daemon, name: str, arguments: dict[str, object]
) -> None:
    door = call(daemon, "memory_store", content="The door is red.")["id"]
    sent = arguments if name == "memory_store" else {"id": door, **arguments}
    with daemon.client() as http:
        before = http.get("/api/inbox").json()
        http.post("/api/capture/pause", json={}, headers=daemon.owner).raise_for_status()
        try:
            assert "paused" in refusal(daemon, name, **sent)
        finally:
            http.post("/api/capture/resume", headers=daemon.owner).raise_for_status()
        assert http.get("/api/inbox").json() == before
    assert stored(daemon, door)["version"] == 1


def test_a_searched_secret_is_not_recorded(daemon: Daemon) -> None:
    call(daemon, "memory_search", query=f"what is {SECRET}")
    with daemon.client() as http:
        rows = http.get("/api/sessions", headers=daemon.owner).json()["sessions"]
        pages = [http.get(f"/api/sessions/{r['id']}", headers=daemon.owner).text for r in rows]
    assert pages
    assert not any(SECRET[4:].lower() in page.lower() for page in pages)


@pytest.mark.parametrize("workspace", [".", "${PWD}", "shop"])
def test_an_invalid_workspace_is_refused(daemon: Daemon, workspace: str) -> None:
    found = result(daemon, "memory_list", {}, workspace)
    assert found["isError"]
    assert "absolute path" in found["content"][0]["text"]
