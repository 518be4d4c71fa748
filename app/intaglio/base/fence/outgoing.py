"""What an agent is given passes here: the fence's text, and single values of a reply."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape

from intaglio.base.fence.characters import visible
from intaglio.base.fence.marks import NAME
from intaglio.base.fence.tags import GENERAL_TAGS, TagFilter


@dataclass(frozen=True, slots=True)
class Fence:
    """Cleans text on its way to an agent, and wraps it.

    ``tags`` are the names that the harnesses declare, besides those in general use; see
    `GENERAL_TAGS` for how they are written.
    """

    tags: Iterable[str] = ()
    _filter: TagFilter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_filter", TagFilter((*GENERAL_TAGS, *self.tags)))

    def sanitize(self, text: str) -> str:
        """Remove invisible characters and neutralise the marks of the fence and of harnesses.

        Cleaned text is returned as it is, so it doesn't matter where it is called first.
        """
        seen = visible(text)
        neutral = self._filter.neutralise(seen)
        # A joiner beside a bracket that has become "&lt;" joins nothing anymore.
        return neutral if neutral is seen else visible(neutral)

    def wrap(self, text: str, attributes: Mapping[str, str]) -> str:
        """Wrap a text in a fence that `strip_injected` finds again, whatever the text contains."""
        described = "".join(
            f' {key}="{escape(self.sanitize(value), quote=True)}"'
            for key, value in attributes.items()
        )
        head = f"<{NAME}{described}>".replace("\n", " ")
        return f"{head}\n{self.sanitize(text)}\n</{NAME}>"
