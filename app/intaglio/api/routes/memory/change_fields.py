"""From the fields of a request to a change of a memory."""

from typing import Final

from msgspec import UnsetType

from intaglio.api.request_context import project_of
from intaglio.base.agents.reader import VISIBILITIES, Visibility
from intaglio.base.errors import InvalidInputError
from intaglio.kernel import Kernel
from intaglio.memory import parsing
from intaglio.memory.values import KEEP, MEMORY_TYPES, Change, Keep, MemoryType
from intaglio.pipeline.ingest import clean_tags
from intaglio.wire.changes import Fields

_CHANGEABLE: Final = "content, type, tags, importance, pinned"


def _type(asked: str | UnsetType) -> MemoryType | Keep:
    if isinstance(asked, UnsetType):
        return KEEP
    known = parsing.known_type(asked)
    if known is None:
        raise InvalidInputError(f"type must be one of {', '.join(MEMORY_TYPES)}")
    return known


def _visibility(asked: str | UnsetType) -> Visibility | Keep:
    if isinstance(asked, UnsetType):
        return KEEP
    if asked not in VISIBILITIES:
        raise InvalidInputError(f"visibility must be {' or '.join(VISIBILITIES)}")
    return asked


def _who(asked: str | UnsetType) -> str | Keep:
    if isinstance(asked, UnsetType):
        return KEEP
    if not asked.strip():
        raise InvalidInputError("who must not be empty")
    return asked.strip()


async def change_of(services: Kernel, fields: Fields) -> Change:
    """Return the change that the fields ask for.

    Raises InvalidInputError for values that cannot be, and where no field is given.
    """
    change = Change(
        content=KEEP if isinstance(fields.content, UnsetType) else fields.content,
        type=_type(fields.type),
        importance=KEEP if isinstance(fields.importance, UnsetType) else fields.importance,
        pinned=KEEP if isinstance(fields.pinned, UnsetType) else fields.pinned,
        tags=KEEP
        if isinstance(fields.tags, UnsetType)
        else parsing.read_tags(clean_tags(fields.tags)),
        who=_who(fields.who),
        project=(
            KEEP
            if isinstance(fields.project, UnsetType)
            else await project_of(services, fields.project)
        ),
        visibility=_visibility(fields.visibility),
    )
    if change == Change():
        raise InvalidInputError(
            f"at least one of {_CHANGEABLE} is required",
            hint="who, project and visibility can be changed too.",
        )
    return change
