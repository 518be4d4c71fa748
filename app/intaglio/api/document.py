"""The API's own description, OpenAPI 3.1, built from the handlers when somebody asks for it."""

from collections.abc import Sequence

import msgspec
from litestar import Litestar
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.types import ControllerRouterHandler

from intaglio import __version__


async def _no_services() -> None:
    """Stand in for the services, which a description does not need."""


def describe(controllers: Sequence[ControllerRouterHandler]) -> bytes:
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
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"
