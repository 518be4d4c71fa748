"""What a provider's adapter does: one request, without retries, deadline or rest."""

import math
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from intaglio.inference.completion.json_reply import parse_json
from intaglio.inference.completion.ports import (
    CompletionFailure,
    CompletionRequest,
    ModelName,
    TokenCounts,
)

NO_TOKENS = TokenCounts(0, 0)
_BYTES_OF_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class BackendReply:
    """A reply as the model wrote it."""

    text: str
    tokens: TokenCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendFailure:
    """Why a request failed.

    ``passing``: the same request may succeed in a moment. ``permanent``: no request will succeed
    until the user changes something. ``retry_after_s`` is what the server asks for.
    """

    reason: CompletionFailure
    detail: str
    passing: bool = False
    permanent: bool = False
    retry_after_s: float = 0.0
    tokens: TokenCounts = NO_TOKENS


BackendOutcome: TypeAlias = BackendReply | BackendFailure


class ModelBackend(Protocol):
    """Asks one model of a provider, once."""

    @property
    def name(self) -> ModelName:
        """The model; known without calling it."""
        ...

    async def ask(self, request: CompletionRequest) -> BackendOutcome:
        """Send a request; cancelling this ends it at the server or program, too."""
        ...

    async def models(self) -> tuple[str, ...] | BackendFailure:
        """List the models that the provider offers; empty if it can't tell."""
        ...

    async def close(self) -> None:
        """Release everything; nothing is running any more."""
        ...


def counted(
    request: CompletionRequest,
    text: str,
    read: int | None,
    written: int | None,
    cost_usd: float | None = None,
) -> TokenCounts:
    """Return the tokens that a server counted; what it didn't is estimated from the texts."""
    cost = cost_usd if cost_usd is not None and 0 <= cost_usd < math.inf else None
    if read is not None and written is not None and read >= 0 and written >= 0:
        return TokenCounts(read, written, cost_usd=cost)
    return TokenCounts(asked_tokens(request), estimated_tokens(text), estimated=True, cost_usd=cost)


def asked_tokens(request: CompletionRequest) -> int:
    """Estimate the tokens of what is asked."""
    return estimated_tokens(request.system) + estimated_tokens(request.user)


def whole_reply(
    request: CompletionRequest, text: str, tokens: TokenCounts, *, cut: bool
) -> BackendOutcome:
    """Return a reply, unless it is empty, or was cut at its limit within its JSON."""
    if cut and (not text.strip() or (request.schema and parse_json(text) is None)):
        detail = f"the reply was cut at its limit of {request.max_tokens} tokens"
        return BackendFailure(reason="too_long", detail=detail, tokens=tokens)
    if not text.strip():
        return BackendFailure(reason="refused", detail="the reply is empty", tokens=tokens)
    return BackendReply(text, tokens)


def estimated_tokens(text: str) -> int:
    """Estimate a text's tokens by its length: one for each four bytes of UTF-8."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_OF_A_TOKEN)
