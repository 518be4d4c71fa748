"""What `intaglio doctor --project` says of the code that a project's memories name."""

from collections.abc import Iterator
from typing import Final

from intaglio.base.installation import command
from intaglio.base.text import clip, storage_form
from intaglio.fence.characters import visible
from intaglio.wire.places import ProjectPlaces, StaleMemoryRow

_QUOTED_CHARS: Final = 100


def place_lines(found: ProjectPlaces) -> Iterator[str]:
    """Yield the lines: how many memories name code, and those whose code is gone or changed."""
    name = visible(found.project)
    if found.read_at is None:
        yield f"note  code of {name}: not read yet"
        yield "      It is read when a session starts in a git repository (`code.enabled`)."
        return
    if found.stopped:
        yield f"note  code of {name}: {found.stopped}"
    if not found.memories:
        yield f"ok    code of {name}: memories that name code: {found.checked}; none is out of date"
        return
    stale = len(found.memories)
    yield f"warn  code of {name}: gone, renamed or changed for {stale} of {found.checked} memories"
    for memory in found.memories:
        yield from _memory_lines(memory)


def _memory_lines(memory: StaleMemoryRow) -> Iterator[str]:
    yield f"      {memory.mark}: {visible(memory.where)}"
    yield f"        {visible(clip(storage_form(memory.content), _QUOTED_CHARS))}"
    yield f"        {command(f'show {memory.id}')}"
