"""Compares names by the configured model, and keeps their vectors for the next comparison."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.base.log import get_logger
from intaglio.inference.guarded_embedder import guarded_embed
from intaglio.inference.ports import Embedded, Embedder, ModelIdentity, Vector

_BATCH: Final = 32
_TIMEOUT_S: Final = 30.0
_MOST_KEPT: Final = 2_000


@dataclass(slots=True)
class NameSimilarity:
    """Compares names; ``embedder`` returns the model that is configured now.

    Belongs to one event loop. The vectors of a former model are dropped.
    """

    embedder: Callable[[], Embedder]
    _model: ModelIdentity | None = None
    _vectors: dict[str, Vector] = field(default_factory=dict[str, Vector])
    _is_failing: bool = False

    async def compare(
        self, names: Sequence[str], others: Sequence[Sequence[str]]
    ) -> list[float] | None:
        """Return how similar each other one's most similar name is (cosine, -1 to 1).

        None if the model can't be used; that is logged once until it can be again.
        """
        embedder = self.embedder()
        if embedder.identity != self._model:
            self._vectors.clear()
            self._model = embedder.identity
        wanted = dict.fromkeys((*names, *(name for each in others for name in each)))
        vectors = {name: self._vectors[name] for name in wanted if name in self._vectors}
        missing = [name for name in wanted if name not in vectors]
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            outcome = await guarded_embed(embedder, batch, timeout_s=_TIMEOUT_S)
            if not isinstance(outcome, Embedded) or len(outcome.vectors) != len(batch):
                self._report(getattr(outcome, "detail", "a wrong number of vectors"))
                return None
            vectors.update(zip(batch, outcome.vectors, strict=True))
        self._is_failing = False
        if embedder.identity == self._model:
            self._keep(vectors)
        return [max(_cosines(names, each, vectors), default=-1.0) for each in others]

    def _keep(self, vectors: dict[str, Vector]) -> None:
        # Those used last come last, so that the first ones go.
        for name, vector in vectors.items():
            self._vectors.pop(name, None)
            self._vectors[name] = vector
        for name in list(self._vectors)[: max(0, len(self._vectors) - _MOST_KEPT)]:
            del self._vectors[name]

    def _report(self, reason: str) -> None:
        if not self._is_failing:
            get_logger("inference").warning("names can't be compared", reason=reason)
        self._is_failing = True


def _cosines(
    names: Sequence[str], others: Sequence[str], vectors: dict[str, Vector]
) -> Iterable[float]:
    return (float(vectors[one] @ vectors[other]) for one in names for other in others)
