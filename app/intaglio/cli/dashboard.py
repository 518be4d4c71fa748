"""`intaglio dashboard` and `intaglio openapi`."""

import os
import sys

import click

from intaglio.base.process.own_program import become
from intaglio.cli.connection import daemon_client
from intaglio.client.browser import open_dashboard


def _has_screen() -> bool:
    if sys.platform in {"win32", "darwin"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@click.command()
@click.option("--print", "only_print", is_flag=True, help="Print the link without opening it.")
def dashboard(*, only_print: bool) -> None:
    """Open the dashboard in your browser.

    The link signs in one browser and is valid for ten minutes.
    """
    with daemon_client() as client:
        click.echo(client.sign_in_link().url)
        if not only_print and _has_screen():
            open_dashboard(client)


@click.command()
def openapi() -> None:
    """Print the description of the HTTP API (OpenAPI 3.1)."""
    # The handlers belong to the daemon's half, which the command line does not load.
    become("openapi")
