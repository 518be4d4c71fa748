"""Converts the fields of a request to a change of a memory."""

from typing import Final

from msgspec import UnsetType

from intaglio.api.request_context import project_of
from intaglio.base.errors import InvalidInputError
from intaglio.domain.memory_types import MemoryType, given_types
from intaglio.domain.reader import VISIBILITIES, Visibility
from intaglio.kernel import Kernel
from intaglio.memory import parsing
from intaglio.memory.values import KEEP, Change, Keep
from intaglio.pipeline.ingest import clean_tags
from intaglio.wire.changes import Fields

_CHANGEABLE: Final = "content, type, tags, importance, pinned"


def _type(value: str | UnsetType) -> MemoryType | Keep:
    if isinstance(value, UnsetType):
        return KEEP
    known = parsing.known_type(value)
    if known is None:
        raise InvalidInputError(f"type must be one of {given_types('or')}")
    return known


def _visibility(value: str | UnsetType) -> Visibility | Keep:
    if isinstance(value, UnsetType):
        return KEEP
    if value not in VISIBILITIES:
        raise InvalidInputError(f"visibility must be {' or '.join(VISIBILITIES)}")
    return value


def _who(value: str | UnsetType) -> str | Keep:
    if isinstance(value, UnsetType):
        return KEEP
    if not value.strip():
        raise InvalidInputError("who must not be empty", hint="Omit it to leave it unchanged.")
    return value.strip()


async def change_of(services: Kernel, fields: Fields) -> Change:
    """Return the change that the fields describe.

    Raises InvalidInputError for invalid values, and if there is no field to change.
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
            hint="who, project and visibility can also be changed.",
        )
    return change
