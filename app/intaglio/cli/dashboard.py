"""`intaglio dashboard` and `intaglio openapi`."""

import os
import subprocess
import sys
import webbrowser

import click

from intaglio.cli.reach import daemon_client


def _has_screen() -> bool:
    if sys.platform in {"win32", "darwin"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


@click.command()
@click.option("--print", "only_print", is_flag=True, help="Show the link; open nothing.")
def dashboard(*, only_print: bool) -> None:
    """Open the dashboard by a link that signs one browser in, once, within ten minutes."""
    with daemon_client() as client:
        link = client.sign_in_link()
    click.echo(link.url)
    if not only_print and _has_screen():
        webbrowser.open(link.url)


@click.command()
def openapi() -> None:
    """Print the HTTP API's description (OpenAPI 3.1); nothing is started."""
    # The handlers belong to the daemon's half, which the command line does not load.
    done = subprocess.run([sys.executable, "-m", "intaglio", "openapi"], check=False)
    sys.exit(done.returncode)
