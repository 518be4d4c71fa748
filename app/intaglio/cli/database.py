"""`intaglio db …`: the backups of the database."""

import sys
from collections.abc import Sequence

import click

from intaglio.base.errors import ConflictError
from intaglio.cli.connection import daemon_client
from intaglio.cli.options import CommandGroup
from intaglio.cli.output import local_time
from intaglio.wire.status import BackupRow


@click.group(cls=CommandGroup)
def db() -> None:
    """List, make, test and restore backups of the database."""


@db.command()
def backups() -> None:
    """List the backups, newest first.

    Copies that were saved because something happened to the database file are among them.
    """
    with daemon_client() as client:
        found = client.backups().backups
    if not found:
        click.echo("There are no backups yet.")
    _show(found)


@db.command()
def backup() -> None:
    """Make a backup now, beside the daily ones."""
    with daemon_client() as client:
        _show([client.make_backup()])


@db.command("test-backup")
@click.argument("name", required=False)
def test_backup(*, name: str | None) -> None:
    """Test that a backup can be restored, in a temporary folder.

    NAME is one of those that `intaglio db backups` lists; without it, the newest one is tested.
    Exit code 1: it can't be restored.
    """
    with daemon_client() as client:
        found = client.test_backup(name)
    click.echo(f"{found.name}: {found.text}")
    if not found.passed:
        sys.exit(1)


@db.command()
@click.argument("name", required=False)
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
def restore(*, name: str | None, yes: bool) -> None:
    """Replace the database with a backup.

    NAME is one of those that `intaglio db backups` lists; without it, the newest good one is
    used. The current database is kept beside the new one.
    """
    with daemon_client() as client:
        found = client.backups().backups
        if not found:
            raise ConflictError("There are no backups. The database was left as it is.")
        if not yes:
            _show(found)
            chosen = name or "the newest good backup"
            click.confirm(f"Replace the database with {chosen}?", abort=True)
        done = client.restore(name)
    click.echo(f"Restored {done.restored}. The replaced database is in {done.set_aside}.")


@db.command("create-empty")
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
def create_empty(*, yes: bool) -> None:
    """Create an empty database in the place of a missing one.

    What is left of the missing one is kept in the backups folder.
    """
    with daemon_client() as client:
        if not yes:
            click.confirm("Start with no memories, instead of restoring a backup?", abort=True)
        client.create_empty_database()
    click.echo("Created an empty database. Backups are kept.")


@db.command("confirm-clock")
def confirm_clock() -> None:
    """Confirm that the clock is right after a jump.

    Nothing is deleted by age until you confirm the clock or 24 hours pass.
    """
    with daemon_client() as client:
        client.confirm_clock()
    click.echo("The clock is trusted. Expired data will be deleted as usual.")


def _show(found: Sequence[BackupRow]) -> None:
    for backup in found:
        made, size = local_time(backup.created_at), backup.bytes / 1e6
        click.echo(
            f"{made}  {size:8.1f} MB  {_contents(backup):>16}  {backup.name}{_origin(backup)}"
        )


def _origin(backup: BackupRow) -> str:
    return "  (saved aside)" if backup.rescued else ""


def _contents(backup: BackupRow) -> str:
    if backup.in_future:
        return "from the future"
    match backup.memories:
        case None:
            return ""
        case 0:
            return "empty"
        case 1:
            return "1 memory"
        case many:
            return f"{many} memories"
