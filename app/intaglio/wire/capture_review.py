"""Requests and replies of the review of captured memories. Times are ISO-8601 UTC."""

from msgspec import Struct

from intaglio.wire.inbox import InboxEvidence, ItemIds


class CaptureReviewRow(Struct, kw_only=True):
    """A memory that capture saved without asking, and that the present judge would not keep.

    ``confidence`` is how sure the judge is that it is worth keeping; ``reason`` says in words why
    it would not keep it, null if it only isn't sure enough. ``evidence`` is the sentence that the
    memory came from; ``context`` is what was recorded of what was said around it, empty if nothing
    was. The judge had only these two: the conversation may be gone.
    """

    id: str
    content: str
    type: str
    project: str | None
    agent: str
    created: str
    version: int
    confidence: float
    reason: str | None
    evidence: InboxEvidence
    context: str


class CaptureReviewList(Struct, kw_only=True):
    """A page of those memories, least sure first; ``cursor`` requests the next page.

    ``total`` counts all. ``judge`` is the version of the present judge; ``reviewing`` is set until
    it has seen all memories from before it. ``dismissed``: the user doesn't want to be told of this
    judge's results.
    """

    items: list[CaptureReviewRow]
    cursor: str | None
    total: int
    judge: str
    reviewing: bool
    dismissed: bool


class CaptureReviewKeepRequest(Struct, kw_only=True):
    """The 1 to 1,000 memories to keep; with ``keep`` false, they are listed again."""

    ids: ItemIds
    keep: bool = True


class CaptureReviewKept(Struct, kw_only=True):
    """How many memories of the review were changed."""

    requested: int
    changed: int
