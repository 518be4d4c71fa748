"""What embedders over HTTP share: slices, the deadline and the state, but not a server's format."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from intaglio.base.process.threads import assert_outside_tx
from intaglio.base.text import scrub
from intaglio.inference.ports import Embedded, EmbedderState, ModelIdentity, NotEmbedded, Vector
from intaglio.inference.remote.model_server import ModelServer

# Requests are small enough for a slow server, and so that a failed one costs little.
_SLICE = 16
# A number takes at most this many characters in JSON, including whitespace.
_NUMBER_BYTES = 32
_FRAME_BYTES = 100_000

VectorRows = Sequence[Sequence[float]]


class RemoteEmbedder(ABC):
    """Embeds on a server, one slice of the texts at a time. Belongs to one event loop."""

    provider: ClassVar[str]

    def __init__(self, server: ModelServer) -> None:
        self._server = server
        self._client = server.client()
        self._state = EmbedderState("idle")

    @property
    def identity(self) -> ModelIdentity:
        """Identify the server's model; the hash of its file isn't known."""
        return ModelIdentity(self.provider, self._server.model, "", self._server.dimensions)

    @property
    def state(self) -> EmbedderState:
        """Return the state according to the last call."""
        return self._state

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded | NotEmbedded:
        """Embed all slices one after the other under one deadline, without retries."""
        assert_outside_tx()
        if self._state.phase == "closed":
            return NotEmbedded("closed", self._state.detail)
        try:
            async with asyncio.timeout(timeout_s):
                outcome = await self._all(texts)
        except TimeoutError:
            outcome = NotEmbedded("timeout", f"the model server took more than {timeout_s:g} s")
        match outcome:
            case Embedded():
                self._state = EmbedderState("ready")
            case NotEmbedded():
                self._state = EmbedderState("failing", outcome.detail)
        return outcome

    async def close(self) -> None:
        """Close the connections."""
        self._state = EmbedderState("closed", "Intaglio is stopping")
        await self._client.aclose()

    async def _all(self, texts: Sequence[str]) -> Embedded | NotEmbedded:
        vectors: list[Vector] = []
        for start in range(0, len(texts), _SLICE):
            part = texts[start : start + _SLICE]
            match await self._some(part):
                case Embedded(found):
                    vectors.extend(found)
                case NotEmbedded() as failure:
                    return failure
        return Embedded(tuple(vectors))

    async def _some(self, texts: Sequence[str]) -> Embedded | NotEmbedded:
        width = self._server.dimensions
        limit = _FRAME_BYTES + len(texts) * width * _NUMBER_BYTES
        rows = await self._ask([scrub(text) for text in texts], limit)
        if isinstance(rows, NotEmbedded):
            return rows
        from intaglio.inference.normalize import unit_vectors  # noqa: PLC0415 - numpy not at start

        return unit_vectors(rows, count=len(texts), dimensions=width)

    @abstractmethod
    async def _ask(self, texts: Sequence[str], max_bytes: int) -> VectorRows | NotEmbedded:
        """Request the rows of a slice, in the order of its texts."""
