"""Finds inbox items by their ids or by the starts or ends of them."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from intaglio.base.errors import ConflictError, InvalidInputError, NotFoundError
from intaglio.base.installation import command
from intaglio.cli.memories.lookup import is_id
from intaglio.cli.output import clipped, local_date
from intaglio.client.daemon_client import DaemonClient
from intaglio.wire.inbox import InboxRow

WantedItems: TypeAlias = Literal["open", "done", "any"]
"""What a command works on; among several matches only these count."""

_SHOWN_CHARS: Final = 60
_MOST: Final = 1_000


def find_items(client: DaemonClient, ids: Sequence[str], wanted: WantedItems) -> list[InboxRow]:
    """Find every item before anything is decided; one that is named twice counts once."""
    found = {item.id: item for item in (find_item(client, each, wanted) for each in ids)}
    if len(found) > _MOST:
        raise ConflictError(f"At most {_MOST:,} items can be decided on at a time.")
    return list(found.values())


def find_item(client: DaemonClient, part: str, wanted: WantedItems) -> InboxRow:
    """Return the item whose id starts or ends with ``part``.

    Raises NotFoundError where there is none, and ConflictError that lists them where there are
    several.
    """
    text = part.strip()
    hint = f"Run `{command('inbox list')}` to see the items with their IDs."
    if not is_id(text):
        raise InvalidInputError(f"{clipped(part, _SHOWN_CHARS)!r} isn't a valid ID.", hint=hint)
    found = client.match_inbox(text)
    # Where none is as the command needs it, the daemon says why the one there can't be used.
    fitting = [item for item in found.items if wanted in {"any", item.status}] or found.items
    match fitting:
        case [item] if not found.more:
            return item
        case []:
            raise NotFoundError(
                f"No inbox item has an ID that starts or ends with {text}.", hint=hint
            )
        case several:
            more = "more than " if found.more else ""
            raise ConflictError(
                f"{text} is ambiguous: {more}{len(found.items)} items have an ID that starts "
                "or ends with it.",
                hint="\n".join(map(_line, several)),
            )


def _line(item: InboxRow) -> str:
    text = clipped(item.content, _SHOWN_CHARS)
    return f"  {item.id}  {local_date(item.created)}  {item.status}  {text}"
