"""Ollama as an embedder, with its own format of requests and replies."""

from collections.abc import Sequence

import msgspec

from intaglio.inference.ports import NotEmbedded
from intaglio.inference.remote.model_server import post
from intaglio.inference.remote.remote_embedder import RemoteEmbedder, VectorRows


class _Reply(msgspec.Struct, frozen=True):
    embeddings: list[list[float]]


class OllamaEmbedder(RemoteEmbedder):
    """Embeds with a model in Ollama; the base address is Ollama's, without a path."""

    provider = "ollama"

    async def _ask(self, texts: Sequence[str], max_bytes: int) -> VectorRows | NotEmbedded:
        body = {"model": self._server.model, "input": list(texts), "truncate": True}
        reply = await post(self._client, "api/embed", body, _Reply, max_bytes=max_bytes)
        return reply if isinstance(reply, NotEmbedded) else reply.embeddings
