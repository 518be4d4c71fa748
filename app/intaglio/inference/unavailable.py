"""What stands in the place of a model that cannot be had: it says why, and embeds nothing."""

from collections.abc import Sequence

from intaglio.inference.ports import Embedded, EmbedderState, ModelIdentity, NotEmbedded


class UnavailableEmbedder:
    """Answers every call with the same reason, such as an address that is none."""

    def __init__(self, provider: str, model: str, reason: str) -> None:
        self._identity = ModelIdentity(provider, model, "", 0)
        self._reason = reason

    @property
    def identity(self) -> ModelIdentity:
        """Name what was asked for; no vector has no dimensions."""
        return self._identity

    @property
    def state(self) -> EmbedderState:
        """Tell why there is none."""
        return EmbedderState("failing", self._reason)

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded | NotEmbedded:  # noqa: ARG002 - the port's form
        """Give no vectors."""
        return NotEmbedded("unusable", self._reason)

    async def close(self) -> None:
        """Hold nothing, so there is nothing to let go."""
