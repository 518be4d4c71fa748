"""`intaglio restore`: put a kept copy in the database's place."""

import click

from intaglio.base.errors import ConflictError
from intaglio.cli.reach import daemon_client


@click.command()
@click.argument("name", required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--list", "only_list", is_flag=True, help="Show the copies and do nothing.")
def restore(*, name: str | None, yes: bool, only_list: bool) -> None:
    """Replace the database by its newest good backup, or by the one called NAME.

    The present database is set aside beside the new one, not deleted.
    """
    with daemon_client() as client:
        kept = client.backups().backups
        for backup in kept:
            click.echo(f"{backup.created_at}  {backup.bytes / 1e6:8.1f} MB  {backup.name}")
        if not kept:
            raise ConflictError("There is no backup.", hint="The database was left as it is.")
        if only_list:
            return
        chosen = name or "the newest good one"
        if not yes:
            click.confirm(f"Replace the database by {chosen}?", abort=True)
        done = client.restore(name)
    click.echo(f"Restored {done.restored}; the replaced files are in {done.set_aside}.")
