"""`intaglio take-back`: takes back all that came from one source, lists that, and undoes it."""

import os
import time
from typing import Final, get_args
from urllib.parse import quote

import click
import msgspec

from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client
from intaglio.cli.output import (
    INDENT,
    cell,
    clipped,
    column,
    counted,
    local_time,
    print_json,
    styled_id,
)
from intaglio.client.daemon_client import DaemonClient
from intaglio.domain.source_kinds import SourceKind
from intaglio.fence.characters import visible
from intaglio.wire.source_removal import (
    RemovedSource,
    SourceList,
    SourceRemoval,
    SourceRemovalList,
    SourceRemovalPreview,
    SourceRemovalRequest,
)

_PATH: Final = "/api/sources/take-back"
_TAKEN_BACK: Final = "/api/sources/taken-back"
_SHOWN_CHARS: Final = 70
_SHOWN: Final = 10
_LISTED: Final = 50
# The most that the daemon lists: what is undone may be old.
_SEARCHED: Final = 500
_POLL_S: Final = 0.5
_KINDS: Final[tuple[SourceKind, ...]] = get_args(SourceKind)


@click.command("take-back")
@click.argument("kind", type=click.Choice(_KINDS), required=False)
@click.argument("id_", metavar="[ID]", required=False)
@click.option("--elsewhere", is_flag=True, help="Also forget what comes from elsewhere too.")
@click.option("--list", "listing", is_flag=True, help="List what was taken back.")
@click.option("--undo", metavar="REMOVAL", help="Undo what `--list` shows with this id.")
@click.option("--reason", metavar="REASON", default="", help="Why, for the history.")
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's reply as JSON.")
def take_back(  # noqa: PLR0913 - the options of the command
    *,
    kind: SourceKind | None,
    id_: str | None,
    elsewhere: bool,
    listing: bool,
    undo: str | None,
    reason: str,
    yes: bool,
    as_json: bool,
) -> None:
    """Take back all that came from a source; without one, list the sources.

    Its memories are forgotten, its suggestions dropped, and nothing of it returns. ID is a
    session's number (see `intaglio sessions`), the id of an import, the path of a file, or the name
    of an agent or a tool. What you changed, confirmed or pinned stays.
    """
    if sum((kind is not None, listing, undo is not None)) > 1 or (kind and not id_):
        raise click.UsageError("Name one source (KIND and ID), or use --list or --undo REMOVAL.")
    with daemon_client() as client:
        if undo is not None:
            _report(client, _undo(client, undo), as_json=as_json)
        elif listing:
            _list(client, as_json=as_json)
        elif kind is None or id_ is None:
            _list_sources(client, as_json=as_json)
        else:
            request = SourceRemovalRequest(
                source=RemovedSource(kind=kind, id=_source_id(kind, id_)),
                elsewhere=elsewhere,
                reason=reason,
            )
            _take_back(client, request, yes=yes, as_json=as_json)


def _source_id(kind: SourceKind, text: str) -> str:
    """Return a source's id as the daemon has it: the path of a file that exists made absolute."""
    if kind == "file" and os.path.exists(text):  # noqa: PTH110 - as text
        return os.path.abspath(text)  # noqa: PTH100 - as text
    return text


def _take_back(
    client: DaemonClient, request: SourceRemovalRequest, *, yes: bool, as_json: bool
) -> None:
    preview = client.send("POST", _PATH, SourceRemovalPreview, body=request, owner=True)
    if not yes:
        click.echo(_preview_text(preview, elsewhere=request.elsewhere), err=as_json)
        click.confirm("Take this back?", abort=True, err=as_json)
    confirmed = msgspec.structs.replace(
        request, mode="execute", confirm_token=preview.confirm_token
    )
    done = client.send("POST", _PATH, SourceRemoval, body=confirmed, owner=True)
    _report(client, done, as_json=as_json)


def _preview_text(preview: SourceRemovalPreview, *, elsewhere: bool) -> str:
    shown = [
        f"{INDENT}{clipped(each.content, _SHOWN_CHARS)}"
        for each in preview.memories
        if not each.pinned and (elsewhere or not each.elsewhere)
    ]
    counts = ", ".join(
        (
            counted(preview.count, "memory", "memories"),
            counted(preview.suggestions, "open suggestion"),
            counted(preview.sessions, "session"),
        )
    )
    lines = [f"{visible(preview.label)}: {counts}", *shown[:_SHOWN]]
    if len(shown) > _SHOWN:
        lines.append(f"{INDENT}…")
    if preview.elsewhere and not elsewhere:
        stay = counted(preview.elsewhere, "memory stays", "memories stay")
        lines.append(f"{stay}: from elsewhere too, or confirmed by you.")
    if preview.messages:
        gone = counted(preview.messages, "stored message is", "stored messages are")
        lines.append(f"{gone} deleted.")
    return "\n".join(lines)


def _report(client: DaemonClient, done: SourceRemoval, *, as_json: bool) -> None:
    """Wait until a removal, or undoing it, is complete, and say what became of it."""
    while done.running:
        time.sleep(_POLL_S)
        found = _taken_back(client, _SEARCHED)
        done = next((each for each in found if each.id == done.id), done)
    if as_json:
        print_json(done)
        return
    click.echo(_line(done))
    if done.undone is None:
        click.echo(f"Undo with: {command(f'take-back --undo {done.id}')}")


def _line(done: SourceRemoval) -> str:
    if done.undone is not None:
        return f"Restored what came from {visible(done.label)}"
    return (
        f"Took back {visible(done.label)}: "
        f"{counted(done.forgotten, 'memory', 'memories')} forgotten, {done.kept:,} kept, "
        f"{counted(done.dropped, 'suggestion')} dropped"
    )


def _undo(client: DaemonClient, removal_id: str) -> SourceRemoval:
    path = f"{_TAKEN_BACK}/{quote(removal_id, safe='')}/undo"
    return client.send("POST", path, SourceRemoval, owner=True)


def _taken_back(client: DaemonClient, limit: int) -> list[SourceRemoval]:
    path = f"{_TAKEN_BACK}?limit={limit}"
    return client.send("GET", path, SourceRemovalList, owner=True).removals


def _list(client: DaemonClient, *, as_json: bool) -> None:
    removals = _taken_back(client, _LISTED)
    if as_json:
        print_json(removals)
        return
    if not removals:
        click.echo("Nothing was taken back.")
    for each in removals:
        state = "running" if each.running else "undone" if each.undone else ""
        click.echo(
            f"{styled_id(each.id)}  {local_time(each.at)}  {_line_of(each)}  {state}".rstrip()
        )


def _line_of(removal: SourceRemoval) -> str:
    # An import's label says what it is.
    kind = "" if removal.source.kind == "import" else f"{removal.source.kind} "
    return f"{kind}{visible(removal.label)} ({removal.forgotten} forgotten)"


def _list_sources(client: DaemonClient, *, as_json: bool) -> None:
    sources = client.send("GET", "/api/sources", SourceList, owner=True).sources
    if as_json:
        print_json(sources)
        return
    if not sources:
        click.echo("No memory comes from an import, a file, an agent or a tool.")
    width = column([each.kind for each in sources])
    for each in sources:
        # An import's id says nothing, but is what to name it by.
        label = f"  ({visible(each.label)})" if each.kind == "import" else ""
        click.echo(f"{cell(each.kind, width)}  {each.memories:>6}  {visible(each.id)}{label}")
    click.echo(f"Sessions are sources too: `{command('sessions')}` lists them.", err=True)
