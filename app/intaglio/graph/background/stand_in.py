"""Rules that are replaced by those of `linking/` as soon as these exist."""

from collections.abc import Sequence

from intaglio.base.entity_kinds import EntityType
from intaglio.graph.linking.values import FoundDependency, LinkedText, TextToLink


def find_dependencies(text: TextToLink, linked: LinkedText) -> tuple[FoundDependency, ...]:
    """Find "A uses B" between two names that follow each other."""
    found: list[FoundDependency] = []
    for one, other in zip(linked.mentions, linked.mentions[1:], strict=False):
        between = text.text[one.end : other.start].strip(" `")
        if between == "uses" and one.target != other.target:
            found.append(FoundDependency(one.target, other.target, "uses", 0.6))
    return tuple(found)


def classify_aspect(
    content: str, entity_type: EntityType, existing: Sequence[str]
) -> tuple[str, float]:
    """Return the aspect that a fact belongs to, and the confidence (0 to 1)."""
    for name in existing:
        if name in content.lower():
            return name, 0.6
    return ("preferences" if entity_type == "person" else "general"), 0.3
