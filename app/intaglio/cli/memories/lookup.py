"""Finds a memory by its id or by its start or end."""

from typing import Final, Literal, TypeAlias

from intaglio.base.errors import ConflictError, InvalidInputError, NotFoundError
from intaglio.base.installation import command
from intaglio.cli.output import clipped, local_date
from intaglio.client.daemon_client import DaemonClient
from intaglio.wire.memory import IdMatches, MemoryRow

Wanted: TypeAlias = Literal["live", "forgotten", "any"]
"""What a command works on; among several matches only these count."""

_SHOWN_CHARS: Final = 60
_ID_PUNCTUATION: Final = "._:-"
_MAX_ID_CHARS: Final = 200


def find_memory(client: DaemonClient, part: str, wanted: Wanted) -> MemoryRow:
    """Return the memory whose id starts or ends with ``part``.

    Raises NotFoundError where there is none, and ConflictError that lists them where there are
    several.
    """
    text = part.strip()
    if not is_id(text):
        raise InvalidInputError(
            f"{clipped(part, _SHOWN_CHARS)!r} isn't a valid memory ID.",
            hint=f"Run `{command('list')}` to see memories with their IDs.",
        )
    found = client.match_ids(text)
    match _chosen(found.memories, wanted):
        case [memory] if not found.more:
            return memory
        case []:
            raise NotFoundError(
                f"No memory has an ID that starts or ends with {text}.",
                hint=f"Run `{command('list')}` to see memories with their IDs.",
            )
        case several:
            raise ConflictError(
                f"{text} is ambiguous: {_count(found)} memories have an ID that starts or ends "
                "with it.",
                hint="\n".join(map(_line, several)),
            )


_DROPPED: Final = str.maketrans("", "", _ID_PUNCTUATION)


def is_id(text: str) -> bool:
    """Tell whether a text can be an id or a part of one."""
    return (
        len(text) <= _MAX_ID_CHARS
        and text.isascii()
        and text.replace("-", "a").translate(_DROPPED).isalnum()
    )


def _chosen(memories: list[MemoryRow], wanted: Wanted) -> list[MemoryRow]:
    if wanted == "any":
        return memories
    # Where none is as the command needs it, the daemon says why the one there is cannot be used.
    return [
        memory for memory in memories if bool(memory.is_deleted) == (wanted == "forgotten")
    ] or memories


def _count(found: IdMatches) -> str:
    return f"more than {len(found.memories)}" if found.more else str(len(found.memories))


def _line(memory: MemoryRow) -> str:
    state = "forgotten  " if memory.is_deleted else ""
    text = clipped(memory.content, _SHOWN_CHARS)
    return f"  {memory.id}  {local_date(memory.created_at)}  {state}{text}"
