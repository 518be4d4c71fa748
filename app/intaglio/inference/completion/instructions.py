"""What a request says besides its prompt: the reply's schema, and not to think aloud."""

from collections.abc import Mapping
from typing import Final, cast

import msgspec

from intaglio.inference.completion.ports import CompletionRequest

# Model names that begin so understand /no_think, unless one of the other words stands in them.
_KNOW_NO_THINK: Final = ("qwen3", "smollm3")
_DO_NOT: Final = ("coder", "instruct", "thinking", "qwen3.5", "qwen3-next", "-vl")


def system_with_schema(request: CompletionRequest) -> str:
    """Return the system prompt with the reply's schema, for servers that don't enforce it."""
    if request.schema is None:
        return request.system
    schema = msgspec.json.encode(request.schema).decode()
    return (
        f"{request.system}\n\nReply with one JSON value that matches this JSON Schema, and with "
        f"nothing else: no explanation, no code fence.\n{schema}"
    ).lstrip()


def user_without_thinking(request: CompletionRequest, model: str) -> str:
    """Return the user's text, with /no_think at its end if the model knows it."""
    name = model.lower().rsplit("/", 1)[-1]
    known = name.startswith(_KNOW_NO_THINK) and not any(each in name for each in _DO_NOT)
    return f"{request.user}\n/no_think" if known else request.user


def is_closed(schema: object) -> bool:
    """Whether every object of a schema lists all its properties as required and allows no others.

    Some servers enforce only such schemas strictly, and refuse to do so with others.
    """
    if isinstance(schema, list):
        return all(is_closed(each) for each in cast("list[object]", schema))
    if not isinstance(schema, Mapping):
        return True
    fields = cast("Mapping[str, object]", schema)
    properties = fields.get("properties")
    if fields.get("type") == "object" or isinstance(properties, Mapping):
        named = set(cast("Mapping[str, object]", properties or {}))
        required = set(cast("list[str]", fields.get("required", [])))
        if fields.get("additionalProperties") is not False or named != required:
            return False
    return all(is_closed(each) for each in fields.values())
