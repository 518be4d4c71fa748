"""Decodes a JSON body into a struct: strictly, in one pass, with the contract's error texts."""

from functools import lru_cache
from typing import Any

import msgspec
from litestar import Request

from intaglio.api.problems.responses import invalid_json


@lru_cache(maxsize=256)
def _decoder(kind: Any) -> "msgspec.json.Decoder[Any]":  # noqa: ANN401 - any type of a handler
    return msgspec.json.Decoder(kind)


class JsonRequest(Request[Any, Any, Any]):
    """A request whose body is decoded directly into the type its handler declares.

    The framework would decode to plain values first and convert them leniently.
    """

    async def json(self) -> Any:  # noqa: ANN401 - typed by the handler's own signature
        """Return the body as the type of the handler's ``data``."""
        field = self.route_handler.parsed_data_field
        kind: Any = field.raw if field is not None else Any
        try:
            return _decoder(kind).decode(await self.body())
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise invalid_json(error) from error
