"""What an agent is given passes here: the fence's text, and single values of a reply."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from typing import Final

from intaglio.fence.characters import visible
from intaglio.fence.marks import NAME
from intaglio.fence.tags import GENERAL_TAGS, TagFilter

_CACHED: Final = 2_048
_CACHED_CHARS: Final = 600
# Without any of these, as most texts are, nothing can be invisible or begin a tag.
_UNCLEAR: Final = re.compile(
    r"[^ -$'-;=-Z\]-~\n\t\u00c0-\u00ff\u2013\u2014\u2018-\u201d\u2026\u20ac](?<!\[(?![/A-Z]))"
)


@dataclass(frozen=True, slots=True)
class Fence:
    """Cleans text on its way to an agent, and wraps it.

    ``tags`` are the names that the harnesses declare, besides those in general use; see
    `GENERAL_TAGS` for how they are written.
    """

    tags: Iterable[str] = ()
    _filter: TagFilter = field(init=False, repr=False, compare=False)
    _short: Callable[[str], str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_filter", TagFilter((*GENERAL_TAGS, *self.tags)))
        # Each session of a project starts with the same lines.
        object.__setattr__(self, "_short", lru_cache(_CACHED)(self._clean))

    def sanitize(self, text: str) -> str:
        """Remove invisible characters and neutralise the marks of the fence and of harnesses.

        Cleaned text is returned as it is, so it doesn't matter where it is called first.
        """
        return self._short(text) if len(text) <= _CACHED_CHARS else self._clean(text)

    def _clean(self, text: str) -> str:
        if not _UNCLEAR.search(text):
            return text
        seen = visible(text)
        neutral = self._filter.neutralise(seen)
        # A joiner beside a bracket that has become "&lt;" joins nothing anymore.
        return neutral if neutral is seen else visible(neutral)

    def wrap(self, text: str, attributes: Mapping[str, str]) -> str:
        """Wrap a text in a fence that `strip_injected` finds again, whatever the text contains."""
        return self.enclose((self.sanitize(text),), attributes)

    def enclose(self, lines: Iterable[str], attributes: Mapping[str, str]) -> str:
        """Wrap lines that are sanitized, of which each but the first begins with a hyphen or "##".

        Behind these, a line can't complete a tag that the line before has begun.
        """
        described = "".join(
            f' {key}="{escape(self.sanitize(value), quote=True)}"'
            for key, value in attributes.items()
        )
        head = f"<{NAME}{described}>".replace("\n", " ")
        return "\n".join((head, *lines, f"</{NAME}>"))
