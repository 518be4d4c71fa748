"""Servers with OpenAI's chat API: llama.cpp, LM Studio, vLLM, OpenRouter, and OpenAI."""

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
from intaglio.inference.completion.instructions import (
    is_closed,
    system_with_schema,
    user_without_thinking,
)
from intaglio.inference.completion.ports import CompletionRequest
from intaglio.inference.completion.server_backend import ServerBackend
from intaglio.inference.server_http import ExchangeFailure

# Each next form asks less of the server. OpenAI enforces a schema only strictly; llama-cpp-python
# does so with a schema beside the type of plain JSON.
_STRICT: Final = "strict schema"
_SCHEMA: Final = "schema"
_OBJECT_WITH_SCHEMA: Final = "object with schema"
_OBJECT: Final = "object"
_TEXT: Final = "text"

# OpenAI's own address; its models that think, and what they take instead of a temperature.
_OPENAI: Final = "api.openai.com"
_THINKS: Final = ("gpt-5", "o1", "o3", "o4")


class _Part(msgspec.Struct, frozen=True):
    text: str = ""


class _Message(msgspec.Struct, frozen=True):
    content: str | list[_Part] | None = None

    @property
    def text(self) -> str:
        """The reply; some servers send it in parts, what was thought apart from it."""
        if isinstance(self.content, list):
            return "".join(part.text for part in self.content)
        return self.content or ""


class _Choice(msgspec.Struct, frozen=True):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct, frozen=True):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None


class _Problem(msgspec.Struct, frozen=True):
    code: int | str | None = None


class _Reply(msgspec.Struct, frozen=True):
    choices: list[_Choice] = []
    usage: _Usage | None = None
    error: _Problem | None = None


class _Model(msgspec.Struct, frozen=True):
    id: str


class _Models(msgspec.Struct, frozen=True):
    data: list[_Model]


class OpenAiBackend(ServerBackend):
    """Asks a server whose base address usually ends in ``/v1``."""

    optional: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"max_tokens": "max_completion_tokens", "temperature": "", "reasoning_effort": ""}
    )

    @property
    def _headers(self) -> Mapping[str, str]:
        return self._address.bearer

    async def ask(self, request: CompletionRequest) -> BackendOutcome:
        """Chat once; in which form a schema is asked for, depends on what the server accepts."""
        forms = (_TEXT,)
        if request.schema is not None:
            strict = (_STRICT,) if is_closed(request.schema) else ()
            forms = (*strict, _SCHEMA, _OBJECT_WITH_SCHEMA, _OBJECT, _TEXT)
        reply = await self._fallbacks.first_accepted(
            request.schema_name if request.schema else "",
            forms,
            lambda form: self._post("chat/completions", _Reply, self._body(request, form)),
        )
        if isinstance(reply, ExchangeFailure):
            return self._failure(reply)
        if not reply.choices:
            return self._failure(_problem(reply.error))
        (choice, *_) = reply.choices
        usage = reply.usage or _Usage()
        text = choice.message.text
        tokens = counted(request, text, usage.prompt_tokens, usage.completion_tokens, usage.cost)
        return whole_reply(request, text, tokens, cut=choice.finish_reason == "length")

    def _body(self, request: CompletionRequest, form: str) -> dict[str, object]:
        model = self._name.model
        enforced = request.schema is None or form in (_STRICT, _SCHEMA)
        system = request.system if enforced else system_with_schema(request)
        user = user_without_thinking(request, model)
        body: dict[str, object] = {
            "model": model,
            "messages": [
                *([{"role": "system", "content": system}] if system else []),
                {"role": "user", "content": user},
            ],
        }
        own = self._address.host == _OPENAI
        body["max_completion_tokens" if own else "max_tokens"] = request.max_tokens
        if model.rsplit("/", 1)[-1].startswith(_THINKS):
            body["reasoning_effort"] = "low"
        else:
            body["temperature"] = request.temperature
        if form == _OBJECT_WITH_SCHEMA:
            body["response_format"] = {"type": "json_object", "schema": request.schema}
        elif form == _OBJECT:
            body["response_format"] = {"type": "json_object"}
        elif request.schema is not None and enforced:
            schema = {
                "name": request.schema_name,
                "strict": form == _STRICT,
                "schema": request.schema,
            }
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    async def models(self) -> tuple[str, ...] | BackendFailure:
        """List the models that the server has."""
        found = await self._exchange("models", _Models)
        if isinstance(found, ExchangeFailure):
            return self._failure(found)
        return tuple(each.id for each in found.data)


def _problem(error: _Problem | None) -> ExchangeFailure:
    """Read an error that came with status 200, as gateways send it."""
    code = error.code if error else None
    if isinstance(code, int) and code > 0:
        return ExchangeFailure(
            problem="status", detail=f"the model server reports error {code}", status=code
        )
    return ExchangeFailure(problem="malformed", detail="the model server's answer has no reply")
