"""The cross-encoder, which reads two statements together; decision record 0126."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from intaglio.domain.statement_pairs import StatementPair
from intaglio.inference.loaded_model import LoadedModel, ModelRefusedError
from intaglio.inference.manifest import CROSS_ENCODER_FILE, damage, read_manifest
from intaglio.inference.ports import NotEmbedded

if TYPE_CHECKING:
    from intaglio.inference.runtime import CrossEncoderRuntime


class CrossEncoder:
    """Tells how likely two statements contradict each other.

    Belongs to one event loop; loaded on first use, unloaded after ``idle_s`` seconds without.
    """

    def __init__(self, folder: Path, *, idle_s: float) -> None:
        self._folder = folder
        self._loaded = LoadedModel(self._load, idle_s=idle_s, threads=1)

    async def contradictions(
        self, pairs: Sequence[StatementPair], *, timeout_s: float
    ) -> tuple[float, ...] | NotEmbedded:
        """Return a probability for each pair; none if it fails or takes longer."""
        return await self._loaded.each(lambda model: model.contradiction, pairs, timeout_s, _chars)

    async def close(self) -> None:
        """Unload it and stop its thread."""
        await self._loaded.close()

    def _load(self) -> "CrossEncoderRuntime":
        manifest = read_manifest(self._folder)
        if isinstance(manifest, str):
            raise ModelRefusedError("damaged", manifest)
        wrong = damage(self._folder, manifest, (CROSS_ENCODER_FILE, "tokenizer.json"))
        if wrong:
            raise ModelRefusedError("damaged", wrong)
        try:
            from intaglio.inference.runtime import CrossEncoderRuntime  # noqa: PLC0415 - not at start

            return CrossEncoderRuntime(self._folder)
        except (ImportError, OSError, RuntimeError, ValueError) as error:
            raise ModelRefusedError("unusable", f"the model can't be loaded: {error}") from error


def _chars(pair: StatementPair) -> int:
    return len(pair.older) + len(pair.newer)
