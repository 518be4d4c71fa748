"""A secret in any text that a request can carry reaches no file, whatever the field is called.

The fields are those of the OpenAPI document, so a new one is tried without a line here.
"""

import itertools
import json
import random
import string
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, cast

import pytest

from fakes.api import Api, described, running_api

_Schema: TypeAlias = dict[str, Any]
_HEADERS = (
    *("x-signet-actor", "x-signet-actor-type", "x-signet-agent-id", "x-signet-session-id"),
    *("x-signet-session-key", "x-signet-request-id", "x-signet-reason", "x-request-id"),
    *("x-signet-runtime-path", "x-signet-harness", "x-signet-project", "user-agent"),
)
_PAYLOAD = {"hook_event_name": "SessionStart", "session_id": "s-native", "cwd": "/srv/acme"}
_PAYLOAD_FIELDS = ("session_id", "cwd", "transcript_path", "agent_id", "source", "reason", "prompt")
_EVENTS = ("SessionStart", "UserPromptSubmit", "SessionEnd")
_MIN_ACCEPTED = 60
_NEVER = ("stopDaemon", "restoreBackup", "createSignInLink", "hookNative", "hookNativeOlder")


@dataclass(slots=True)
class _Planter:
    """Sends secrets, and knows which one was sent where."""

    api: Api
    memory: str
    sent: dict[str, str] = field(default_factory=dict[str, str])
    accepted: list[str] = field(default_factory=list[str])
    _source: random.Random = field(default_factory=lambda: random.Random(7))  # noqa: S311 - see name

    def secret(self, where: str) -> str:
        """Make up a key, in two halves so that no scanner takes this file for a leak."""
        drawn = "".join(self._source.choices(string.ascii_uppercase + "234567", k=16))
        key = "AKI" + "A" + drawn
        self.sent[key] = where
        return key

    async def send(
        self,
        where: str,
        call: tuple[str, str],
        body: object = None,
        *,
        headers: dict[str, str] | None = None,
        query: dict[str, str] | None = None,
    ) -> None:
        """Send a request, which may be refused but must not fail."""
        reply = await self.api.client.request(
            *call, json=body, params=query, headers=self.api.owner | (headers or {})
        )
        assert reply.status_code < 500, (where, reply.text)
        if reply.is_success:
            self.accepted.append(where)


@pytest.fixture
async def planter(tmp_path: Path) -> AsyncGenerator[_Planter]:
    async with running_api(tmp_path) as api:
        yield _Planter(api, await api.remember("The cache of the shop is Redis."))


def _schemas() -> dict[str, _Schema]:
    return cast("dict[str, _Schema]", json.loads(described())["components"]["schemas"])


def _operations() -> Iterator[tuple[str, str, _Schema]]:
    for path, operations in json.loads(described())["paths"].items():
        for method, operation in operations.items():
            if method != "get" and operation["operationId"] not in _NEVER:
                yield method.upper(), path, operation


def _resolved(schema: _Schema) -> _Schema:
    if "$ref" in schema:
        return _resolved(_schemas()[schema["$ref"].rpartition("/")[2]])
    for choices in ("oneOf", "anyOf"):
        for choice in schema.get(choices, ()):
            if choice != {"type": "null"}:
                return _resolved(choice)
    return schema


def _is_text(schema: _Schema) -> bool:
    types = schema.get("type", ())
    return (
        "enum" not in schema
        and "format" not in schema
        and (types == "string" or (isinstance(types, list) and "string" in types))
    )


def _texts(schema: _Schema) -> list[str]:
    """Return the names of an object's text fields, and of its lists of texts."""
    found: list[str] = []
    for name, each in schema.get("properties", {}).items():
        one = _resolved(each)
        if _is_text(one) or _is_text(_resolved(one.get("items", {}))):
            found.append(name)
    return found


def _minimal(schema: _Schema, memory: str) -> dict[str, Any]:
    """Return a body with the fields that the operations need."""
    known: dict[str, Any] = {
        "content": "The shop uses Redis.",
        "reason": "a test",
        "harness": "opencode",
        "ids": [memory],
        "id": memory,
        "name": "Reviewer",
        "userMessage": "Which cache?",
        "sessionKey": "s-1",
        "sessionId": "s-1",
        "session_id": "s-1",
        "query": "Which cache?",
        "feedback": {memory: 1},
        "ratings": {memory: 1},
        "patches": [],
        "memory_id": memory,
    }
    properties = schema.get("properties", {})
    return {name: value for name, value in known.items() if name in properties}


async def _plant_bodies(planter: _Planter) -> None:
    for number, (method, path, operation) in enumerate(_operations()):
        name = operation["operationId"]
        target = path.format(
            memory_id=planter.memory, agent_id="reviewer", job_id="1", harness="x", name="x"
        )
        content = operation.get("requestBody", {}).get("content", {})
        schema = _resolved(content.get("application/json", {}).get("schema", {}))
        base = _minimal(schema, planter.memory)
        for text in _texts(schema):
            where = f"{name}: {text}"
            # Keys, ids and contents that no other request has, or it is one and the same change.
            fresh = (
                {"content": f"The shop {number}/{text} uses Redis."} if "content" in base else {}
            )
            value: Any = f"srv/{planter.secret(where)}/x"
            for body in ({text: value}, {text: [value]}):
                await planter.send(where, (method, target), base | fresh | body)
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "query":
                where = f"{name}: ?{parameter['name']}"
                query = {parameter["name"]: f"a-{planter.secret(where)}"}
                await planter.send(where, (method, target), base, query=query)


async def _plant_headers(planter: _Planter) -> None:
    for header in _HEADERS:
        where = f"remember: {header}"
        body = {"content": f"The header {header} is sent."}
        value = {header: f"a-{planter.secret(where)}"}
        await planter.send(where, ("POST", "/api/memory/remember"), body, headers=value)


async def _plant_hooks(planter: _Planter) -> None:
    hook = {"authorization": f"Bearer {planter.api.install.hook_token}"}
    for event, text in itertools.product(_EVENTS, _PAYLOAD_FIELDS):
        where = f"claude-code {event}: {text}"
        body = {**_PAYLOAD, "hook_event_name": event, text: f"/srv/{planter.secret(where)}"}
        path = "/api/hooks/native/claude-code"
        await planter.send(where, ("POST", path), body, headers=hook)


def _on_disk(home: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(home.rglob("*")) if file.is_file())


async def test_no_field_of_a_request_stores_a_secret(planter: _Planter, tmp_path: Path) -> None:
    await _plant_bodies(planter)
    await _plant_headers(planter)
    await _plant_hooks(planter)
    await planter.api.kernel.settled()
    written = _on_disk(tmp_path)
    leaked = sorted({where for key, where in planter.sent.items() if key.encode() in written})
    assert leaked == []
    assert b"[redacted:" in written
    assert len(set(planter.accepted)) >= _MIN_ACCEPTED, planter.accepted


async def test_keys_that_differ_only_in_a_secret_stay_two(planter: _Planter) -> None:
    first, second = planter.secret("first"), planter.secret("second")
    one = await planter.api.remember("The build is cached.", idempotencyKey=f"build-{first}")
    two = await planter.api.remember("The tests are cached.", idempotencyKey=f"build-{second}")
    again = await planter.api.remember("The docs are cached.", idempotencyKey=f"build-{first}")
    assert one != two
    assert again == one


@pytest.mark.parametrize("private", [False, True])
async def test_a_memory_is_found_by_the_agent_and_project_that_it_was_saved_with(
    planter: _Planter, *, private: bool
) -> None:
    agent, project = f"a-{planter.secret('agent')}", f"/srv/{planter.secret('project')}"
    scope = {"agentId": agent, "project": project}
    visibility = {"visibility": "private"} if private else {}
    saved = await planter.api.remember("The tea is green.", **scope, **visibility)
    found = await planter.api.recall("Which tea is there?", **scope)
    assert [memory["id"] for memory in found] == [saved]
    listed = await planter.api.client.get("/api/memories", params=scope, headers=planter.api.owner)
    assert [memory["id"] for memory in listed.json()["memories"]] == [saved]
    changed = await planter.api.client.patch(
        f"/api/memory/{saved}",
        json={"content": "The tea is black.", "reason": "x"},
        headers={"x-signet-agent-id": agent},
    )
    assert changed.status_code == 200, changed.text


async def test_a_source_is_recognised_by_the_id_it_was_sent_with(
    planter: _Planter,
) -> None:
    source = {"sourceType": "file", "sourceId": f"notes/{planter.secret('source')}"}
    saved = await planter.api.remember("The door is blue.", **source)
    assert await planter.api.remember("The door is red.", **source) == saved
