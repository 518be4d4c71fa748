"""`intaglio uninstall`: shows what would be removed, and removes it with ``--yes``."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

import intaglio
from intaglio.base.errors import ConfirmationNeededError
from intaglio.base.installation import command, kept_variables
from intaglio.base.installed_by import installed_by
from intaglio.base.paths import find_paths, home_folder
from intaglio.base.process.own_program import own_command
from intaglio.cli.main import EXIT_REFUSED, run_command
from intaglio.cli.uninstall import uninstall
from intaglio.client import service_definition
from intaglio.desktop.autostart.launcher import Launcher
from intaglio.desktop.autostart.switch import autostart_for
from intaglio.harness.registry import connection_targets
from intaglio.uninstall.next_command import removal_hint
from intaglio.uninstall.output import as_json, as_lines
from intaglio.uninstall.system import run_quietly
from intaglio.uninstall.uninstaller import Uninstaller
from intaglio.uninstall.values import UninstallReport


def main(arguments: Sequence[str]) -> int:
    """Run the command with these arguments and return the exit code."""
    # With the options of the command line's, which starts this program.
    run = click.Command("uninstall", params=uninstall.params, callback=_run)
    return run_command(run, command("uninstall"), arguments)


def _run(*, yes: bool, delete_data: bool, keep_data: bool, as_data: bool) -> int:
    del keep_data
    uninstaller = _uninstaller()
    if not yes:
        preview = uninstaller.preview(delete_data=delete_data)
        _show(preview, as_data=as_data, delete_data=delete_data)
        return 0
    if delete_data:
        _confirm_deletion(uninstaller)
    report = uninstaller.remove(delete_data=delete_data)
    _show(report, as_data=as_data, delete_data=delete_data)
    return EXIT_REFUSED if report.problems else 0


def _uninstaller() -> Uninstaller:
    home, paths = home_folder(), find_paths()
    launcher = Launcher(own_command(), kept_variables(os.environ))
    return Uninstaller(
        paths=paths,
        home=home,
        targets=connection_targets(paths),
        autostart=autostart_for(sys.platform, home, os.environ, launcher),
        service=service_definition.describe(sys.platform, home, os.environ, own_command()),
        run=run_quietly,
    )


def _confirm_deletion(uninstaller: Uninstaller) -> None:
    """Ask in a terminal; raises ConfirmationNeededError elsewhere."""
    data = [item for item in uninstaller.preview(delete_data=True).removes if item.kind == "data"]
    if not data:
        return
    if not sys.stdin.isatty():
        raise ConfirmationNeededError(
            "Deleting your memories has to be confirmed in a terminal.",
            hint="Leave out --delete-data, and delete these files yourself: "
            + ", ".join(file for item in data for file in item.files),
        )
    for item in data:
        click.echo(f"{item.title} ({item.note}):", err=True)
        for file in item.files:
            click.echo(f"  {file}", err=True)
    click.confirm("Delete them for good? This can't be undone.", abort=True, err=True)


def _show(report: UninstallReport, *, as_data: bool, delete_data: bool) -> None:
    kind = installed_by()
    hint = removal_hint(kind, sys.executable, Path(intaglio.__file__).parent)
    if as_data:
        click.echo(as_json(report, kind, hint))
        return
    options = "--yes --delete-data" if delete_data else "--yes"
    for line in as_lines(report, hint, options=options):
        click.echo(line)
