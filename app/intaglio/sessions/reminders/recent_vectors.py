"""Keeps the latest clauses' vectors: a prompt is judged twice, at once and at its turn's end."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from intaglio.sessions.statements.services import VectorSource

if TYPE_CHECKING:
    from intaglio.language.relations import ClauseVector

# Of some 5 KB each.
_KEPT: Final = 128


@dataclass(frozen=True, slots=True)
class RecentVectors:
    """Finds vectors, those of the latest texts without the model."""

    source: VectorSource
    _kept: "OrderedDict[str, ClauseVector]" = field(
        default_factory=OrderedDict[str, "ClauseVector"]
    )

    async def find(self, texts: Sequence[str]) -> "Sequence[ClauseVector] | None":
        """Return the vector of each text, or None if the model can't be used."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        known = {text: self._kept[text] for text in texts if text in self._kept}
        if missing:
            found = await self.source(missing)
            if found is None:
                return None
            known |= dict(zip(missing, found, strict=True))
        for text, vector in known.items():
            self._kept[text] = vector
            self._kept.move_to_end(text)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return [known[text] for text in texts]
