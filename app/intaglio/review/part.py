"""The review of captured memories in the daemon."""

from typing import Final

from intaglio.kernel import Kernel
from intaglio.memory.settings import MemorySettings
from intaglio.package import KeptData, Loop, Package, Part, SweepStep
from intaglio.review import rows
from intaglio.review.migrations import MIGRATIONS
from intaglio.review.reviews import CaptureReviews
from intaglio.review.runner import CAPTURE_REVIEW, CaptureReview
from intaglio.sessions.statements.services import CaptureServices

_INTERVAL_S: Final = 60.0


def part(kernel: Kernel) -> Part:
    """Wire the review: its list, its job, and what queues it."""
    runner = CaptureReview(services=kernel.get(CaptureServices), seconds=kernel.monotonic_s)
    return Part(
        services=(CaptureReviews(runner),),
        job_types=(CAPTURE_REVIEW.run_by(runner),),
        loops=(
            Loop.repeating("capture review", kernel.database, runner.queue_if_due, _INTERVAL_S),
        ),
    )


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
