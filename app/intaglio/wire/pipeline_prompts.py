"""The requests to a language model that the pipeline would send."""

from typing import Any

from msgspec import Struct


class ShownRequest(Struct, kw_only=True, rename="camel"):
    """A request to a language model as it would be sent, and of which stage and prompt it is.

    `subject` says which messages it is to read. `provider` and `model` are null while none is on.
    `schema` is the JSON Schema of the reply.
    """

    stage: str
    subject: str
    prompt: str
    version: int
    provider: str | None
    model: str | None
    system: str
    user: str
    schema: dict[str, Any] | None
    max_tokens: int
    temperature: float


class ShownRequests(Struct, kw_only=True):
    """The requests that reading a session would cause, in order; none was sent."""

    session: str
    requests: list[ShownRequest]
