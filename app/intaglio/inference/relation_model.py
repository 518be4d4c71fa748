"""The network that reads two statements together; decision record 0126."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from intaglio.domain.statement_pairs import RelationOdds, StatementPair
from intaglio.inference.loaded_model import LoadedModel, ModelRefusedError
from intaglio.inference.manifest import RELATIONS_FILE, damage, read_manifest
from intaglio.inference.ports import NotEmbedded

if TYPE_CHECKING:
    from intaglio.inference.runtime import RelationRuntime


class RelationModel:
    """Tells how likely statements contradict each other, or say the same.

    Belongs to one event loop; loaded on first use, unloaded after ``idle_s`` seconds without.
    """

    def __init__(self, folder: Path, *, idle_s: float) -> None:
        self._folder = folder
        self._loaded = LoadedModel(self._load, idle_s=idle_s, threads=1)

    async def relations(
        self, pairs: Sequence[StatementPair], *, timeout_s: float
    ) -> tuple[RelationOdds, ...] | NotEmbedded:
        """Read all pairs, or none if it fails or takes longer than ``timeout_s``."""
        return await self._loaded.each(lambda model: model.relation, pairs, timeout_s, _chars)

    async def close(self) -> None:
        """Unload it and stop its thread."""
        await self._loaded.close()

    def _load(self) -> "RelationRuntime":
        manifest = read_manifest(self._folder)
        if isinstance(manifest, str):
            raise ModelRefusedError("damaged", manifest)
        wrong = damage(self._folder, manifest, (RELATIONS_FILE, "tokenizer.json"))
        if wrong:
            raise ModelRefusedError("damaged", wrong)
        try:
            from intaglio.inference.runtime import RelationRuntime  # noqa: PLC0415 - not at start

            return RelationRuntime(self._folder)
        except (ImportError, OSError, RuntimeError, ValueError) as error:
            raise ModelRefusedError("unusable", f"the model can't be loaded: {error}") from error


def _chars(pair: StatementPair) -> int:
    return len(pair.older) + len(pair.newer)
