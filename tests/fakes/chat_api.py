"""A stand-in for a model API of chat completions: scripted answers, recorded requests."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from fakes.model_api import ToolUse, served

MODEL: Final = "stub-model"
PATH: Final = "/chat/completions"

Answer = Callable[[dict[str, Any]], str | ToolUse]


def _acknowledge(_: dict[str, Any]) -> str:
    return "Understood."


@dataclass
class ChatApi:
    """The running stub; ``requests`` holds the bodies of all requests in order."""

    url: str = ""
    answer: Answer = _acknowledge
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def of_agent(self) -> list[dict[str, Any]]:
        """Return the requests of the agent itself, which alone may use tools."""
        return [body for body in self.requests if body.get("tools")]

    def reply(self, path: str, body: dict[str, Any]) -> tuple[str, bytes]:
        """Answer one POST: content type and bytes."""
        if PATH not in path:
            return "application/json", b"{}"
        self.requests.append(body)
        return "text/event-stream", chat_stream(self.answer(body), len(self.requests))


def chat_stream(answer: str | ToolUse, number: int) -> bytes:
    """Return the events of a streamed answer; ``number`` makes the id of its call of a tool."""
    delta, reason = _delta(answer, number)
    common = {"id": "chat", "object": "chat.completion.chunk", "created": 1, "model": MODEL}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    first = {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}
    last: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": reason}
    chunks = [{**common, "choices": [first]}, {**common, "choices": [last], "usage": usage}]
    lines = [*(json.dumps(chunk) for chunk in chunks), "[DONE]"]
    return "".join(f"data: {line}\n\n" for line in lines).encode()


def _delta(answer: str | ToolUse, number: int) -> tuple[dict[str, Any], str]:
    if isinstance(answer, str):
        return {"content": answer}, "stop"
    function = {"name": answer.name, "arguments": json.dumps(answer.arguments)}
    call = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
    return {"content": None, "tool_calls": [call]}, "tool_calls"


@contextmanager
def chat_api() -> Generator[ChatApi]:
    """Run the stub on a free loopback port while the block runs."""
    api = ChatApi()
    with served(api) as url:
        api.url = f"{url}/v1"
        yield api
