"""Finds an entity by its name, another name of it, or its id."""

import re
from collections.abc import Sequence
from typing import Final

from intaglio.base.errors import ConflictError, InvalidInputError, NotFoundError
from intaglio.base.installation import command
from intaglio.cli.entities.output import entity_line
from intaglio.client.daemon_client import DaemonClient
from intaglio.wire.knowledge import EntityListItem, EntityRow

_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MOST: Final = 50
_MOST_LISTED: Final = 10
_MOST_CHARS: Final = 400


def find_entity(client: DaemonClient, name: str) -> EntityRow:
    """Return the entity with this name or id.

    Raises NotFoundError where there is none, and ConflictError that lists them where there are
    several.
    """
    text = " ".join(name.split())
    if not text:
        raise InvalidInputError("An entity needs a name.", hint=_hint())
    if _ID.fullmatch(text):
        return client.entity(text).entity
    found = client.entities(_MOST, 0, {"q": text[:_MOST_CHARS]}).items
    match _named(client, found, text.casefold()):
        case [entity]:
            return entity
        case []:
            raise NotFoundError(f"No entity is named “{text}”.", hint=_hint())
        case several:
            more = "more than " if len(found) == _MOST else ""
            raise ConflictError(
                f"“{text}” is ambiguous: {more}{len(several)} entities have a name like it.",
                hint="\n".join(["Use one of these IDs:", *map(_line, several[:_MOST_LISTED])]),
            )


def _named(client: DaemonClient, found: Sequence[EntityListItem], text: str) -> list[EntityRow]:
    """Return those that have exactly this name, else those with such an alias, else all."""
    entities = [item.entity for item in found]
    exact = [each for each in entities if each.name.casefold() == text]
    if exact or len(entities) < 2:  # noqa: PLR2004 - nothing to choose from
        return exact or entities
    also = [
        each
        for each in entities[:_MOST_LISTED]
        if any(alias.alias.casefold() == text for alias in client.aliases(each.id).items)
    ]
    return also or entities


def _line(entity: EntityRow) -> str:
    return f"  {entity.id}  {entity_line(entity)}"


def _hint() -> str:
    return f"Run `{command('entities')}` to see the entities."
