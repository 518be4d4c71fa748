"""Chooses which vectors are searched: the new model's, or the former's until those are ready."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from intaglio.base.errors import UnavailableError
from intaglio.base.events import Changed
from intaglio.base.log import get_logger
from intaglio.embedding import rows
from intaglio.embedding.runner import EmbeddingRunner, identity_of
from intaglio.embedding.values import VectorSet, VectorSetIdentity
from intaglio.inference.cache import QueryVectors
from intaglio.inference.ports import Embedder
from intaglio.inference.unavailable import UnavailableEmbedder
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.store.vectors.index import VectorIndex
from intaglio.store.vectors.values import Model

_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class _Found:
    sets: Sequence[VectorSet]
    whole: bool


@dataclass(slots=True, kw_only=True)
class VectorSets:
    """Holds the embedders in use, and sets those of the index and the questions.

    ``former`` creates a former model's embedder if possible; ``changed`` runs when another set is
    searched. Use it only on the event loop's thread.
    """

    db: Database
    embed: EmbeddingRunner
    vectors: VectorIndex
    questions: QueryVectors
    former: Callable[[VectorSetIdentity], Embedder | None]
    changed: Callable[[], None] = lambda: None
    _open: list[Embedder] = field(default_factory=list[Embedder])
    _searched: VectorSet | None = None
    _others: bool = False

    def __post_init__(self) -> None:
        self.embed.on_model = self.first_vector_made

    @property
    def fallback_model(self) -> str:
        """The name of the former model that answers questions; empty if none does.

        If a former model is no longer available, keywords answer.
        """
        is_had = self._searched is not None and self.questions.identity.dimensions > 0
        return self._searched.identity.model if self._searched and is_had else ""

    async def begin(self) -> None:
        """Choose what is searched, after the start, a restore, or a change of the model."""
        wanted = self.embed.embedder
        identity = identity_of(wanted)
        await self._drop_damaged(identity)
        found = await self.db.read(lambda tx: self._look(tx, identity))
        mine = next((each for each in found.sets if each.identity == identity), None)
        others = [each for each in found.sets if each.identity != identity and each.vectors]
        self._others = bool(others)
        best = max(others, key=lambda each: each.vectors, default=None)
        covers = mine is not None and best is not None and mine.vectors >= best.vectors
        if best is None or found.whole or covers or not self.embed.is_on:
            await self._search(wanted, mine.model if mine and self.embed.is_on else None)
            return
        former = self._embedder_of(best.identity) or UnavailableEmbedder(
            best.identity.provider, best.identity.model, "the former model is no longer available"
        )
        # Never the configured one: its questions aren't comparable with another model's vectors.
        await self._search(former, best.model, best)
        get_logger("embedding").info(
            "searching a former model's vectors", model=best.identity.model
        )

    async def _drop_damaged(self, identity: VectorSetIdentity) -> None:
        """Delete vectors that can't be used; the tracker finds that they are missing."""

        def find(tx: ReadTx) -> list[int]:
            model = rows.find_model(tx, identity)
            return rows.damaged(tx, model, _AT_ONCE) if model is not None else []

        while ids := await self.db.read(find):
            get_logger("embedding").warning("dropping damaged vectors", count=len(ids))
            try:
                await self.db.write(partial(rows.delete_vectors, ids=ids))
            except UnavailableError:
                # Searches leave them out; the next start finds them again.
                return

    def _look(self, tx: ReadTx, identity: VectorSetIdentity) -> _Found:
        model = rows.find_model(tx, identity)
        all_embedded = model is not None and rows.count_lacking(tx, model) == 0
        return _Found(rows.list_sets(tx), all_embedded)

    def _embedder_of(self, identity: VectorSetIdentity) -> Embedder | None:
        known = (each for each in self._open if identity_of(each) == identity)
        found = next(known, None) or self.former(identity)
        if found is not None and found not in self._open:
            self._open.append(found)
        return found

    async def _search(
        self, questions: Embedder, model: Model | None, meanwhile: VectorSet | None = None
    ) -> None:
        # Both in one step of the event loop: no question is compared with another model's vectors.
        self.questions.set_embedder(questions)
        self.vectors.set_model(model)
        self._searched = meanwhile
        self.changed()
        used = (questions, self.embed.embedder)
        if self.embed.embedder not in self._open:
            self._open.append(self.embed.embedder)
        left = [each for each in self._open if each not in used]
        self._open = [each for each in self._open if each in used]
        for each in left:
            await each.close()

    def first_vector_made(self, model: Model) -> None:
        """Search the model's vectors from its first one on, unless a former model's are used."""
        if self._searched is None and self.embed.is_on:
            self.vectors.set_model(model)
            self.changed()

    async def whole(self) -> None:
        """Search the configured model's vectors, which are complete now, and delete the others."""
        model = self.embed.model
        if model is None:
            return
        if self._searched is not None:
            await self._search(self.embed.embedder, model)
            get_logger("embedding").info("all memories are embedded")
            await self.db.write(self._publish)
        left = _AT_ONCE if self._others else 0
        while left:
            left = await self.db.write(lambda tx: rows.delete_others(tx, model, _AT_ONCE))
            if self.embed.model != model:
                return
        self._others = False

    def _publish(self, tx: WriteTx) -> None:
        tx.publish(Changed("embeddings", "updated", ()))

    async def close(self) -> None:
        """Close every embedder."""
        for each in {id(each): each for each in (*self._open, self.embed.embedder)}.values():
            await each.close()
