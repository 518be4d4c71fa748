"""Requests that name an agent, to every operation that acts for one, wherever it may be named."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Final

from fakes.api import INSTALL
from fakes.streams import ENDLESS
from intaglio.api.app import Application
from intaglio.api.gate.declaration import Access, Principal
from intaglio.api.gate.routes import Route
from intaglio.lifecycle.values import token_of

SPELLINGS: Final = ("agentId", "agent_id", "x-signet-agent-id", "body agentId", "body agent_id")
WORDS: Final = {"ann": "zebra-of-ann", "default": "zebra-of-default"}
"""A word of each agent's private memories."""

SESSION_NUMBERS: Final = {"default": "1", "ann": "2"}
"""The session of each agent in which its private memories were saved."""

HOOK: Final = {"harness": "openclaw"}
# What reads by POST. Every memory speaks of granite.
READS: Final[Mapping[str, Mapping[str, object]]] = {
    "previewSession": {"prompt": "what of the granite?"},
    "recall": {"query": "granite"},
    "forgetMemories": {"mode": "preview", "query": "granite"},
    "forgetSession": {"mode": "preview"},
    "expandEntity": {"entity": "quarry"},
    "hookRecall": {**HOOK, "query": "granite"},
    "hookSessionStart": {**HOOK, "sessionKey": "s"},
    "hookUserPromptSubmit": {**HOOK, "sessionKey": "s", "userMessage": "what of the granite?"},
    "hookSessionEnd": {**HOOK, "sessionKey": "s"},
    "hookPreCompaction": {**HOOK, "sessionKey": "s"},
    "hookNative": {"hook_event_name": "SessionStart", "session_id": "n", "source": "startup"},
    "hookNativeOlder": {"hook_event_name": "SessionStart", "session_id": "o", "source": "startup"},
}


GRAPH_BODIES: Final[Mapping[str, dict[str, Any]]] = {
    "pinEntity": {},
    "unpinEntity": {},
    "suppressEntity": {},
    "unsuppressEntity": {},
    "removeAlias": {},
    "undoEntityChange": {},
    "changeEntity": {"name": "stolen", "description": "stolen"},
    "mergeEntity": {"into": "unknown"},
    "splitEntity": {"name": "stolen", "memoryIds": ["unknown"]},
    "addAlias": {"alias": "stolen"},
    "changeAttribute": {"status": "deleted"},
}
"""What changes an entity or a fact of it, which the path names."""


@cache
def all_routes() -> tuple[tuple[str, str, Route], ...]:
    """List the method, the path and the route of every operation."""
    return tuple(Application().routes.all())


def operation_of(route: Route) -> str:
    """Return an operation's id; the contract's older paths have none."""
    return str(route.handler.operation_id or "")


@dataclass(frozen=True, slots=True)
class AgentRequest:
    """One request; ``operation`` is its operation's id."""

    operation: str
    method: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str]
    content: bytes

    @property
    def sent(self) -> dict[str, Any]:
        """The arguments of a client's ``request``."""
        return {
            "method": self.method,
            "url": self.path,
            "params": self.params,
            "headers": self.headers,
            "content": self.content,
        }


def named_request(  # noqa: PLR0913 - what a request consists of
    operation: str,
    method: str,
    path: str,
    agent: str,
    spelling: str,
    *,
    query: Mapping[str, str] | None = None,
    body: Mapping[str, object] | None = None,
) -> AgentRequest:
    """Return a request that names the agent in this spelling."""
    params, sent, headers = dict(query or {}), dict(body or {}), dict[str, str]()
    where, _, name = spelling.rpartition(" ")
    # A harness's own body isn't read for names.
    if where == "body" and not operation.startswith("hookNative"):
        sent[name] = agent
    elif name.startswith("x-"):
        headers[name] = agent
    else:
        params[name] = agent
    content = json.dumps(sent).encode() if sent else b""
    return AgentRequest(operation, method, path, params, headers, content)


@dataclass(slots=True)
class PrivateMemories:
    """The ids of the agents' private memories, live and forgotten, and of one for everyone.

    ``items`` are inbox items about private memories. ``graph`` has the ids of the entity that only
    the agent's private memories are about, and of what hangs below it, by their names in paths.
    """

    everyone: str = ""
    live: dict[str, str] = field(default_factory=dict[str, str])
    gone: dict[str, str] = field(default_factory=dict[str, str])
    items: dict[str, str] = field(default_factory=dict[str, str])
    graph: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])

    def reads(self, owner: str, agent: str, spelling: str) -> Iterator[AgentRequest]:
        """Yield what reads, aimed at a memory of the owner."""
        of = {"memory_id": self.live[owner], "job_id": "1", "agent_id": "ann"}
        of |= {"item_id": self.items[owner], "session_id": SESSION_NUMBERS[owner]}
        of |= self.graph.get(owner, {})
        own = {"q": "granite", "id": self.everyone, "prefix": self.live[owner][:12], "k": "10"}
        own["suffix"] = self.live[owner][-8:]
        for method, path, route in all_routes():
            operation = operation_of(route)
            if operation in ENDLESS or (method != "GET" and operation not in READS):
                continue
            address = re.sub(r"\{(\w+)[^}]*\}", lambda name: of.get(name[1], "claude-code"), path)
            query = {name: value for name, value in own.items() if name in route.parameters.all()}
            if route.declaration.principal is Principal.NOBODY:
                yield AgentRequest(operation, method, address, query, {}, b"")
                continue
            body = READS.get(operation)
            made = named_request(
                operation, method, address, agent, spelling, query=query, body=body
            )
            yield _as_page(made, route)

    def writes(self, owner: str, agent: str, spelling: str) -> Iterator[AgentRequest]:
        """Yield what changes memories, aimed at those of the owner."""
        why = {"reason": "a test"}
        for memory_id in (self.live[owner], self.gone[owner]):
            bodies = write_bodies(memory_id, self.items[owner])
            for method, path, route in all_routes():
                operation = operation_of(route)
                if operation not in bodies:
                    continue
                of = {"memory_id": memory_id, "item_id": self.items[owner]}
                of |= {"session_id": SESSION_NUMBERS[owner], **self.graph.get(owner, {})}
                address = re.sub(r"\{(\w+)[^}]*\}", partial(_named_part, of), path)
                body = {**bodies[operation], **why}
                made = named_request(operation, method, address, agent, spelling, body=body)
                yield _as_page(made, route)


def _named_part(of: Mapping[str, str], name: re.Match[str]) -> str:
    return of.get(name[1], "unknown")


def _as_page(made: AgentRequest, route: Route) -> AgentRequest:
    """Return the request as an owner makes it, if programs may not."""
    if route.declaration.access is not Access.BROWSER:
        return made
    return replace(made, headers={**made.headers, "authorization": f"Bearer {INSTALL.token}"})


def write_bodies(memory_id: str, item_id: str) -> dict[str, dict[str, Any]]:
    """Return what changes a memory, by operation; the memory is in the path or in the body.

    The inbox item is about two memories.
    """
    return {
        "modifyMemory": {"content": "stolen"},
        "forgetMemory": {},
        "recoverMemory": {},
        "reinstateMemory": {},
        "retireMemory": {},
        "modifyMemories": {"patches": [{"id": memory_id, "content": "stolen"}]},
        "recoverMemories": {"ids": [memory_id]},
        "rateMemories": {"sessionKey": "s", "feedback": {memory_id: 1}},
        "forgetMemories": {"mode": "execute", "ids": [memory_id], "force": True},
        "decideInboxItem": {"action": "newer_wins"},
        "decideInboxItems": {"ids": [item_id], "action": "newer_wins"},
        "undoInboxDecisions": {"ids": [item_id]},
        "forgetSession": {"mode": "execute", "confirmToken": token_of(())},
        "keepConsideredStatement": {},
        "bypassSession": {"enabled": True},
        **GRAPH_BODIES,
        "splitEntity": {"name": "stolen", "memoryIds": [memory_id]},
    }
