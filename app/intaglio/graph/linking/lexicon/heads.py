"""The words that say of a name what it names: "service", "worker", "gateway"."""

from typing import Final

from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.lexicon.word_lists import words


def _heads(kind: str, *types: EntityType) -> dict[str, EntityType]:
    return {word: type_ for type_ in types for word in sorted(words("heads", f"{kind}_{type_}"))}


HEADS: Final = _heads("head", "service", "component", "system")
"""Nouns with which the name of a part of a system ends, and what that part is."""

LOOSE_HEADS: Final = words("heads", "loose_heads")
"""Heads that are too common to name something without an article before them."""

LONE_HEADS: Final = words("heads", "lone_heads")
"""Heads that are names of parts by themselves: "the dispatcher"."""

LANGUAGE_HEADS: Final = _heads("language_head", "service", "component")
"""Heads in German, Spanish and French."""

CJK_HEADS: Final = _heads("cjk_head", "service", "component", "system")
"""Heads in Japanese and Chinese, written right after the rest of the name."""

GENERIC_MODIFIERS: Final = words("heads", "generic_modifiers")
"""Words before a head that name nothing: "the old service", "a web server"."""


ORGANIZATION_ENDS: Final = words("heads", "organization_ends")
"""Words with which the names of organizations end."""
