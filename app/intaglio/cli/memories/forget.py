"""`intaglio forget`, `restore` and `reinstate`: forget memories, and take that back."""

import sys
from collections.abc import Iterable, Sequence
from typing import Final

import click

from intaglio.base.errors import ConflictError
from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client
from intaglio.cli.memories.listing import lines_of
from intaglio.cli.memories.lookup import Wanted, find_memory
from intaglio.cli.output import INDENT, clipped, short_ids, styled_id
from intaglio.client.daemon_client import DaemonClient
from intaglio.wire.changes import (
    BatchForgetRequest,
    BatchRecoverRequest,
    ItemReply,
    ValidityRequest,
)
from intaglio.wire.memory import MemoryRow

_SHOWN_CHARS: Final = 60
_MOST: Final = 200
_FAILURES: Final = {
    "already_deleted": "It is already forgotten.",
    "not_deleted": "It isn't forgotten.",
    "not_found": "It no longer exists.",
    "retention_expired": "It was forgotten too long ago to be restored.",
    "version_conflict": "It was changed in the meantime.",
    "duplicate_content_hash": "Another memory has the same text.",
}


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--reason", metavar="REASON", help="Why, for the history.")
def forget(*, ids: tuple[str, ...], yes: bool, reason: str | None) -> None:
    """Forget memories. They can be restored until their retention period ends.

    ID is a memory's ID, or its start or end.
    """
    with daemon_client() as client:
        memories = _find(client, ids, "live")
        if len(memories) > 1 and not yes:
            for line in lines_of(memories):
                click.echo(line)
            click.confirm(f"Forget these {len(memories)} memories?", abort=True)
        request = BatchForgetRequest(
            ids=[memory.id for memory in memories],
            if_versions={memory.id: memory.version for memory in memories},
            reason=reason or "forgotten in the terminal",
            changed_by="cli",
        )
        # The daemon wants to know that somebody has looked at what many memories are.
        request.confirm_token = client.preview_forget(request).confirm_token
        results = client.forget(request).results
    done = _report(memories, results, "deleted", "Forgot", "forget")
    if done:
        shortened = " ".join(short_ids([memory.id for memory in done]).values())
        click.echo(f"Undo with: {command(f'restore {shortened}')}")
    _end(len(memories), len(done))


@click.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", metavar="REASON", help="Why, for the history.")
def restore(*, ids: tuple[str, ...], reason: str | None) -> None:
    """Restore forgotten memories. `intaglio list --forgotten` shows them.

    ID is a memory's ID, or its start or end.
    """
    with daemon_client() as client:
        memories = _find(client, ids, "forgotten")
        results = client.recover(
            BatchRecoverRequest(
                ids=[memory.id for memory in memories],
                if_versions={memory.id: memory.version for memory in memories},
                reason=reason or "restored in the terminal",
                changed_by="cli",
            )
        ).results
    done = _report(memories, results, "recovered", "Restored", "restore")
    _end(len(memories), len(done))


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--reason", metavar="REASON", help="Why, for the history.")
def reinstate(*, id_: str, reason: str | None) -> None:
    """Use a replaced memory again. `intaglio list --status replaced` shows them.

    The memory that replaced it stays as it is. ID is a memory's ID, or its start or end.
    """
    with daemon_client() as client:
        memory = find_memory(client, id_, "live")
        name = styled_id(short_ids([memory.id])[memory.id])
        if memory.status != "replaced":
            raise ConflictError(f"Memory {name} isn't replaced by another one.")
        request = ValidityRequest(
            reason=reason or "used again in the terminal",
            if_version=memory.version,
            changed_by="cli",
        )
        client.reinstate(memory.id, request)
    click.echo(f"Used again {name}: {clipped(memory.content, _SHOWN_CHARS)}")


def _find(client: DaemonClient, ids: Sequence[str], wanted: Wanted) -> list[MemoryRow]:
    """Find every memory before anything is changed; one that is named twice counts once."""
    found = {memory.id: memory for memory in (find_memory(client, each, wanted) for each in ids)}
    if len(found) > _MOST:
        raise ConflictError(f"At most {_MOST} memories can be changed at a time.")
    return list(found.values())


def _report(
    memories: Sequence[MemoryRow],
    results: Iterable[ItemReply],
    success: str,
    verb: str,
    action: str,
) -> list[MemoryRow]:
    """Show what became of each memory; return those that were changed."""
    outcome = {result.id: result for result in results}
    ids = short_ids([memory.id for memory in memories])
    done: list[MemoryRow] = []
    for memory in memories:
        name, text = styled_id(ids[memory.id]), clipped(memory.content, _SHOWN_CHARS)
        result = outcome.get(memory.id)
        if result is not None and result.status == success:
            done.append(memory)
            click.echo(f"{verb} {name}: {text}")
        else:
            click.echo(f"Couldn't {action} {name}: {text}", err=True)
            click.echo(f"{INDENT}{_reason(memory, result, ids[memory.id])}", err=True)
    return done


def _reason(memory: MemoryRow, result: ItemReply | None, short_id: str) -> str:
    missing = "already_deleted" if memory.is_deleted else "not_found"
    status = missing if result is None else result.status
    if status == "pinned_requires_force":
        return f"It is pinned. Unpin it first: {command(f'edit {short_id} --no-pin')}"
    told = result.error if result is not None else None
    return _FAILURES.get(status, told or status)


def _end(asked: int, done: int) -> None:
    if done < asked:
        sys.exit(1)
