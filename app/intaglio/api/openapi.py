"""The API's own description, OpenAPI 3.1, built from the handlers when somebody asks for it."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from litestar import Controller, Litestar
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig

from intaglio import __version__
from intaglio.api.problems.responses import PROBLEM_TYPE
from intaglio.wire.problem import Problem

_REFERENCE: Final = "#/components/{kind}/{name}"
_EVERY: Final = {
    "400": "Invalid request.",
    "401": "A proof of who asks is missing or wrong.",
    "403": "The asker may not do this.",
    "404": "There is no such thing.",
    "408": "The request did not come in time.",
    "413": "The body, or a text in it, is too large.",
    "414": "The query string is too long.",
    "503": "The daemon cannot do this now; `detail` says why.",
}
_CHANGES: Final = {
    "409": "It is not in the state that the request expects.",
    "429": "Too many of these from one actor; `retryAfter` says until when.",
}


async def _no_services() -> None:
    """Stand in for the services, which a description does not need."""


def describe(controllers: Sequence[type[Controller]]) -> bytes:
    """Return the description as indented JSON with a line end; nothing is started for it."""
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
    _add_refusals(document)
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _add_refusals(document: dict[str, Any]) -> None:
    """Say of every operation what it may refuse; each refusal is written once, and referred to."""
    template = _REFERENCE.format(kind="schemas", name="{name}")
    _, schemas = msgspec.json.schema_components([Problem], ref_template=template)
    components = document.setdefault("components", {})
    components.setdefault("schemas", {}).update(schemas)
    components["responses"] = {
        status: {
            "description": text,
            "content": {PROBLEM_TYPE: {"schema": {"$ref": template.format(name="Problem")}}},
        }
        for status, text in (_EVERY | _CHANGES).items()
    }
    for operations in document["paths"].values():
        for method, operation in operations.items():
            refused = _EVERY if method == "get" else _EVERY | _CHANGES
            operation["responses"] |= {
                status: {"$ref": _REFERENCE.format(kind="responses", name=status)}
                for status in refused
            }
