"""`intaglio run`, `tray`, `open` and `autostart`: they start the tray app."""

import click

from intaglio.base.process.own_program import become


@click.command()
@click.option("--headless", is_flag=True, help="Run only the daemon, in this terminal.")
@click.option("--no-icon", is_flag=True, help="Run without a tray icon.")
@click.option("--login", is_flag=True, help="Don't open the dashboard, as at login.")
@click.option("--quit", "quits", is_flag=True, help="Quit the tray app that runs.")
def tray(*, headless: bool, no_icon: bool, login: bool, quits: bool) -> None:
    """Run the tray app, which starts the daemon and opens the dashboard.

    If it is already running, open the dashboard there. Without a screen, run only the daemon.
    """
    flags = {"--headless": headless, "--no-icon": no_icon, "--login": login, "--quit": quits}
    become("tray", *(name for name, given in flags.items() if given))


run = click.Command(
    "run",
    callback=tray.callback,
    params=tray.params,
    help="Run Intaglio; the same as `intaglio tray`.",
)


@click.command("open")
@click.argument("link")
def open_link(*, link: str) -> None:
    """Open a link in the tray app.

    LINK is intaglio://open/PAGE, intaglio://memory/ID, intaglio://search?q=WORDS or
    intaglio://remember.
    """
    become("tray", "--", link)


@click.command()
@click.argument("action", type=click.Choice(["on", "off", "status"]), default="status")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def autostart(*, action: str, as_json: bool) -> None:
    """Start the tray app when you log in: on, off or status.

    While it is on, intaglio:// links open in the tray app, too.
    """
    become("autostart", action, *(["--json"] if as_json else []))
