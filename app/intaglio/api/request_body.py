"""Decodes a JSON body into a struct: strictly, in one pass, with the contract's error texts."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, get_args

import msgspec
from litestar import Request
from litestar.handlers import BaseRouteHandler

from intaglio.api.gate.declaration import declared
from intaglio.api.gate.request_names import refuse_unknown
from intaglio.api.problems.responses import invalid_json
from intaglio.api.signet.hook_structs import HookRecallRequest, HookRememberRequest
from intaglio.base.arguments.lenient_arguments import read_arguments
from intaglio.base.errors import InvalidInputError
from intaglio.wire.memory import FilterRequest

# What agents fill in, through their plugins: read as the tools of MCP are.
_FROM_AGENTS: Final[tuple[type[msgspec.Struct], ...]] = (HookRecallRequest, HookRememberRequest)


@lru_cache(maxsize=256)
def _decoder(kind: Any) -> "msgspec.json.Decoder[Any]":  # noqa: ANN401 - any type of a handler
    return msgspec.json.Decoder(kind)


def _types_in(kind: Any) -> Iterator[type]:  # noqa: ANN401 - see above
    """Yield the classes of a union, or of an annotated one."""
    if isinstance(kind, type):
        yield kind
    else:
        for each in get_args(kind):
            yield from _types_in(each)


_fields_of = msgspec.json.Decoder(dict[str, msgspec.Raw])


def _refuse_unknown_fields(
    kind: Any,  # noqa: ANN401 - see above
    body: bytes,
    handler: BaseRouteHandler,
) -> None:
    for each in _types_in(kind):
        if not issubclass(each, FilterRequest):
            continue
        try:
            sent = _fields_of.decode(body)
        except msgspec.ValidationError:
            # Not an object, perhaps null, which some endpoints take.
            return
        known = [field.encode_name for field in msgspec.structs.fields(each)]
        refuse_unknown("field", sent, known, declared(handler.opt), handler)


def _read_as_sent(body: object, kind: type[msgspec.Struct]) -> msgspec.Struct:
    """Read what an agent filled in; raises InvalidInputError instead of using another number."""
    read = read_arguments(body, kind)
    if read.limited:
        raise InvalidInputError(
            "; ".join(f"{name} must be {accepted}" for name, accepted in read.limited.items())
        )
    return read.arguments


class JsonRequest(Request[Any, Any, Any]):
    """A request whose body is decoded directly into the type its handler declares.

    The framework would decode to plain values first and convert them leniently. Only what agents
    fill in is read again if it doesn't fit.
    """

    async def json(self) -> Any:  # noqa: ANN401 - typed by the handler's own signature
        """Return the body as the type of the handler's ``data``."""
        field = self.route_handler.parsed_data_field
        kind: Any = field.raw if field is not None else Any
        try:
            body = await self.body()
            _refuse_unknown_fields(kind, body, self.route_handler)
            try:
                return _decoder(kind).decode(body)
            except msgspec.ValidationError:
                read_as = [each for each in _FROM_AGENTS if each in _types_in(kind)]
                if not read_as:
                    raise
                return _read_as_sent(msgspec.json.decode(body), read_as[0])
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise invalid_json(error) from error
