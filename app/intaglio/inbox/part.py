"""The inbox: its tables and steps; its decisions are a service of `lifecycle`."""

from intaglio.inbox import operations, retention_rows
from intaglio.inbox.settings import InboxSettings
from intaglio.memory.settings import MemorySettings
from intaglio.package import KeptData, Package, Packages, SweepStep, singly
from intaglio.store.settings import RetentionSettings


def _expire(packages: Packages) -> SweepStep:
    """Close what waits too long, of the kinds of items that expire."""
    waiting = retention_rows.Waiting(packages.inbox_kinds.expiring)
    return SweepStep(
        "suggestions",
        lambda s: s.of(InboxSettings).suggestion_days,
        waiting.find,
        singly(waiting.expire),
    )


PACKAGE = Package(
    name="inbox",
    tables={
        "inbox_items": "what waits for the user's decision, and what was decided, of every kind; "
        "of memories and entities that an item is about it has the ids, no texts; `change` is what "
        "an agent proposes, as JSON",
        "inbox_evidence": "the sentences that an item is based on, with session, message and "
        "position; what an agent claims has no message; at most 20 per item",
        "dropped_suggestions": "hashes of dropped words in their scope, with the time; no text",
    },
    memory_listeners=(operations.follow_memory,),
    on_erase=(lambda tx, memory_id, _: operations.erase(tx, memory_id),),
    retention=(
        _expire,
        SweepStep(
            "inbox",
            lambda s: s.of(RetentionSettings).inbox_days,
            retention_rows.decided,
            singly(retention_rows.purge_decided),
        ),
        SweepStep(
            "inbox_of_tombstones",
            lambda s: s.of(MemorySettings).tombstone_days,
            retention_rows.about_nothing,
            singly(retention_rows.purge_about_nothing),
            has_period=False,
        ),
    ),
    kept=(
        KeptData(
            "open suggestions and proposed changes in `inbox_items`",
            "14 days, then they are done",
            deleted_by="step `suggestions`",
            settings=("capture.suggestionDays",),
        ),
        KeptData(
            "open contradictions",
            "until you decide, or one of the memories is gone",
            deleted_by="you",
        ),
        KeptData(
            "done items in `inbox_items` with their `inbox_evidence`",
            "90 days after the decision, and no longer than the memory exists",
            deleted_by="steps `inbox`, `inbox_of_tombstones`",
            settings=("retention.inboxDays",),
        ),
        KeptData(
            "`dropped_suggestions`",
            "forever, about 100 bytes each",
            deleted_by="undoing the drop",
        ),
    ),
)
