"""Where the keys of a document are, and which of them occur twice."""

from dataclasses import dataclass
from typing import Final

from intaglio.base.agent_yaml.document import Document, Node

_MAX_KEYS: Final = 20_000


@dataclass(frozen=True, slots=True)
class KeyPlaces:
    """The line of each dotted key, from 1, and the keys that occur again, with that line."""

    lines: dict[str, int]
    repeated: tuple[tuple[str, int], ...]


def key_places(document: Document) -> KeyPlaces:
    """Find the keys of a document, at most some thousands; those in lists are left out."""
    lines: dict[str, int] = {}
    repeated: list[tuple[str, int]] = []
    waiting: list[tuple[str, Node]] = [("", document.root)] if document.root else []
    while waiting and len(lines) < _MAX_KEYS:
        above, node = waiting.pop()
        seen = set[str]()
        for key, value in node.pairs if node.kind == "mapping" else ():
            name = f"{above}{key.text}"
            if key.kind != "scalar":
                continue
            if name in seen:
                repeated.append((name, key.line + 1))
            seen.add(name)
            # The last one counts.
            lines[name] = key.line + 1
            waiting.append((f"{name}.", value))
    return KeyPlaces(lines, tuple(sorted(repeated, key=_line)))


def _line(found: tuple[str, int]) -> int:
    return found[1]
