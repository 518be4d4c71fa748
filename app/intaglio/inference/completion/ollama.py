"""Ollama, with its own format of requests and replies."""

from collections.abc import Mapping
from typing import Final

import msgspec

from intaglio.inference.completion.backend import (
    BackendFailure,
    BackendOutcome,
    counted,
    whole_reply,
)
from intaglio.inference.completion.instructions import system_with_schema, user_without_thinking
from intaglio.inference.completion.ports import CompletionRequest
from intaglio.inference.completion.server_backend import ServerBackend
from intaglio.inference.server_http import ExchangeFailure

# Each next form asks less of the server; old ones know neither schemas nor `think`.
_FORMS: Final = ("schema", "schema, thinking as it likes", "json", "text")


class _Message(msgspec.Struct, frozen=True):
    content: str = ""


class _Reply(msgspec.Struct, frozen=True):
    message: _Message
    done_reason: str | None = None
    prompt_eval_count: int | None = None
    eval_count: int | None = None


class _Model(msgspec.Struct, frozen=True):
    name: str


class _Models(msgspec.Struct, frozen=True):
    models: list[_Model]


class OllamaBackend(ServerBackend):
    """Asks a model in Ollama; the base address is Ollama's, without a path."""

    @property
    def _headers(self) -> Mapping[str, str]:
        return self._address.bearer

    async def ask(self, request: CompletionRequest) -> BackendOutcome:
        """Chat once; a schema is enforced by the grammar that Ollama makes of it."""
        reply = await self._fallbacks.first_accepted(
            request.schema_name if request.schema else "",
            _FORMS if request.schema else ("text",),
            lambda form: self._exchange("api/chat", _Reply, self._body(request, form)),
        )
        if isinstance(reply, ExchangeFailure):
            return self._failure(reply)
        text = reply.message.content
        tokens = counted(request, text, reply.prompt_eval_count, reply.eval_count)
        return whole_reply(request, text, tokens, cut=reply.done_reason == "length")

    def _body(self, request: CompletionRequest, form: str) -> dict[str, object]:
        model = self._name.model
        enforced = form.startswith("schema") or request.schema is None
        body: dict[str, object] = {
            "model": model,
            "stream": False,
            "messages": [
                {
                    "role": "system",
                    "content": request.system if enforced else system_with_schema(request),
                },
                {"role": "user", "content": user_without_thinking(request, model)},
            ],
            "options": {"temperature": request.temperature, "num_predict": request.max_tokens},
        }
        if form == "json":
            body["format"] = "json"
        elif form.startswith("schema"):
            body["format"] = request.schema
        if form == "schema" or request.schema is None:
            body["think"] = False
        return body

    async def models(self) -> tuple[str, ...] | BackendFailure:
        """List the models that were pulled."""
        found = await self._exchange("api/tags", _Models)
        if isinstance(found, ExchangeFailure):
            return self._failure(found)
        return tuple(each.name for each in found.models)
