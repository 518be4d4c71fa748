"""The `intaglio` command: its groups, and how every refusal is shown."""

import sys
from typing import Final

import click

from intaglio import __version__
from intaglio.base.errors import IntaglioError
from intaglio.cli.capture import pause, resume
from intaglio.cli.connect import connect, disconnect
from intaglio.cli.daemon import daemon
from intaglio.cli.dashboard import dashboard, openapi
from intaglio.cli.desk import autostart, desk
from intaglio.cli.doctor import doctor
from intaglio.cli.memory import recall, remember
from intaglio.cli.restore import restore
from intaglio.client.errors import UnreachableError

EXIT_REFUSED: Final = 1
EXIT_UNREACHABLE: Final = 3


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="intaglio")
def intaglio() -> None:
    """The memory of your coding agents, on your own machine.

    Exit codes: 0 done, 1 refused, 2 wrong usage, 3 the daemon does not answer.
    """


for _command in (
    daemon,
    desk,
    autostart,
    remember,
    recall,
    pause,
    resume,
    connect,
    disconnect,
    dashboard,
    doctor,
    restore,
    openapi,
):
    intaglio.add_command(_command)


def main() -> int:
    """Run the command line and return the exit code."""
    try:
        code = intaglio.main(prog_name="intaglio", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        click.echo("Aborted.", err=True)
        return EXIT_REFUSED
    except IntaglioError as error:
        click.echo(f"{error.title}: {error.detail}", err=True)
        if error.hint:
            click.echo(error.hint, err=True)
        return EXIT_UNREACHABLE if isinstance(error, UnreachableError) else EXIT_REFUSED
    except OSError as error:
        # A folder that cannot be written, a directory that is gone: the system's words say which.
        click.echo(f"It cannot be done: {error}", err=True)
        return EXIT_REFUSED
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    sys.exit(main())
