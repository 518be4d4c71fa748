"""An embedder in place of an unavailable model: reports the reason, and embeds nothing."""

from collections.abc import Sequence

from intaglio.inference.ports import Embedded, EmbedderState, ModelIdentity, NotEmbedded


class UnavailableEmbedder:
    """Answers every call with the same reason, such as an invalid address."""

    def __init__(self, provider: str, model: str, reason: str) -> None:
        self._identity = ModelIdentity(provider, model, "", 0)
        self._reason = reason

    @property
    def identity(self) -> ModelIdentity:
        """Identify the requested model; it has no dimensions."""
        return self._identity

    @property
    def state(self) -> EmbedderState:
        """Return the reason."""
        return EmbedderState("failing", self._reason)

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded | NotEmbedded:  # noqa: ARG002 - the port's form
        """Return no vectors."""
        return NotEmbedded("unusable", self._reason)

    async def close(self) -> None:
        """Do nothing, because nothing is held."""
