"""`intaglio repair`: lists the repairs, counts what one would change, runs it, and undoes it."""

from typing import Final
from urllib.parse import quote

import click

from intaglio.base.errors import NotFoundError
from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client
from intaglio.cli.output import INDENT, cell, column, local_time, print_json, styled_id
from intaglio.client.daemon_client import DaemonClient
from intaglio.fence.characters import visible
from intaglio.wire.repair import (
    MaintenanceStatus,
    RepairList,
    RepairReply,
    RepairRequest,
    RepairRow,
    RepairRunRow,
)

_PATH: Final = "/api/repair"
_RUNS: Final = f"{_PATH}/runs"
# A large repair goes on in the background after 20 seconds.
_TIMEOUT_S: Final = 120.0
_SHOWN_RUNS: Final = 10
_MODES: Final = {
    "execute": "runs repairs by itself, but for those that change memories or entities",
    "observe": "shows which repairs it would run, and runs none",
    "off": "off",
}


@click.command("repair")
@click.argument("action", required=False)
@click.option("--dry-run", is_flag=True, help="Only count what it would change.")
@click.option("-n", "--limit", type=click.IntRange(1, 100_000), help="The most that it changes.")
@click.option("--all", "everything", is_flag=True, help="Change all, without a limit.")
@click.option("--undo", metavar="RUN", help="Undo what is listed with this id.")
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's reply as JSON.")
def repair(  # noqa: PLR0913 - the options of the command
    *,
    action: str | None,
    dry_run: bool,
    limit: int | None,
    everything: bool,
    undo: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Run a repair; without ACTION, list the repairs and their latest runs.

    What changes memories or entities is counted first, asks for confirmation, and can be undone.
    """
    if action is not None and undo is not None:
        raise click.UsageError("Use ACTION or --undo RUN, not both.")
    with daemon_client() as client:
        if undo is not None:
            _undo(client, undo, as_json=as_json)
        elif action is None:
            _list(client, as_json=as_json)
        else:
            request = RepairRequest(dry_run=dry_run, limit=limit, full_sweep=everything)
            _run(client, action, request, yes=yes or dry_run, as_json=as_json)


def _run(
    client: DaemonClient, action: str, request: RepairRequest, *, yes: bool, as_json: bool
) -> None:
    if not yes and not _confirms(client, action, request, as_json=as_json):
        return
    done = _post(client, action, request)
    if as_json:
        print_json(done)
        return
    click.echo(f"{visible(done.action)}: {visible(done.message)}")
    if done.run_id is not None and done.can_undo:
        click.echo(f"Undo with: {command(f'repair --undo {done.run_id}')}")


def _confirms(client: DaemonClient, action: str, request: RepairRequest, *, as_json: bool) -> bool:
    """Ask before a repair changes content, once it's counted; False if there is nothing to do."""
    known = {each.action: each for each in _repairs(client).repairs}
    if action not in known:
        raise NotFoundError(f"There is no repair “{action}”.", hint=_listed())
    if not known[action].changes_content:
        return True
    counting = RepairRequest(dry_run=True, limit=request.limit, full_sweep=request.full_sweep)
    counted = _post(client, action, counting)
    if not as_json or counted.affected:
        click.echo(visible(counted.message), err=as_json)
    if not counted.affected:
        click.echo("There is nothing to do.", err=as_json)
        return False
    click.confirm("Continue?", abort=True, err=as_json)
    return True


def _undo(client: DaemonClient, run_id: str, *, as_json: bool) -> None:
    path = f"{_RUNS}/{quote(run_id, safe='')}/undo"
    try:
        undone = client.send("POST", path, RepairRunRow, owner=True, timeout=_TIMEOUT_S)
    except NotFoundError as error:
        raise NotFoundError(f"{error.detail}.", hint=_listed()) from error
    if as_json:
        print_json(undone)
    else:
        click.echo(f"Undone: {visible(undone.message)}")


def _listed() -> str:
    return f"`{command('repair')}` lists them."


def _post(client: DaemonClient, action: str, request: RepairRequest) -> RepairReply:
    path = f"{_PATH}/{quote(action, safe='')}"
    return client.send("POST", path, RepairReply, body=request, owner=True, timeout=_TIMEOUT_S)


def _repairs(client: DaemonClient) -> RepairList:
    return client.send("GET", _PATH, RepairList, owner=True)


def _list(client: DaemonClient, *, as_json: bool) -> None:
    found = _repairs(client)
    if as_json:
        print_json(found)
        return
    width = column([each.action for each in found.repairs])
    for each in found.repairs:
        click.echo(f"{cell(each.action, width)}  {_line(each)}")
    if found.runs:
        click.echo("\nLatest runs:")
    for run in found.runs[:_SHOWN_RUNS]:
        undone = "  (undone)" if run.undone_at else ""
        click.echo(
            f"{INDENT}{styled_id(run.id)}  {local_time(run.at)}  {visible(run.action)} "
            f"by {run.actor}: {visible(run.message)}{undone}"
        )
    click.echo(_maintenance(found.maintenance))


def _line(row: RepairRow) -> str:
    last = f"  last {local_time(row.last_run_at)}" if row.last_run_at else ""
    refused = f"  ({visible(row.refused)})" if row.refused else ""
    return f"{visible(row.title)}{last}{refused}"


def _maintenance(status: MaintenanceStatus) -> str:
    parts = [f"\nMaintenance: {_MODES.get(status.mode, status.mode)}"]
    if status.last_cycle_at:
        parts.append(f"last round {local_time(status.last_cycle_at)}")
    if status.recommended:
        parts.append(f"recommended: {', '.join(status.recommended)}")
    if status.halted:
        parts.append(f"halted, because they didn't help: {', '.join(status.halted)}")
    if status.waiting:
        parts.append(f"heavy repairs wait: {status.waiting}")
    return "; ".join(parts)
