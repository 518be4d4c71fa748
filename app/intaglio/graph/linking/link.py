"""Links a text to the entities that it names."""

import re
from typing import Final

from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.values import (
    Existing,
    FindNames,
    FoundMention,
    LinkedText,
    NewEntity,
    ProjectItself,
    Target,
    TextToLink,
    UserThemself,
)

_NAME: Final = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z]\w{2,}\b|`[^`\n]{3,60}`")


def link(text: TextToLink, find_names: FindNames) -> LinkedText:
    """Find the entities of a text by capital letters only."""
    found = [(m.start(), m.end(), m.group()) for m in _NAME.finditer(text.text[:8_000])][:50]
    known = find_names({canonical_name(surface.strip("`")) for _, _, surface in found})
    mentions: list[FoundMention] = []
    for start, end, surface in found:
        name = surface.strip("`")
        ticks = 1 if surface.startswith("`") else 0
        canonical = canonical_name(name)
        same = known.get(canonical)
        target: Target = (
            Existing(same[0].entity)
            if same
            else NewEntity(name=name, canonical=canonical, type="unknown")
        )
        mentions.append(FoundMention(start + ticks, end - ticks, name, target, 0.6))
    subject: Target = ProjectItself() if text.project_name else UserThemself()
    binding = text.by_user and text.memory_type in {"rule", "decision"}
    return LinkedText(
        mentions=tuple(mentions),
        primary=subject,
        aspect=None,
        kind="constraint" if binding else "attribute",
        importance=max(text.importance, 0.85) if binding else text.importance,
        confidence=0.5,
        needs_dependencies=bool(mentions),
    )
