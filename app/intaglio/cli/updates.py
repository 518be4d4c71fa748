"""`intaglio update` and `intaglio whats-new`: newer versions, and what is new in each."""

import textwrap
from collections.abc import Iterator
from typing import Final

import click

from intaglio.cli.connection import daemon_client
from intaglio.cli.options import CommandGroup
from intaglio.cli.output import INDENT, local_time, paragraph, print_json
from intaglio.fence.characters import visible
from intaglio.wire.updates import (
    ChangelogReply,
    ReleaseRow,
    UpdateCheckReply,
    UpdateConfigRequest,
)

_WIDTH: Final = 100


@click.group(cls=CommandGroup, invoke_without_command=True)
@click.pass_context
def update(context: click.Context) -> None:
    """Look for a newer version, by the package manager that installed Intaglio.

    Nothing is installed: the command that does is shown.
    """
    if context.invoked_subcommand is None:
        context.invoke(check)


@update.command()
@click.option("--known", is_flag=True, help="Ask nobody; show what the last check found.")
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's reply as JSON.")
def check(*, known: bool = False, as_json: bool = False) -> None:
    """Ask the package manager for a newer version."""
    with daemon_client() as client:
        found = client.update_check(force=not known)
    if as_json:
        print_json(found)
        return
    for line in _check_lines(found):
        click.echo(line)


def _check_lines(found: UpdateCheckReply) -> Iterator[str]:
    if found.pending_version:
        version = visible(found.pending_version)
        yield f"Version {version} is installed; {found.current_version} is still running."
        yield paragraph(f"To finish the update, run `{found.restart_command}`.", INDENT)
    elif found.update_available:
        version = visible(found.latest_version or "")
        yield f"Intaglio {version} is available; {found.current_version} is running."
        if found.release_url:
            yield f"{INDENT}{visible(found.release_url)}"
        yield paragraph(found.advice, INDENT)
        if found.command:
            yield f"{INDENT}{found.command}"
    elif found.obstacle:
        yield f"Intaglio {found.current_version}. Nobody can be asked for a newer version:"
        yield paragraph(visible(found.obstacle), INDENT)
        if found.command:
            yield f"{INDENT}{found.command}"
    elif found.check_error:
        yield f"Intaglio {found.current_version}. The check failed:"
        yield paragraph(visible(found.check_error), INDENT)
    elif found.checked_at is None:
        yield f"Intaglio {found.current_version}. It hasn't looked for a newer version yet."
    else:
        yield f"Intaglio {found.current_version}. No newer version was found."
    if found.checked_at:
        yield f"{INDENT}Last checked {local_time(found.checked_at)}."


@update.command()
@click.option("--yes", is_flag=True, help="Run the command without asking.")
def run(*, yes: bool) -> None:
    """Run the package manager's command, or show it if it needs an administrator.

    Only uv and pipx are run; each is asked about first.
    """
    with daemon_client() as client:
        known = client.update_check(force=False)
        if known.can_run and not yes:
            click.echo(f"This runs: {known.command}")
            click.confirm("Continue?", abort=True, err=True)
        done = client.run_update(confirmed=known.can_run)
    click.echo(visible(done.message))
    if done.restart_required:
        click.echo(f"To finish the update, run `{known.restart_command}`.")
    elif not done.success and known.can_run:
        raise click.exceptions.Exit(1)


@update.command()
@click.option("--check/--no-check", default=None, help="Check for updates by itself, or not.")
@click.option("--interval", type=int, help="Seconds between checks, 300 to 604800.")
@click.option("--channel", type=click.Choice(["latest", "preview"]), help="Which versions.")
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's reply as JSON.")
def config(*, check: bool | None, interval: int | None, channel: str | None, as_json: bool) -> None:
    """Show or change how updates are looked for."""
    with daemon_client() as client:
        if (check, interval, channel) != (None, None, None):
            client.change_update_config(
                UpdateConfigRequest(check=check, check_interval=interval, channel=channel)
            )
        now = client.update_config()
    if as_json:
        print_json(now)
        return
    often = f"every {now.check_interval:,} seconds" if now.check else "only when you ask"
    which = "finished versions and previews" if now.channel == "preview" else "finished versions"
    click.echo(f"Looks for updates {often}, for {which}.")
    click.echo("Nothing is installed by itself.")


@click.command("whats-new")
@click.option("--all", "all_", is_flag=True, help="All versions, not only the newest.")
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's reply as JSON.")
def whats_new(*, all_: bool, as_json: bool) -> None:
    """Show what is new: in the versions that you haven't seen yet, or in the newest one."""
    with daemon_client() as client:
        found = client.changelog()
        if as_json:
            print_json(found)
            return
        for line in _news(found, all_=all_):
            click.echo(line)
        client.mark_changelog_seen()


def _news(found: ChangelogReply, *, all_: bool) -> Iterator[str]:
    new = [release for release in found.releases if release.is_new]
    shown = found.releases if all_ else (new or found.releases[:1])
    if not shown:
        yield f"Intaglio {found.current_version} came without a changelog."
    for number, release in enumerate(shown):
        if number:
            yield ""
        yield from _release_lines(release)


def _release_lines(release: ReleaseRow) -> Iterator[str]:
    date = f" ({release.date})" if release.date else ""
    yield click.style(f"{release.version}{date}{' · new' if release.is_new else ''}", bold=True)
    for group in release.groups:
        if group.title:
            yield f"  {group.title}"
        for item in group.items:
            yield textwrap.fill(
                f"{item.title} {item.text}".strip(),
                _WIDTH,
                initial_indent="  - ",
                subsequent_indent=INDENT,
                break_long_words=False,
            )
