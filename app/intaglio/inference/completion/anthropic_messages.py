"""Anthropic's messages API."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Final

import msgspec

from intaglio.inference.completion.backend import (
    BackendFailure,
    BackendOutcome,
    counted,
    whole_reply,
)
from intaglio.inference.completion.instructions import system_with_schema
from intaglio.inference.completion.ports import CompletionRequest, TokenCounts
from intaglio.inference.completion.server_backend import ServerBackend
from intaglio.inference.server_http import ExchangeFailure

_VERSION: Final = "2023-06-01"
_TOOL: Final = "tool"
_TEXT: Final = "text"


class _Block(msgspec.Struct, frozen=True):
    type: str
    text: str = ""
    input: msgspec.Raw = msgspec.Raw(b"")


class _Usage(msgspec.Struct, frozen=True):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None

    @property
    def read(self) -> int | None:
        """All tokens that were read, from the cache or not."""
        if self.input_tokens is None:
            return None
        cached = (self.cache_creation_input_tokens or 0) + (self.cache_read_input_tokens or 0)
        return self.input_tokens + cached


class _Reply(msgspec.Struct, frozen=True):
    content: list[_Block]
    stop_reason: str | None = None
    usage: _Usage = _Usage()


class _Model(msgspec.Struct, frozen=True):
    id: str


class _Models(msgspec.Struct, frozen=True):
    data: list[_Model]


class AnthropicBackend(ServerBackend):
    """Asks a Claude model.

    The schema is that of a tool which the model must call: all models can, while a beginning of the
    reply that is put into its mouth is refused by newer ones. The call is the reply; nothing runs.
    """

    optional: ClassVar[Mapping[str, str]] = MappingProxyType({"temperature": ""})

    @property
    def _headers(self) -> Mapping[str, str]:
        key = self._address.key
        return {"anthropic-version": _VERSION, **({"x-api-key": key} if key else {})}

    async def ask(self, request: CompletionRequest) -> BackendOutcome:
        """Send one message."""
        schema = request.schema
        reply = await self._fallbacks.first_accepted(
            request.schema_name if schema else "",
            (_TOOL, _TEXT) if schema and schema.get("type") == "object" else (_TEXT,),
            lambda form: self._post("v1/messages", _Reply, self._body(request, form)),
        )
        if isinstance(reply, ExchangeFailure):
            return self._failure(reply)
        text = _text(reply)
        tokens = counted(request, text, reply.usage.read, reply.usage.output_tokens)
        cut = reply.stop_reason == "max_tokens"
        if cut and any(block.type == "tool_use" for block in reply.content):
            # What was written of the call comes as if it were whole.
            return _cut(request, tokens)
        return whole_reply(request, text, tokens, cut=cut)

    def _body(self, request: CompletionRequest, form: str) -> dict[str, object]:
        as_tool = form == _TOOL
        system = request.system if as_tool else system_with_schema(request)
        body: dict[str, object] = {
            "model": self._name.model,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            **({"system": system} if system else {}),
            "messages": [{"role": "user", "content": request.user}],
        }
        if as_tool:
            description = "Takes your reply. Call it once, with all that you have to say."
            tool = {"name": request.schema_name, "description": description}
            body["tools"] = [{**tool, "input_schema": request.schema}]
            body["tool_choice"] = {"type": "tool", "name": request.schema_name}
        return body

    async def models(self) -> tuple[str, ...] | BackendFailure:
        """List the models that the key may use."""
        found = await self._exchange("v1/models?limit=1000", _Models)
        if isinstance(found, ExchangeFailure):
            return self._failure(found)
        return tuple(each.id for each in found.data)


def _text(reply: _Reply) -> str:
    """Return what the tool was called with, else what the model said."""
    for block in reply.content:
        if block.type == "tool_use":
            return bytes(block.input).decode("utf-8", "replace")
    return "".join(block.text for block in reply.content if block.type == "text")


def _cut(request: CompletionRequest, tokens: TokenCounts) -> BackendFailure:
    detail = f"the reply was cut at its limit of {request.max_tokens} tokens"
    return BackendFailure(reason="too_long", detail=detail, tokens=tokens)
