"""`intaglio desk …` and `intaglio autostart`: the tray is a program of its own, begun from here."""

import os
import subprocess
import sys

import click


def _become(*arguments: str) -> None:
    """Run a part of Intaglio that the command line does not load, in this process's place."""
    command = [sys.executable, "-m", "intaglio", *arguments]
    sys.stdout.flush()
    if sys.platform == "win32":
        sys.exit(subprocess.run(command, check=False).returncode)  # noqa: S603 - our own program
    os.execv(sys.executable, command)  # noqa: S606 - our own program, no shell


@click.group()
def desk() -> None:
    """The tray and the windows, which look after the daemon."""


@desk.command()
@click.option("--headless", is_flag=True, help="The daemon alone, in this terminal.")
@click.option("--no-icon", is_flag=True, help="Look after the daemon without a tray icon.")
@click.option("--login", is_flag=True, help="Open nothing; as at login.")
def run(*, headless: bool, no_icon: bool, login: bool) -> None:
    """Run the tray; where one runs already, open the dashboard there.

    Without a screen it is the daemon that runs.
    """
    flags = {"--headless": headless, "--no-icon": no_icon, "--login": login}
    _become("tray", *(name for name, given in flags.items() if given))


@desk.command("open")
@click.argument("link")
def open_link(*, link: str) -> None:
    """Open LINK: intaglio://open/PAGE, memory/ID, search?q=WORDS or remember."""
    _become("tray", "--", link)


@click.command()
@click.argument("action", type=click.Choice(["on", "off", "status"]), default="status")
def autostart(*, action: str) -> None:
    """Start the tray when you log in, and open links to Intaglio: on, off or status."""
    _become("autostart", action)
