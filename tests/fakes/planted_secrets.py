"""Requests with a secret in one of their texts, for every text that a request can carry.

The fields are those of the OpenAPI document, so a new one is tried without a line here.
"""

import itertools
import random
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from fakes.mcp import ENDPOINT, tool_call
from intaglio.mcp.schemas import describe
from intaglio.mcp.tool_list import TOOLS

_Schema: TypeAlias = dict[str, Any]

_HEADERS: Final = (
    *("x-signet-actor", "x-signet-actor-type", "x-signet-agent-id", "x-signet-session-id"),
    *("x-signet-request-id", "x-signet-reason", "x-request-id", "x-signet-runtime-path"),
    *("x-intaglio-actor", "x-intaglio-session-id", "x-intaglio-agent-id", "user-agent"),
)
_EVENTS: Final = ("SessionStart", "UserPromptSubmit", "SessionEnd")
_PAYLOAD_FIELDS: Final = (
    *("session_id", "cwd", "transcript_path", "agent_id", "source", "reason", "prompt"),
    "prompt_id",
)
# What ends the daemon, replaces its database or is a credential; native hooks have no schema.
_NEVER: Final = frozenset(
    {"stopDaemon", "restoreBackup", "createSignInLink", "hookNative", "hookNativeOlder"}
)
# What a tool needs beyond what is required, or what it would refuse.
_OWN_ARGUMENTS: Final[Mapping[str, Mapping[str, object]]] = {
    "memory_store": {"content": "The agent's shop has Redis."},
    "memory_modify": {"importance": 0.4},
}


@dataclass(frozen=True, slots=True)
class Planted:
    """A request with a secret in one place: ``operation: field``."""

    where: str
    secret: str
    method: str
    path: str
    body: dict[str, Any]
    query: dict[str, str] = field(default_factory=dict[str, str])
    headers: dict[str, str] = field(default_factory=dict[str, str])
    by_hook: bool = False


def made_up_key(source: random.Random) -> str:
    """Make up a cloud key, in two halves so that no scanner takes this file for a leak."""
    return "AKI" + "A" + "".join(source.choices(string.ascii_uppercase + "234567", k=16))


@dataclass(frozen=True, slots=True)
class Plan:
    """The requests to send to a daemon: its OpenAPI document, a memory and an inbox item in it."""

    document: Mapping[str, Any]
    memory: str
    source: random.Random
    item: str = "unknown"
    entity: str = "unknown"

    def requests(self) -> Iterator[Planted]:
        """Return a request for every text field, parameter and header, and every tool's texts."""
        # While the memory is there.
        yield from self._tools()
        yield from self._bodies()
        for header in _HEADERS:
            key = made_up_key(self.source)
            body = {"content": f"The header {header} is sent."}
            yield Planted(
                f"remember: {header}",
                key,
                "POST",
                "/api/memory/remember",
                body,
                headers={header: f"a-{key}"},
            )
        for event, name in itertools.product(_EVENTS, _PAYLOAD_FIELDS):
            key = made_up_key(self.source)
            payload = {"hook_event_name": event, "session_id": "s-native", "cwd": "/srv/acme"}
            yield Planted(
                f"claude-code {event}: {name}",
                key,
                "POST",
                "/api/hooks/native/claude-code",
                {**payload, name: f"/srv/{key}"},
                by_hook=True,
            )

    def _bodies(self) -> Iterator[Planted]:
        for number, (method, path, operation) in enumerate(self._operations()):
            name = operation["operationId"]
            content = operation.get("requestBody", {}).get("content", {})
            schema = self._resolved(content.get("application/json", {}).get("schema", {}))
            base = self._minimal(schema)
            for text in self._texts(schema):
                # Its own content, or it would be the same memory as another request's.
                own = {"content": f"Shop {number}/{text} has Redis."} if "content" in base else {}
                for as_list in (False, True):
                    key = made_up_key(self.source)
                    value = f"srv/{key}/x"
                    body = base | own | {text: [value] if as_list else value}
                    yield Planted(f"{name}: {text}", key, method, path, body)
            for parameter in map(self._parameter, operation.get("parameters", ())):
                if parameter["in"] == "query":
                    key = made_up_key(self.source)
                    query = {parameter["name"]: f"a-{key}"}
                    yield Planted(
                        f"{name}: ?{parameter['name']}", key, method, path, base, query=query
                    )

    def _tools(self) -> Iterator[Planted]:
        for tool in TOOLS.values():
            schema = describe(tool)["inputSchema"]
            base = {**self._minimal(schema), "session_key": "current"}
            base = {name: base[name] for name in schema["required"]}
            base |= {"id": "unknown"} if tool.removes else {}
            for text in self._texts(schema):
                own = dict(_OWN_ARGUMENTS.get(tool.name, {}))
                key = made_up_key(self.source)
                arguments = base | own | {text: f"{tool.name} srv/{key}/x"}
                body = tool_call(tool.name, arguments)
                yield Planted(f"{tool.name}: {text}", key, "POST", ENDPOINT, body)
        key = made_up_key(self.source)
        body = tool_call("memory_store", {"content": f"Never use srv/{key}/x.", "type": "rule"})
        yield Planted("memory_store: a rule", key, "POST", ENDPOINT, body)
        for name in ("harness", "workspace", "session", "channel"):
            key = made_up_key(self.source)
            body = tool_call("memory_store", {"content": f"Context {name} has Redis."})
            query = {"harness": "opencode", name: f"/srv/{key}"}
            yield Planted(f"mcp: ?{name}", key, "POST", ENDPOINT, body, query=query)

    def _operations(self) -> Iterator[tuple[str, str, _Schema]]:
        for path, operations in self.document["paths"].items():
            for method, operation in operations.items():
                if method != "get" and operation["operationId"] not in _NEVER:
                    target = path.format(
                        memory_id=self.memory,
                        agent_id="reviewer",
                        job_id="1",
                        harness="x",
                        item_id=self.item,
                        statement_id=1,
                        session_id="1",
                        entity_id=self.entity,
                        alias_id="1",
                        change_id="unknown",
                        attribute_id="unknown",
                        commit_hash="a" * 40,
                        stage="hints",
                        import_id="unknown",
                        removal_id="unknown",
                        upload="unknown",
                        target="unknown",
                        action="check-fts",
                        run_id="unknown",
                    )
                    yield method.upper(), target, operation

    def _resolved(self, schema: _Schema) -> _Schema:
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return self._resolved(self.document["components"]["schemas"][name])
        for choices in ("oneOf", "anyOf"):
            for choice in schema.get(choices, ()):
                if choice != {"type": "null"}:
                    return self._resolved(choice)
        return schema

    def _parameter(self, parameter: _Schema) -> _Schema:
        name = parameter.get("$ref", "").rpartition("/")[2]
        described: _Schema = self.document["components"]["parameters"][name] if name else parameter
        return described

    def _texts(self, schema: _Schema) -> list[str]:
        """Return the names of an object's text fields, and of its lists of texts."""
        found: list[str] = []
        for name, each in schema.get("properties", {}).items():
            one = self._resolved(each)
            if _is_text(one) or _is_text(self._resolved(one.get("items", {}))):
                found.append(name)
        return found

    def _minimal(self, schema: _Schema) -> dict[str, Any]:
        """Return a body with what the operations need."""
        known: dict[str, Any] = {
            "content": "The shop uses Redis.",
            "reason": "a test",
            "harness": "opencode",
            "ids": [self.memory],
            "id": self.memory,
            "name": "Reviewer",
            "sessionKey": "s-1",
            "userMessage": "Which cache?",
            "query": "Which cache?",
            "sessionId": "s-1",
            "feedback": {self.memory: 1},
            "ratings": {self.memory: 1},
            "session_id": "s-1",
            "enabled": False,
            "entity_name": "Redis",
        }
        return {name: known[name] for name in known if name in schema.get("properties", {})}


def _is_text(schema: _Schema) -> bool:
    types = schema.get("type", ())
    is_string = types == "string" or (isinstance(types, list) and "string" in types)
    return is_string and "enum" not in schema and "format" not in schema
