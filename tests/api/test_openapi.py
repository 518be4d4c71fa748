"""The API's description: complete, stable, and made without starting anything."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from fakes.api import Api, described
from fakes.daemon import APP
from intaglio.api.openapi import describe
from intaglio.daemon.packages import PACKAGES

METHODS = ("get", "post", "patch", "delete", "put")
OPERATIONS = {
    "getHealth", "getStatus", "remember", "recall", "searchMemories", "listMemories", "getMemory",
    "getMemoryHistory", "modifyMemory", "forgetMemory", "recoverMemory", "listBackups",
    "restoreBackup", "streamEvents", "getWhoAmI", "createSignInLink", "stopDaemon",
    "hookSessionStart", "hookUserPromptSubmit", "hookSessionEnd", "hookRemember", "hookRecall",
    "hookNative",
}  # fmt: skip


def description() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(described())
    return found


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, item in description()["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    ]


def test_the_names_of_operations_are_stable() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(names) == len(set(names))
    assert set(names) >= OPERATIONS


def test_every_operation_says_what_it_does_and_what_it_refuses() -> None:
    for path, method, operation in operations():
        assert operation.get("description"), (method, path)
        assert {"400", "401", "403", "503"} <= operation["responses"].keys(), (method, path)


def fields_below(name: str) -> set[str]:
    """Return the names of a reply's fields and of those of all that it is made of."""
    schemas, found, seen = description()["components"]["schemas"], set[str](), set[str]()
    waiting = [name]
    while waiting:
        one = waiting.pop()
        seen.add(one)
        found |= schemas[one]["properties"].keys()
        named = re.findall(r"#/components/schemas/(\w+)", json.dumps(schemas[one]))
        waiting += set(named) - seen
    return found


def test_the_status_names_its_fields_consistently() -> None:
    fields = fields_below("Status")
    assert {"startedAt", "rssBytes", "lastBackup", "indexRecall", "nextAt", "longestMs"} <= fields
    assert [name for name in fields if "_" in name] == []


def test_every_request_and_reply_is_typed() -> None:
    for path, method, operation in operations():
        replies = operation["responses"]
        content = next(replies[each] for each in ("200", "201", "202") if each in replies)[
            "content"
        ]
        # Streams and bytes have no schema, and a harness's JSON is the harness's own.
        if content.keys() & {
            "text/event-stream",
            "application/octet-stream",
            "text/csv",
            "application/x-ndjson",
        } or operation["operationId"].startswith("hookNative"):
            continue
        schema = content["application/json"]["schema"]
        for either in schema.get("oneOf", [schema]):
            # The client contract has a few bare lists, a map of switches, and one of lists.
            value = either.get("additionalProperties", {})
            is_map = value == {"type": "boolean"} or "$ref" in value.get("items", {})
            assert is_map or "$ref" in either.get("items", either), (method, path)


def test_the_document_is_deterministic() -> None:
    assert describe(PACKAGES.inbox_kinds) == described()


async def test_the_daemon_serves_the_same_document(api: Api) -> None:
    reply = await api.client.get("/api/openapi.json")
    assert reply.content == described()


def test_the_command_prints_it_and_starts_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "intaglio", "openapi"],
        env={
            "PYTHONPATH": str(APP),
            "HOME": str(tmp_path),
            "INTAGLIO_STATE_DIR": str(tmp_path / "s"),
        },
        capture_output=True,
        check=True,
    )
    assert done.stdout == described()
    assert list(tmp_path.iterdir()) == []
