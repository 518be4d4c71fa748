"""Lists what the present judge would not keep, and what the user says to it."""

from collections.abc import Collection
from dataclasses import dataclass

from intaglio.base.errors import ForbiddenError, writes_frozen
from intaglio.base.events import Changed
from intaglio.domain.reader import Reader
from intaglio.memory.values import AGENT_ACTORS, Actor
from intaglio.review import rows
from intaglio.review.runner import TOPIC, CaptureReview
from intaglio.review.values import ReviewPage, ReviewPosition
from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True)
class CaptureReviews:
    """The use cases of the review; forgetting and restoring are those of all memories."""

    runner: CaptureReview

    async def page(
        self, reader: Reader, limit: int, after: ReviewPosition | None, *, forgotten: bool
    ) -> ReviewPage:
        """Return a page of doubtful memories, or of those that were forgotten as such."""
        judge = await self.runner.judge()

        def work(tx: ReadTx) -> ReviewPage:
            found = rows.page(tx, judge, reader, limit + 1, after, forgotten=forgotten)
            shown = tuple(found[:limit])
            is_last = len(found) <= limit or not shown
            return ReviewPage(
                items=shown,
                end=None if is_last else ReviewPosition(shown[-1].confidence, shown[-1].seq),
                total=rows.count(tx, judge, reader, forgotten=forgotten),
                progress=rows.progress(tx, judge),
            )

        return await self.runner.services.db.read(work)

    async def keep(self, ids: Collection[str], actor: Actor, *, keep: bool) -> int:
        """Mark memories as reviewed, or take that back; returns how many changed.

        Raises ForbiddenError for an agent, and UnavailableError while changes are disabled.
        """
        self._require_person(actor)
        now = self.runner.services.context.now

        def work(tx: WriteTx) -> int:
            changed = rows.set_kept(tx, ids, now if keep else None)
            if changed:
                tx.publish(Changed(TOPIC, "updated", tuple(changed)))
            return len(changed)

        return await self.runner.services.db.write(work)

    async def dismiss(self, actor: Actor) -> bool:
        """Hide the notice until another judge comes; False if there is nothing to hide yet."""
        self._require_person(actor)
        judge, now = await self.runner.judge(), self.runner.services.context.now

        def work(tx: WriteTx) -> bool:
            is_known = rows.dismiss(tx, judge, now)
            tx.publish(Changed(TOPIC, "updated", ()))
            return is_known

        return await self.runner.services.db.write(work)

    def _require_person(self, actor: Actor) -> None:
        if actor.type in AGENT_ACTORS | {"pipeline"}:
            raise ForbiddenError(
                "Only the user reviews what capture kept",
                hint="Ask the user to open the review in the dashboard.",
            )
        if self.runner.services.frozen():
            raise writes_frozen()
