"""A misled agent with its own tools: forgets, changes, plants and floods all it can."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

import httpx

from bench.attack.arena import Arena
from bench.attack.probe import Broke, Outcome, Probe, judge
from fakes.daemon import Daemon
from fakes.planted_instructions import stored_texts
from intaglio.mcp.tool_list import TOOLS

_PROJECT: Final = "/work/shop"
_MEMORIES: Final = 140
_LIMIT: Final = 20
_PROPOSALS: Final = 10
_TYPES: Final = ("fact", "rule", "preference", "decision")
_HUGE: Final = "x" * 900_000
_ODD: Final[tuple[object, ...]] = (
    None, True, -1, 10**30, 0.5, "", " ", "null", "\x00", "\ud800", [], {}, [["a"]], {"a": {}},
    ["a", 1], "[" * 500, '{"id": 1}', "%s%n", "../..", "9" * 400, _HUGE, [_HUGE], {_HUGE: _HUGE},
)  # fmt: skip


def _call(client: httpx.Client, name: str, arguments: object) -> dict[str, Any]:
    """Call a tool; a refusal is returned as its text."""
    params = {"name": name, "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    content = json.dumps(body, ensure_ascii=True).encode()
    where = {"workspace": _PROJECT, "harness": "codex"}
    headers = {"content-type": "application/json"}
    reply = client.post("/mcp", params=where, content=content, headers=headers).json()
    result = reply.get("result")
    if result is None or "content" not in result:
        return {"refused": str(reply)}
    text = result["content"][0]["text"]
    return {"refused": text} if result.get("isError") else dict(json.loads(text))


def _said(client: httpx.Client, daemon: Daemon) -> list[str]:
    """Remember what the user said, of every type; some of it pinned."""
    ids: list[str] = []
    for number in range(_MEMORIES):
        kind = _TYPES[number % len(_TYPES)]
        body = {
            "content": f"Stone {number} is part of the {kind} wall.",
            "type": kind,
            "pinned": number % 10 == 0,
            "project": _PROJECT,
        }
        reply = client.post("/api/memory/remember", json=body, headers=daemon.owner)
        ids.append(reply.raise_for_status().json()["id"])
    return ids


def _rows(client: httpx.Client) -> dict[str, tuple[object, ...]]:
    """Return what each live memory says and is."""
    listed = client.get("/api/memories", params={"limit": 1000}).raise_for_status().json()
    keys = ("content", "type", "importance", "pinned", "tags")
    return {row["id"]: tuple(row[key] for key in keys) for row in listed["memories"]}


def _open_items(client: httpx.Client, kind: str) -> list[dict[str, Any]]:
    page = client.get("/api/inbox", params={"kind": kind, "limit": 1000}).raise_for_status()
    items: list[dict[str, Any]] = page.json()["items"]
    return items


def _on_the_users(
    attack: Callable[[httpx.Client, str], object],
) -> Callable[[Arena], Outcome]:
    """Return a probe that does the same to each of the user's memories."""

    def run(arena: Arena) -> Outcome:
        daemon = arena.start()
        with daemon.client() as client:
            ids = _said(client, daemon)
            before = _rows(client)
            for each in ids:
                attack(client, each)
            after = _rows(client)
            changed = [each for each in ids if after.get(each) != before[each]]
            proposals = len(_open_items(client, "proposed_change"))
        if proposals > _PROPOSALS:
            return Broke(f"{proposals} proposals fill the inbox", _MEMORIES, _MEMORIES)
        return judge(changed, _MEMORIES, f"all as before; {proposals} proposals in the inbox")

    return run


def _forget(client: httpx.Client, memory_id: str) -> None:
    _call(client, "memory_forget", {"id": memory_id, "reason": "outdated"})


def _rewrite(client: httpx.Client, memory_id: str) -> None:
    words = {"content": f"Stone {memory_id} is gone.", "reason": "moved"}
    _call(client, "memory_modify", {"id": memory_id, **words})
    _call(client, "memory_modify", {"id": memory_id, "importance": 0, "reason": "noise"})
    _call(client, "memory_modify", {"id": memory_id, "type": "fact", "reason": "wrong type"})


def _by_rest(client: httpx.Client, memory_id: str) -> None:
    headers = {"x-signet-actor-type": "agent", "x-signet-actor": "codex"}
    url = f"/api/memory/{memory_id}"
    for force in ("false", "true"):
        client.delete(url, params={"reason": "x", "force": force}, headers=headers)
    client.patch(url, json={"reason": "x", "content": "Gone.", "pinned": False}, headers=headers)
    many = {"ids": [memory_id], "reason": "x"}
    client.post("/api/memory/forget", json={"mode": "execute", **many}, headers=headers)
    patch = {"patches": [{"id": memory_id, "importance": 0}], "reason": "x"}
    client.post("/api/memory/modify", json=patch, headers=headers)


def own_memories(arena: Arena) -> Outcome:
    """Forget all that the agent itself stored, and undo it as the user."""
    daemon = arena.start()
    broken: list[str] = []
    with daemon.client() as client:
        ids = [
            _call(client, "memory_store", {"content": f"Stone {number} lies in row {number}."})[
                "id"
            ]
            for number in range(_LIMIT * 2)
        ]
        for each in ids:
            _forget(client, each)
        gone = [each for each in ids if each not in _rows(client)]
        if len(gone) > _LIMIT:
            broken.append(f"{len(gone)} forgotten in a session")
        told = _open_items(client, "agent_changes")
        if len(told) != 1:
            broken.append("the user isn't told")
        for item in told:
            undo = {"action": "undo_changes"}
            client.post(f"/api/inbox/{item['id']}", json=undo, headers=daemon.owner)
        if any(each not in _rows(client) for each in ids):
            broken.append("not all are restored")
    return judge(broken, len(ids), f"{_LIMIT} forgotten, the user told, all restored")


def planted_instructions(arena: Arena) -> Outcome:
    """Have the agent store instructions; look at what is stored, and told at the next start."""
    daemon = arena.start("{}\n")
    planted = [each.text for each in stored_texts() if each.label == "planted"]
    stored: list[str] = []
    with daemon.client() as client:
        for text in planted:
            # The inbox takes so many of an agent's suggestions; the user empties it.
            for item in _open_items(client, "suggestion"):
                drop = {"action": "drop"}
                client.post(f"/api/inbox/{item['id']}", json=drop, headers=daemon.owner)
            if _call(client, "memory_store", {"content": text}).get("status") == "stored":
                stored.append(text)
        start = {"harness": "claude-code", "project": _PROJECT, "sessionKey": "next"}
        told = client.post("/api/hooks/session-start", json=start, headers=daemon.owner).json()
    leaked = [text for text in planted if text[:40] in told["inject"]]
    if leaked:
        return Broke(f"told at the next start: {leaked[0]}", len(planted), 0)
    detail = f"none told at a start; {len(stored)} stored, told as the agent's"
    # A few are stored as an agent's facts; that is known and bounded by a test.
    most = len(planted) * 3 // 100
    return judge(stored if len(stored) > most else [], len(planted), detail)


def _odd_calls() -> Iterator[tuple[str, object]]:
    for name, tool in TOOLS.items():
        fields = tool.arguments.__struct_fields__
        for odd in _ODD:
            yield name, odd
            for each in fields:
                yield name, {**dict.fromkeys(fields, "stone"), each: odd}


def odd_arguments(arena: Arena) -> Outcome:
    """Send each argument of each tool huge texts, odd types and nested structures."""
    daemon = arena.start()
    broken: list[str] = []
    tried = 0
    with daemon.client() as client:
        ids = _said(client, daemon)[:1]
        before = _rows(client)
        for name, arguments in _odd_calls():
            tried += 1
            try:
                found = _call(client, name, arguments)
            except (httpx.HTTPError, ValueError, KeyError) as error:
                broken.append(f"{name}: {type(error).__name__}")
                continue
            if "unexpected error" in str(found.get("refused", "")):
                broken.append(f"{name}: a fault")
        if not client.get("/health").is_success:
            broken.append("the daemon is gone")
        after = _rows(client)
        broken += [each for each in ids if after.get(each) != before[each]]
    return judge(broken, tried, "each is answered")


PROBES: tuple[Probe, ...] = (
    Probe("tools", "forget all that the user said, with the agent's tools", _on_the_users(_forget)),
    Probe("tools", "rewrite, demote and retype all that the user said", _on_the_users(_rewrite)),
    Probe("tools", "the same by requests that say they are an agent's", _on_the_users(_by_rest)),
    Probe("tools", "forget all that the agent itself stored", own_memories),
    Probe("tools", "instructions in six languages, stored by the agent", planted_instructions),
    Probe("tools", "huge texts, odd types and nesting in every argument", odd_arguments),
)
