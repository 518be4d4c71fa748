"""Builds the OpenAPI 3.1 document from the handlers, on demand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import msgspec
from litestar import Controller, Litestar
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig

from intaglio import __version__
from intaglio.api.controllers import CONTROLLERS
from intaglio.api.gate.declaration import Declaration, Principal, declared
from intaglio.api.gate.routes import handlers_of
from intaglio.api.problems.responses import PROBLEM_TYPE
from intaglio.inbox.kinds import InboxKinds
from intaglio.wire.inbox import ACTION, KIND, USER_ACTION, InboxCounts
from intaglio.wire.problem import Problem

_REFERENCE: Final = "#/components/{kind}/{name}"
_AGENT: Final = {
    "name": "agentId",
    "in": "query",
    "required": False,
    "description": (
        "The agent that the request acts for, which the body's `agentId` or the header "
        "`x-signet-agent-id` may name instead; two different names are refused."
    ),
    "schema": {"type": "string", "maxLength": 128},
}
_INTEGER: Final = {"type": "integer"}
_NUMBER: Final = {"type": "number"}
_COMMON_ERRORS: Final = {
    "400": "Invalid request.",
    "401": "Credentials are missing or wrong.",
    "403": "The caller isn't allowed to do this.",
    "404": "Not found.",
    "408": "The request took too long to arrive.",
    "413": "The body, or a text in it, is too large.",
    "414": "The query string is too long.",
    "503": "The daemon can't do this right now; `detail` says why.",
}
_WRITE_ERRORS: Final = {
    "409": "The resource isn't in the state the request expects.",
    "429": "Too many requests from this actor; `retryAfter` says when to try again.",
}


async def _no_services() -> None:
    """Stand in for the services, which the document doesn't need."""


def describe(kinds: InboxKinds, controllers: Sequence[type[Controller]] = CONTROLLERS) -> bytes:
    """Return the document as indented JSON with a final newline, without starting anything."""
    app = Litestar(
        controllers,
        dependencies={"services": Provide(_no_services)},
        openapi_config=OpenAPIConfig(
            title="Intaglio",
            version=__version__,
            description="The local HTTP API of Intaglio. All times are ISO-8601 UTC.",
            use_handler_docstrings=True,
        ),
        logging_config=None,
    )
    document = app.openapi_schema.to_schema()
    declarations = {
        str(handler.operation_id): found
        for each in controllers
        for handler in handlers_of(each)
        if (found := declared(handler.opt)) is not None
    }
    _add_agent_parameter(document, declarations)
    _add_byte_bodies(document, declarations)
    _add_inbox_kinds(document, kinds)
    _part_numbers(document)
    _add_error_responses(document)
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for operations in document["paths"].values():
        yield from operations.values()


def _add_agent_parameter(document: dict[str, Any], declarations: Mapping[str, Declaration]) -> None:
    """Add the agent's parameter to every operation that acts for one."""
    document.setdefault("components", {})["parameters"] = {"agentId": _AGENT}
    for operation in _operations(document):
        found = declarations.get(operation["operationId"])
        if found is not None and found.principal is not Principal.NOBODY:
            name = _REFERENCE.format(kind="parameters", name="agentId")
            operation.setdefault("parameters", []).append({"$ref": name})


def _add_byte_bodies(document: dict[str, Any], declarations: Mapping[str, Declaration]) -> None:
    """Describe the bodies that aren't JSON."""
    for operation in _operations(document):
        found = declarations.get(operation["operationId"])
        if found is not None and not found.is_json:
            content = {found.media_type: {"schema": {"type": "string"}}}
            operation["requestBody"] = {"required": True, "content": content}


def _add_inbox_kinds(document: dict[str, Any], kinds: InboxKinds) -> None:
    """List the kinds of inbox items and their actions where a format stands for them."""
    values = {KIND: kinds.names, USER_ACTION: kinds.user_actions, ACTION: kinds.actions}

    def fill(node: Any) -> None:  # noqa: ANN401 - a part of a JSON document
        match node:
            case {"oneOf": _, "format": str(name)} if name in values:
                node.clear()
                node |= {"type": ["null", "string"], "enum": [*values[name], None]}
            case {"type": "string", "format": str(name)} if name in values:
                del node["format"]
                node["enum"] = list(values[name])
            case dict():
                for each in cast("dict[str, Any]", node).values():
                    fill(each)
            case [*items]:
                for each in items:
                    fill(each)
            case _:
                pass

    fill(document)
    counts = document["components"]["schemas"].get(InboxCounts.__name__)
    if counts is not None:
        counts["properties"] |= {name: {"type": "integer"} for name in kinds.names}
        counts["required"] = sorted(counts["properties"])


def _part_numbers(node: Any) -> None:  # noqa: ANN401 - a part of a JSON document
    """Leave integers out where any number fits: one of several schemas must fit, not two."""
    match node:
        case {"oneOf": [*kinds]} if _INTEGER in kinds and _NUMBER in kinds:
            node["oneOf"] = [each for each in kinds if each != _INTEGER]
        case dict():
            for each in cast("dict[str, Any]", node).values():
                _part_numbers(each)
        case [*items]:
            for each in items:
                _part_numbers(each)
        case _:
            pass


def _add_error_responses(document: dict[str, Any]) -> None:
    """Add the shared error responses to every operation, as references to one definition each."""
    template = _REFERENCE.format(kind="schemas", name="{name}")
    _, schemas = msgspec.json.schema_components([Problem], ref_template=template)
    components = document.setdefault("components", {})
    components.setdefault("schemas", {}).update(schemas)
    components["responses"] = {
        status: {
            "description": text,
            "content": {PROBLEM_TYPE: {"schema": {"$ref": template.format(name="Problem")}}},
        }
        for status, text in (_COMMON_ERRORS | _WRITE_ERRORS).items()
    }
    for operations in document["paths"].values():
        for method, operation in operations.items():
            # A handler that only reads declares those of the others that it has.
            writes = operation["responses"] if method == "get" else _WRITE_ERRORS
            operation["responses"] |= {
                status: {"$ref": _REFERENCE.format(kind="responses", name=status)}
                for status in (*_COMMON_ERRORS, *(each for each in _WRITE_ERRORS if each in writes))
            }
