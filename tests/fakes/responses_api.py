"""A stand-in for the Responses API that Codex talks to: scripted answers, recorded requests."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from fakes.model_api import ToolUse, served

PATCH_TOOL: Final = "apply_patch"

Answer = Callable[[dict[str, Any]], str | ToolUse]


def _acknowledge(_: dict[str, Any]) -> str:
    return "Understood."


def _item(answer: str | ToolUse, number: int) -> dict[str, Any]:
    if isinstance(answer, str):
        content = [{"type": "output_text", "text": answer}]
        return {
            "type": "message",
            "id": f"msg_{number}",
            "role": "assistant",
            "content": content,
        }
    ids = {"id": f"call_{number}", "call_id": f"call_{number}"}
    server, _, tool = answer.name.rpartition("/")
    if tool == PATCH_TOOL:
        return {"type": "custom_tool_call", **ids, "name": tool, "input": answer.arguments["patch"]}
    space = {"namespace": server} if server else {}
    arguments = json.dumps(answer.arguments)
    return {"type": "function_call", **ids, **space, "name": tool, "arguments": arguments}


@dataclass
class ResponsesApi:
    """The running stub; ``requests`` holds the bodies of all requests for a response in order.

    ``tokens`` is what each response says of the conversation's length. Tools of an MCP server are
    called by ``namespace/tool``.
    """

    url: str = ""
    answer: Answer = _acknowledge
    tokens: int = 15
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def sent(self) -> str:
        """Return all that the client sent to the model, as JSON text with plain characters."""
        return "\n".join(json.dumps(body, ensure_ascii=False) for body in self.requests)

    def reply(self, path: str, body: dict[str, Any]) -> tuple[str, bytes]:
        """Answer one POST: content type and bytes."""
        if not path.startswith("/v1/responses"):
            return "application/json", b"{}"
        self.requests.append(body)
        number = len(self.requests)
        usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": self.tokens}
        item = _item(self.answer(body), number)
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": {"id": f"resp_{number}"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": f"resp_{number}", "usage": usage}},
        ]
        return "text/event-stream", b"".join(
            f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events
        )


@contextmanager
def responses_api(answer: Answer = _acknowledge) -> Generator[ResponsesApi]:
    """Run the stub on a free loopback port while the block runs."""
    api = ResponsesApi(answer=answer)
    with served(api) as api.url:
        yield api
