"""The `intaglio` command: its subcommands, and how errors are shown."""

import sys
from collections.abc import Sequence
from typing import Final

import click

from intaglio import __version__
from intaglio.base.errors import IntaglioError
from intaglio.base.installation import command as program
from intaglio.cli.analytics.commands import telemetry, timeline
from intaglio.cli.capture import pause, resume
from intaglio.cli.capture_review import capture
from intaglio.cli.commits.commands import commits
from intaglio.cli.connect import connect, disconnect
from intaglio.cli.daemon import daemon
from intaglio.cli.dashboard import dashboard, openapi
from intaglio.cli.database import db
from intaglio.cli.entities.commands import entities
from intaglio.cli.find import find
from intaglio.cli.git import git
from intaglio.cli.health.doctor import doctor
from intaglio.cli.health.repair import repair
from intaglio.cli.health.status import status
from intaglio.cli.history_import.commands import import_history
from intaglio.cli.inbox.commands import inbox
from intaglio.cli.map.commands import map_group
from intaglio.cli.mcp.command import mcp
from intaglio.cli.memories.edit import edit
from intaglio.cli.memories.forget import forget, reinstate, restore
from intaglio.cli.memories.listing import list_memories
from intaglio.cli.memories.recall import recall
from intaglio.cli.memories.remember import remember
from intaglio.cli.memories.show import show
from intaglio.cli.models.commands import models
from intaglio.cli.options import summaries
from intaglio.cli.pipeline.commands import pipeline
from intaglio.cli.preview import preview
from intaglio.cli.projects.commands import projects
from intaglio.cli.sessions.commands import sessions
from intaglio.cli.settings.commands import config
from intaglio.cli.statistics import stats
from intaglio.cli.sync import sync
from intaglio.cli.take_back import take_back
from intaglio.cli.tray import autostart, open_link, run, tray
from intaglio.cli.uninstall import uninstall
from intaglio.cli.updates import update, whats_new
from intaglio.client.errors import UnreachableError

EXIT_REFUSED: Final = 1
EXIT_UNREACHABLE: Final = 3

_SECTIONS: Final = {
    "Memories": (
        *(find, remember, recall, list_memories, show, edit, forget, restore, reinstate),
        *(take_back, entities, map_group, stats, inbox, capture, import_history, projects, commits),
    ),
    "Agents": (preview, sessions, connect, disconnect, sync, mcp, pause, resume),
    "Apps": (run, tray, dashboard, open_link, autostart),
    "Maintenance": (
        status,
        doctor,
        repair,
        config,
        models,
        pipeline,
        git,
        daemon,
        db,
        openapi,
        update,
        whats_new,
        timeline,
        telemetry,
        uninstall,
    ),
}


class _Sections(click.Group):
    """A group whose help lists its commands by section, in their order there."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands of each section."""
        del ctx
        width = max(len(name) for name in self.commands)
        for title, commands in _SECTIONS.items():
            with formatter.section(title):
                rows = summaries(commands)
                formatter.write_dl([(f"{name:<{width}}", summary) for name, summary in rows])


@click.group(cls=_Sections, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="intaglio")
def intaglio() -> None:
    """The memory of your coding agents, on your own machine.

    Begin with `intaglio run`, which opens the dashboard, or with `intaglio connect`.

    Exit codes: 0 success, 1 error, 2 wrong usage, 3 the daemon couldn't be reached.
    """


for _commands in _SECTIONS.values():
    for _command in _commands:
        intaglio.add_command(_command)


def main() -> int:
    """Run the command line and return the exit code."""
    return run_command(intaglio, program())


def run_command(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> int:
    """Run a command of this name, show its error, if any, and return the exit code.

    Without ``arguments``, it gets those of this process.
    """
    words = None if arguments is None else list(arguments)
    try:
        code = command.main(args=words, prog_name=name, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        click.echo("Aborted.", err=True)
        return EXIT_REFUSED
    except IntaglioError as error:
        click.echo(f"Error: {error.detail[:1].upper()}{error.detail[1:]}", err=True)
        if error.hint:
            click.echo(error.hint, err=True)
        return EXIT_UNREACHABLE if isinstance(error, UnreachableError) else EXIT_REFUSED
    except (OSError, UnicodeError) as error:
        # A folder that cannot be written, a directory that is gone: the system's words say which.
        is_name = isinstance(error, UnicodeError)
        said = "The name of a folder or a variable isn't valid UTF-8." if is_name else error
        click.echo(f"Error: {said}", err=True)
        return EXIT_REFUSED
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    sys.exit(main())
