"""Requests and replies of the commits endpoints. Times are ISO-8601 UTC."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

_ProjectText = Annotated[str, Meta(min_length=1, max_length=4_096)]


class CommitRow(Struct, kw_only=True, rename="camel"):
    """A commit of a project that was read from its repository, without secrets.

    `reverts` is the hash of the commit that a revert undoes, null if its message doesn't name one.
    `author` is null unless `commits.authors` is on. `excerpt` begins its body.
    """

    project: str
    hash: str
    committed_at: str
    kind: Literal["commit", "merge", "revert"]
    reverts: str | None
    author: str | None
    subject: str
    excerpt: str


class CommitList(Struct, kw_only=True):
    """A page of commits; `cursor` requests the next page. Of a search there is one page."""

    commits: list[CommitRow]
    cursor: str | None


class CommitDetail(CommitRow, kw_only=True, rename="camel"):
    """A commit with its whole body and the files that it changed, as far as they were read."""

    body: str
    files: list[str]


class CommitReading(Struct, kw_only=True, rename="camel"):
    """What was read of a project's commits.

    `enabled` tells whether they are read: what `choice` says, or if that is null, the settings.
    `commits` counts those that are stored, `forgotten` those that the user forgot. `read_at` is
    when the log was last read, null for never, and `head` the commit that it was read up to.
    `stopped` says why it wasn't read to its end; it is empty if it was. `reading` is true
    while it is.
    """

    project: str
    enabled: bool
    choice: bool | None
    commits: int
    forgotten: int
    head: str | None
    read_at: str | None
    stopped: str
    reading: bool


class CommitSwitchRequest(Struct, kw_only=True, forbid_unknown_fields=True):
    """Whether to read the commits of a project; null lets the settings decide."""

    project: _ProjectText
    enabled: bool | None


class CommitReadRequest(Struct, kw_only=True, forbid_unknown_fields=True):
    """The project whose commits to read now."""

    project: _ProjectText


class ForgottenCommit(Struct, kw_only=True):
    """A commit that was just forgotten or restored."""

    project: str
    hash: str


class RelatedCommit(CommitRow, kw_only=True, rename="camel"):
    """A commit that speaks of a memory; `reason` is a sentence that says by what it was found."""

    reason: str


class MemoryPlaceRow(Struct, kw_only=True, rename="camel"):
    """A file or symbol that a memory names, and what became of it since.

    `mark` says that in at most three words, as agents are told it; it is empty if nothing changed.
    `symbol` is null if the memory names the file only, `now_path` unless the file was renamed.
    `found_at` is when the place was found in the code, `checked_at` when a check
    last found a change.
    """

    path: str
    symbol: str | None
    now_path: str | None
    mark: str
    found_at: str
    checked_at: str


class MemoryCommits(Struct, kw_only=True):
    """The commits that speak of a memory, best first, and the places that it names."""

    commits: list[RelatedCommit]
    places: list[MemoryPlaceRow]
