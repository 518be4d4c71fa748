"""Servers with OpenAI's embeddings API: LM Studio, llama-server, vLLM, and OpenAI."""

from collections.abc import Sequence

import msgspec

from intaglio.inference.ports import NotEmbedded
from intaglio.inference.remote.model_server import post
from intaglio.inference.remote.remote_embedder import RemoteEmbedder, VectorRows


class _Row(msgspec.Struct, frozen=True):
    index: int
    embedding: list[float]


class _Reply(msgspec.Struct, frozen=True):
    data: list[_Row]


class OpenAiCompatibleEmbedder(RemoteEmbedder):
    """Embeds on a server whose base address usually ends in ``/v1``."""

    provider = "openai"

    async def _ask(self, texts: Sequence[str], max_bytes: int) -> VectorRows | NotEmbedded:
        body = {"model": self._server.model, "input": list(texts), "encoding_format": "float"}
        reply = await post(self._client, "embeddings", body, _Reply, max_bytes=max_bytes)
        if isinstance(reply, NotEmbedded):
            return reply
        rows = sorted(reply.data, key=lambda row: row.index)
        if [row.index for row in rows] != list(range(len(texts))):
            return NotEmbedded(
                "refused", "the model server's answer has missing or duplicate texts"
            )
        return [row.embedding for row in rows]
