"""`intaglio capture review`: captured memories that capture would not save any more."""

import sys
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import click

from intaglio.base.errors import ConflictError, InvalidInputError, NotFoundError
from intaglio.base.installation import command
from intaglio.cli.capture_trial import try_text
from intaglio.cli.connection import daemon_client, read_rows
from intaglio.cli.memories.lookup import is_id
from intaglio.cli.options import CommandGroup
from intaglio.cli.output import INDENT, clipped, line_width, print_json, short_ids, styled_id
from intaglio.client.daemon_client import DaemonClient
from intaglio.wire.capture_review import CaptureReviewKeepRequest, CaptureReviewRow
from intaglio.wire.changes import BatchForgetRequest, BatchRecoverRequest, ItemReply

ReviewAction: TypeAlias = Literal["forget", "keep", "forget-all", "restore-all"]

_PAGE: Final = 1_000
_MOST: Final = 100_000
_AT_ONCE: Final = 200
# As `review.rows.FORGET_REASON`, by which the review knows what it can restore.
_REASON: Final = "forgotten in the review of capture"


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
def capture() -> None:
    """Try what capture would keep, and review what it has saved."""


capture.add_command(try_text)


@capture.command()
@click.argument("ids", metavar="[ID...]", nargs=-1)
@click.option("--forget", "action", flag_value="forget", help="Forget these memories.")
@click.option("--keep", "action", flag_value="keep", help="Keep these; they aren't listed again.")
@click.option("--forget-all", "action", flag_value="forget-all", help="Forget all that are listed.")
@click.option(
    "--restore-all",
    "action",
    flag_value="restore-all",
    help="Restore all that were forgotten in the review.",
)
@click.option(
    "-n", "--limit", default=30, show_default=True, type=click.IntRange(1, _MOST), metavar="N"
)
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of memories.")
def review(
    *, ids: tuple[str, ...], action: ReviewAction | None, limit: int, yes: bool, as_json: bool
) -> None:
    """List memories that capture saved without asking and would not save now.

    The least likely come first, each with the sentence that it came from. What you edited,
    pinned or decided on isn't among them, and nothing is forgotten by itself. ID is a memory's ID,
    or its start or end.
    """
    if ids and action not in {"forget", "keep"}:
        raise click.UsageError("Use IDs with --forget or --keep.")
    if not ids and action in {"forget", "keep"}:
        raise click.UsageError(f"Use --{action} with the IDs of memories.")
    if as_json and action is not None:
        raise click.UsageError("Use --json to list.")
    with daemon_client() as client:
        match action:
            case None:
                _list(client, limit, as_json=as_json)
            case "keep":
                _keep(client, _find(_read(client), ids))
            case "forget":
                _forget(client, _find(_read(client), ids), yes=yes)
            case "forget-all":
                _forget(client, _read(client), yes=yes)
            case "restore-all":
                _restore(client)


def _read(client: DaemonClient, *, forgotten: bool = False) -> list[CaptureReviewRow]:
    return _rows(client, _MOST, forgotten=forgotten)[0]


def _rows(
    client: DaemonClient, limit: int, *, forgotten: bool = False
) -> tuple[list[CaptureReviewRow], bool]:
    def read_page(size: int, cursor: str | None) -> tuple[list[CaptureReviewRow], str | None]:
        page = client.capture_review(size, cursor, forgotten=forgotten)
        return page.items, page.cursor

    return read_rows(read_page, limit, _PAGE)


def _list(client: DaemonClient, limit: int, *, as_json: bool) -> None:
    rows, more = _rows(client, limit)
    if as_json:
        print_json(rows)
        return
    found = client.capture_review(1, None, forgotten=False)
    if not rows:
        click.echo("Capture would keep all that it has saved.")
    names = short_ids([row.id for row in rows])
    for row in rows:
        said = f"{row.confidence:.2f}  {row.reason or 'Not sure enough'}"
        click.echo(f"{styled_id(names[row.id])}  {said}")
        width = line_width(len(INDENT))
        click.echo(f"{INDENT}{clipped(row.content, width or len(row.content) + 1)}")
    if more:
        click.echo(f"Showing {len(rows)} of {found.total:,}. Use --limit to see more.", err=True)
    if found.reviewing:
        click.echo("The review isn't finished yet.", err=True)


def _find(rows: Sequence[CaptureReviewRow], parts: Sequence[str]) -> list[CaptureReviewRow]:
    """Find every memory before anything is changed; one that is named twice counts once."""
    found: dict[str, CaptureReviewRow] = {}
    hint = f"Run `{command('capture review')}` to see them with their IDs."
    for part in parts:
        text = part.strip()
        if not is_id(text):
            raise InvalidInputError(f"{part!r} isn't a valid memory ID.", hint=hint)
        fitting = [row for row in rows if row.id.startswith(text) or row.id.endswith(text)]
        if not fitting:
            raise NotFoundError(
                f"The review has no memory with an ID that starts or ends with {text}.", hint=hint
            )
        if len(fitting) > 1:
            raise ConflictError(f"{text} is ambiguous: {len(fitting)} memories have it.", hint=hint)
        found[fitting[0].id] = fitting[0]
    return list(found.values())


def _keep(client: DaemonClient, rows: Sequence[CaptureReviewRow]) -> None:
    for part in _parts(rows):
        client.keep_reviewed(CaptureReviewKeepRequest(ids=[row.id for row in part]))
    click.echo(f"Kept {_memories(len(rows))}.")


def _forget(client: DaemonClient, rows: Sequence[CaptureReviewRow], *, yes: bool) -> None:
    if not rows:
        click.echo("Capture would keep all that it has saved.")
        return
    if len(rows) > 1 and not yes:
        click.confirm(f"Forget {_memories(len(rows))}?", abort=True)
    done = 0
    for part in _parts(rows):
        request = BatchForgetRequest(
            ids=[row.id for row in part],
            if_versions={row.id: row.version for row in part},
            reason=_REASON,
            changed_by="cli",
            limit=_AT_ONCE,
        )
        # The daemon wants to know that somebody has looked at what many memories are.
        request.confirm_token = client.preview_forget(request).confirm_token
        done += _done(client.forget(request).results, "deleted")
    click.echo(f"Forgot {_memories(done)}.")
    if done:
        click.echo(f"Undo with: {command('capture review --restore-all')}")
    _end(len(rows), done)


def _restore(client: DaemonClient) -> None:
    rows = _read(client, forgotten=True)
    done = 0
    for part in _parts(rows):
        request = BatchRecoverRequest(
            ids=[row.id for row in part],
            if_versions={row.id: row.version for row in part},
            reason="restored in the terminal",
            changed_by="cli",
        )
        done += _done(client.recover(request).results, "recovered")
    click.echo(f"Restored {_memories(done)}.")
    _end(len(rows), done)


def _parts(rows: Sequence[CaptureReviewRow]) -> list[Sequence[CaptureReviewRow]]:
    return [rows[start : start + _AT_ONCE] for start in range(0, len(rows), _AT_ONCE)]


def _done(results: Sequence[ItemReply], status: str) -> int:
    return sum(result.status == status for result in results)


def _memories(count: int) -> str:
    return "1 memory" if count == 1 else f"{count:,} memories"


def _end(asked: int, done: int) -> None:
    if done < asked:
        click.echo(f"{_memories(asked - done)} changed in the meantime.", err=True)
        sys.exit(1)
