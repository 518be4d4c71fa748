"""The port for language models, and its outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

CompletionFailure: TypeAlias = Literal[
    "closed", "refused", "rate_limited", "resting", "timeout", "too_long", "unreachable", "unusable"
]
"""Why there is no completion.

``refused`` is any other error of the server or the program, ``resting`` the time after too many
failures, during which nothing is called, ``too_long`` a reply beyond the limit, ``unusable`` a
configuration that can't work, such as a program that isn't installed.
"""


@dataclass(frozen=True, slots=True)
class ModelName:
    """A language model: who runs it, and what that one calls it."""

    provider: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """What a language model is asked.

    ``schema`` is the JSON Schema of the reply, which servers that can do so enforce; None asks for
    plain text. ``schema_name`` is a short identifier of it. ``max_tokens`` limits the reply.
    """

    system: str
    user: str
    schema: Mapping[str, object] | None = None
    schema_name: str = "reply"
    max_tokens: int = 2_000
    temperature: float = 0.1


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """The tokens that were read and written; ``estimated`` where the server doesn't count.

    ``cost_usd`` is what the provider says that it cost, None where it says nothing.
    """

    read: int
    written: int
    estimated: bool = False
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Completed:
    """A reply as the model wrote it; ``attempts`` counts the requests that it took."""

    text: str
    tokens: TokenCounts
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class NotCompleted:
    """No reply, and why; ``detail`` never holds what was asked, nor the server's own text.

    ``tokens`` are those that were used all the same. ``retry_after_s`` is what the server asks for.
    """

    reason: CompletionFailure
    detail: str
    tokens: TokenCounts = TokenCounts(0, 0)
    attempts: int = 1
    retry_after_s: float = 0.0


class Completion(Protocol):
    """Asks a language model."""

    @property
    def name(self) -> ModelName:
        """The model; known without calling it."""
        ...

    @property
    def rest_s(self) -> float:
        """In how many seconds it may be called again; 0 if it may now."""
        ...

    async def complete(
        self, request: CompletionRequest, *, timeout_s: float
    ) -> Completed | NotCompleted:
        """Ask once, retries included; a reply that takes longer than ``timeout_s`` fails.

        Raises RuntimeError inside a write transaction.
        """
        ...

    async def models(self, *, timeout_s: float) -> tuple[str, ...] | NotCompleted:
        """List the models that the server or program offers; empty if it can't tell."""
        ...

    async def close(self) -> None:
        """Cancel what is running and release everything; later calls return ``closed``."""
        ...
