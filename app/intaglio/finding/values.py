"""What a search over everything finds."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.domain.found_kinds import FoundKind

FoundItemState: TypeAlias = Literal["open", "decided", ""]
"""Whether an inbox item waits for the user's decision; empty for other kinds."""

TITLE_CHARS: Final = 120
PASSAGE_CHARS: Final = 180


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Something that matches; ``id`` is that of its page, ``score`` compares all kinds (0 to 1).

    ``title`` is one line, ``text`` a passage that shows why it matches, empty if the title does.
    ``words`` are those to mark in both, ``at`` is its last change or activity.
    """

    kind: FoundKind
    id: str
    title: str
    text: str
    detail: str
    words: tuple[str, ...]
    project: str | None
    at: str | None
    score: float
    state: FoundItemState = ""


@dataclass(frozen=True, slots=True)
class FoundKindGroup:
    """The best of a kind, best first, and whether there are others."""

    kind: FoundKind
    items: tuple[Found, ...]
    has_more: bool
