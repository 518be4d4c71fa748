"""Finds the agent that a request names: in its query, its headers or its body."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

import msgspec

from intaglio.api.gate.declaration import Principal
from intaglio.base.agent_id import ID_RULE, agent_in_session_key, is_agent_id
from intaglio.base.errors import InvalidInputError

AGENT_PARAMETERS: Final = ("agentId", "agent_id")
"""The names of the agent in a query or body; clients use both."""

_HEADERS: Final = ("x-signet-agent-id", "x-intaglio-agent-id")
_SESSION_HEADERS: Final = ("x-signet-session-id", "x-intaglio-session-id")
_SESSION_FIELDS: Final = ("sessionKey", "session_key", "sessionId", "session_id")
# A request with more is refused by its endpoint.
_MAX_PATCHES: Final = 200
_patches_in: Final = msgspec.json.Decoder(list[msgspec.Raw]).decode
_NAME_ONCE: Final = "Name the agent once, or by the same id everywhere."


class _AgentFields(msgspec.Struct):
    """The body's fields that may name the agent; all others are ignored."""

    agentId: object = None  # noqa: N815 - the contract's name
    agent_id: object = None
    sessionKey: object = None  # noqa: N815 - see above
    session_key: object = None
    sessionId: object = None  # noqa: N815 - see above
    session_id: object = None
    patches: msgspec.Raw = msgspec.Raw()


@dataclass(frozen=True, slots=True)
class RequestAgent:
    """The agent that a request names; None if it names none."""

    agent_id: str | None


def find_agent(
    principal: Principal, headers: Mapping[str, str], query: str, body: bytes
) -> RequestAgent:
    """Return the agent that a request names, else the one in its session key.

    Query and body take precedence over the headers, which a client may send with every request.
    ``headers`` has lower-case names. Raises InvalidInputError for an invalid id, and for a request
    that names two agents in the same place, or in query and body.
    """
    fields = _AgentFields() if principal is Principal.HARNESS else _read(body)
    name = _only([*_in_query(query), *_in_body(fields)]) or _only([*_in_headers(headers)])
    session = _session(headers, fields if principal is Principal.SESSION else None)
    return RequestAgent(named_agent(name, session))


def named_agent(name: str | None, session_key: str | None) -> str | None:
    """Return the named agent, else the one in ``agent:{id}:{rest}``, else None.

    A blank name counts as missing. Raises InvalidInputError for an invalid id: otherwise another
    agent's memories would be read and written.
    """
    named = (name or "").strip()
    if not named:
        return agent_in_session_key(session_key)
    if not is_agent_id(named):
        raise InvalidInputError("The agent id isn't valid.", hint=f"Use {ID_RULE}.")
    return named


def _only(names: list[str]) -> str | None:
    distinct = list(dict.fromkeys(names))
    if len(distinct) > 1:
        listed = " and ".join(repr(name) for name in distinct)
        raise InvalidInputError(f"The request names two agents: {listed}", hint=_NAME_ONCE)
    return distinct[0] if distinct else None


def _read(body: bytes) -> _AgentFields:
    try:
        return msgspec.json.decode(body, type=_AgentFields) if body else _AgentFields()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # The endpoint can't read it either and will refuse it.
        return _AgentFields()


def _in_query(query: str) -> Iterator[str]:
    for name, value in parse_qsl(query):
        if name in AGENT_PARAMETERS and value.strip():
            yield value.strip()


def _in_headers(headers: Mapping[str, str]) -> Iterator[str]:
    for name in _HEADERS:
        if value := headers.get(name, "").strip():
            yield value


def _in_body(fields: _AgentFields) -> Iterator[str]:
    yield from _names((fields.agentId, fields.agent_id))
    patches = bytes(fields.patches)
    if patches.startswith(b"["):
        for patch in _patches_in(patches)[:_MAX_PATCHES]:
            named = _read(bytes(patch))
            yield from _names((named.agentId, named.agent_id))


def _names(values: "tuple[object, ...] | list[object]") -> Iterator[str]:
    for value in values:
        if value is None:
            continue
        if not isinstance(value, str):
            raise InvalidInputError("agentId must be a text")
        if value.strip():
            yield value.strip()


def _session(headers: Mapping[str, str], fields: _AgentFields | None) -> str | None:
    if fields is not None:
        for name in _SESSION_FIELDS:
            value = getattr(fields, name)
            if isinstance(value, str) and value.strip():
                return value
    return next((headers[name] for name in _SESSION_HEADERS if headers.get(name)), None)
