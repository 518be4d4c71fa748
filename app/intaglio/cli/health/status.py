"""`intaglio status`: whether everything works, and what is wrong if not."""

import sys

import click

from intaglio.base.clock import system_clock
from intaglio.base.installation import command
from intaglio.cli.capture import pause_words
from intaglio.cli.connection import daemon_client
from intaglio.cli.output import INDENT, paragraph, print_json
from intaglio.fence.characters import visible
from intaglio.wire.status import IssueRow, Status

_STATES = {"ready": "running", "checking": "checking the database", "degraded": "read-only"}
_LEVELS = {"danger": "Problem: ", "warn": "Warning: ", "info": ""}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's status as JSON.")
def status(*, as_json: bool) -> None:
    """Show whether everything works: problems, agents, memories, inbox, address.

    Exit codes: 1 there is a problem, not only a warning; 3 the daemon isn't running.
    """
    with daemon_client() as client:
        client.health()
        now = client.status()
    if as_json:
        print_json(now)
    else:
        for line in _lines(now):
            click.echo(line)
    if any(issue.level == "danger" for issue in now.issues):
        sys.exit(1)


def issue_advice(issue: IssueRow) -> str:
    """Write what an issue means and what to do about it."""
    if issue.command:
        return f"{visible(issue.text)} `{issue.command}`."
    if issue.repair:
        return f"{visible(issue.text)} Run `{command(f'repair {issue.repair}')}`."
    return visible(issue.text)


def _lines(now: Status) -> list[str]:
    lines = [f"Intaglio {now.version}: {_STATES[now.state]}"]
    for issue in now.issues:
        lines += [
            f"  {_LEVELS[issue.level]}{visible(issue.title)}.",
            paragraph(issue_advice(issue), INDENT),
        ]
    if not any(issue.level != "info" for issue in now.issues):
        lines.append(f"  {visible(now.sentence)}")
    capture = now.capture
    if capture is not None and capture.paused:
        lines.append(f"  Capture    {pause_words(capture, system_clock().astimezone())}")
    waiting = f"{now.inbox:,} waiting for your decision" if now.inbox else "nothing waits"
    lines += [
        f"  Agents     {', '.join(map(visible, now.agents)) or 'none connected'}",
        f"  Memories   {now.store.memories:,} ({now.store.deleted:,} forgotten)",
        f"  Inbox      {waiting}",
        f"  Dashboard  http://{now.host}:{now.port} (sign in with `{command('dashboard')}`)",
    ]
    return lines
