"""The review of captured memories in the daemon."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.kernel import Kernel
from intaglio.memory.settings import MemorySettings
from intaglio.package import KeptData, Loop, Package, Part, SweepStep
from intaglio.review import rows
from intaglio.review.migrations import MIGRATIONS
from intaglio.review.reviews import CaptureReviews
from intaglio.review.runner import CAPTURE_REVIEW, CaptureReview
from intaglio.sessions.statements.services import CaptureServices
from intaglio.store.database import Database
from intaglio.store.values import Ready

_INTERVAL_S: Final = 60.0


def part(kernel: Kernel) -> Part:
    """Wire the review: its list, its job, and what queues it."""
    runner = CaptureReview(services=kernel.get(CaptureServices), seconds=kernel.monotonic_s)
    return Part(
        services=(CaptureReviews(runner),),
        job_types=(CAPTURE_REVIEW.run_by(runner),),
        loops=(Loop("capture review", _queuing(kernel.database, runner)),),
    )


def _queuing(db: Database, runner: CaptureReview) -> Callable[[], Awaitable[None]]:
    async def queue_when_due() -> None:
        while True:
            # Not at once: startup belongs to new sessions.
            await asyncio.sleep(_INTERVAL_S)
            if isinstance(db.state, Ready):
                try:
                    await runner.queue_if_due()
                except UnavailableError as error:
                    get_logger("review").info("review postponed", reason=error.detail)

    return queue_when_due


PACKAGE = Package(
    name="review",
    tables={
        "capture_judges": "the versions of capture's judge: when each came, how far its review of "
        "older memories is, whether its notice was dismissed",
        "capture_reviews": "captured memories that the judge would not keep: how sure it is, why, "
        "and whether the user kept them",
    },
    migrations=MIGRATIONS,
    on_erase=(lambda tx, memory_id, _: rows.erase(tx, memory_id),),
    retention=(
        SweepStep(
            "reviews",
            lambda s: s.of(MemorySettings).tombstone_days,
            rows.left_over,
            rows.purge,
            has_period=False,
        ),
    ),
    kept=(
        KeptData(
            "`capture_reviews`",
            "as long as their memory, at least 30 days",
            deleted_by="step `reviews`; at once when the memory is erased",
            settings=("retention.tombstoneDays",),
        ),
        KeptData("`capture_judges`", "forever, about 100 bytes each"),
    ),
    make=part,
)
