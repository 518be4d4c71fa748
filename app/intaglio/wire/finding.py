"""The reply of the search over everything that Intaglio keeps. Times are ISO-8601 UTC."""

from typing import Literal

from msgspec import Struct

from intaglio.domain.found_kinds import FoundKind


class FoundItem(Struct, kw_only=True, rename="camel"):
    """Something that matches; `id` is that of its page: a project's its key, a commit's its hash.

    `title` is one line, `text` a passage that shows why it matches (empty if the title does),
    `detail` a few words such as a type. `words` are the words in title and text to mark. `state`
    is that of an inbox item, empty for other kinds. `at` is its last change or activity. `score` is
    0 to 1 and compares items of all kinds.
    """

    kind: FoundKind
    id: str
    title: str
    text: str
    detail: str
    words: list[str]
    state: Literal["open", "decided", ""]
    project: str | None
    at: str | None
    score: float


class FoundGroup(Struct, kw_only=True):
    """The best items of a kind, best first; `more` says that there are others."""

    kind: FoundKind
    items: list[FoundItem]
    more: bool


class FindReply(Struct, kw_only=True):
    """What matches, the group with the best item first."""

    groups: list[FoundGroup]
