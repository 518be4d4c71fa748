"""Calls embedders so that an outcome always arrives in time, whatever they do."""

import asyncio
from collections.abc import Sequence

from intaglio.inference.ports import Embedded, Embedder, NotEmbedded


async def guarded_embed(
    embedder: Embedder, texts: Sequence[str], *, timeout_s: float, grace_s: float = 0.0
) -> Embedded | NotEmbedded:
    """Embed the texts; an embedder that raises, or hangs too long, counts as failed."""
    try:
        async with asyncio.timeout(timeout_s + grace_s):
            return await embedder.embed(texts, timeout_s=timeout_s)
    except TimeoutError:
        return NotEmbedded("timeout", f"no answer within {timeout_s:g} s")
    # A provider is foreign code and a foreign server: whatever it raises is its failure.
    except Exception as error:  # noqa: BLE001 - see above
        return NotEmbedded("refused", str(error) or type(error).__name__)
