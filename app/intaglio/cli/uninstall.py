"""`intaglio uninstall`: its options; the program that it starts knows the tray app, too."""

import click

from intaglio.base.errors import InvalidInputError
from intaglio.base.process.own_program import become


@click.command()
@click.option("-y", "--yes", is_flag=True, help="Remove it; without this, only show what would be.")
@click.option(
    "--delete-data",
    is_flag=True,
    help="Delete your memories, backups and waiting events, too. Asks again, also with --yes.",
)
@click.option("--keep-data", is_flag=True, help="Keep your data, which is the default.")
@click.option("--json", "as_data", is_flag=True, help="Print JSON.")
def uninstall(*, yes: bool, delete_data: bool, keep_data: bool, as_data: bool) -> None:
    """Remove Intaglio from your agents and from this account.

    Stops the tray app and the daemon; takes hooks, tools and instructions out of every agent's
    settings; removes start at login, intaglio:// links, the system's service, hook programs and
    logs. Your memories and settings stay. Without --yes, it only shows all that.

    Exit code 1: something couldn't be removed.
    """
    if delete_data and keep_data:
        raise InvalidInputError("Give either --delete-data or --keep-data.")
    flags = {"--yes": yes, "--delete-data": delete_data, "--json": as_data}
    become("uninstall", *(name for name, given in flags.items() if given))
