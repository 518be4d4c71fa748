"""Options that several commands share, and what their values mean."""

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Final, TypeVar

import click

from intaglio.base.agent_id import ID_RULE, is_agent_id
from intaglio.base.clock import iso, parse_moment
from intaglio.domain.memory_types import GIVEN_TYPES as GIVEN_VALUES
from intaglio.domain.memory_types import given_labels, type_named

F = TypeVar("F", bound=Callable[..., Any])
GIVEN_TYPES: Final = given_labels("or")
"""The types that a user gives a memory, for help texts."""

# Longer than any summary: it is wrapped, not cut.
_SUMMARY_CHARS: Final = 200
_RELATIVE: Final = (".", f".{os.sep}", "..", f"..{os.sep}")


class CommandGroup(click.Group):
    """A group whose help shows the whole summary of each command."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the order of their names."""
        del ctx
        rows = summaries([self.commands[name] for name in sorted(self.commands)])
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def summaries(commands: Sequence[click.Command]) -> list[tuple[str, str]]:
    """Return the names and first sentences of the commands that help shows."""
    shown = [each for each in commands if not each.hidden]
    return [(str(each.name), each.get_short_help_str(_SUMMARY_CHARS)) for each in shown]


class ListFirstGroup(CommandGroup):
    """A group that lists without a command, and by a text if its list takes one."""

    first: ClassVar[str] = "list"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the first command before what is given to it."""
        if not args or (args[0] not in ctx.help_option_names and self._is_for_first(args[0])):
            args = [self.first, *args]
        return super().parse_args(ctx, args)

    def _is_for_first(self, word: str) -> bool:
        takes_text = any(
            isinstance(each, click.Argument) for each in self.commands[self.first].params
        )
        return word.startswith("-") or (takes_text and word not in self.commands)


class StatusFirstGroup(ListFirstGroup):
    """A group that shows the status without a command."""

    first = "status"


class AliasedOption(click.Option):
    """An option with former names, which work but are in no help."""

    def __init__(self, *args: Any, aliases: Sequence[str], **others: Any) -> None:  # noqa: ANN401 - as those of click
        """Create it; ``aliases`` are the former names."""
        super().__init__(*args, **others)
        self._aliases = aliases

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:  # noqa: ANN401 - its class is not public
        """Let the parser know the former names too."""
        shown = self.opts
        self.opts = [*shown, *self._aliases]
        try:
            super().add_to_parser(parser, ctx)
        finally:
            self.opts = shown


def all_projects_option(meaning: str) -> Callable[[F], F]:
    """Return the option ``--all-projects``, which arrives as ``everywhere``; see `scope_of`."""
    return click.option(
        "--all-projects",
        "everywhere",
        cls=AliasedOption,
        aliases=("--global",),
        is_flag=True,
        help=meaning,
    )


def type_option(meaning: str) -> Callable[[F], F]:
    """Return the option ``--type``, which arrives as ``kind``."""
    return click.option("--type", "kind", metavar="TYPE", help=meaning)


def memory_type_option(meaning: str, *, given: bool = False) -> Callable[[F], F]:
    """Return the option ``--type``, which takes labels and arrives as ``kind``, a stored value.

    With ``given``, it takes only a type that users give a memory; else it selects any.
    """
    callback = _given_type if given else _any_type
    return click.option("--type", "kind", metavar="TYPE", callback=callback, help=meaning)


def _any_type(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    return None if text is None else type_named(text)


def _given_type(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    kind = None if text is None else type_named(text)
    if kind is not None and kind not in GIVEN_VALUES:
        raise click.BadParameter(f"{text!r} isn't a type. Use {GIVEN_TYPES}.")
    return kind


def scope_of(project: str | None, *, here: bool, everywhere: bool) -> str | None:
    """Return the project as `project_of` does; raise a usage error for one and all projects."""
    wanted = project_of(project, here=here)
    if everywhere and wanted is not None:
        raise click.UsageError("Use --all-projects or a project, not both.")
    return wanted


def project_options(meaning: str) -> Callable[[F], F]:
    """Return the options ``--project`` and ``--here``; see `project_of`."""

    def decorate(function: F) -> F:
        here = click.option("--here", is_flag=True, help="Use the project of this directory.")
        named = click.option("--project", metavar="PROJECT", help=meaning)
        return named(here(function))

    return decorate


def agent_option(meaning: str) -> Callable[[F], F]:
    """Return the option ``--agent``, which takes only what can be an agent's id."""
    return click.option("--agent", metavar="AGENT", callback=_agent_id, help=meaning)


def as_of_option(function: F) -> F:
    """Add the option ``--as-of``, which takes only a time."""
    meaning = "What held at a time, such as 2026-01-31."
    return click.option("--as-of", metavar="TIME", callback=_time, help=meaning)(function)


def _time(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text is not None and parse_moment(text) is None:
        raise click.BadParameter(
            f"{text!r} isn't a date or time. Use one such as 2026-01-31 or 2026-01-31T09:00:00Z."
        )
    return text


def moment_option_value(option: str, text: str, more: str = "") -> str:
    """Return a time of the terminal's own clock as the API takes it.

    ``more`` names what else the option takes.
    """
    try:
        return iso(datetime.fromisoformat(text.strip()).astimezone())
    except (ValueError, OverflowError) as error:
        raise click.BadParameter(
            f"{text!r} is not a day or a time. Use 2026-01-31 or 2026-01-31T14:00{more}.",
            param_hint=option,
        ) from error


def _agent_id(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text is not None and not is_agent_id(text):
        raise click.BadParameter(f"{text!r} isn't an agent id. Use {ID_RULE}.")
    return text


def refuse_empty_project(project: str | None) -> None:
    """Raise a usage error for a ``--project`` without a name, which would mean another thing."""
    if project is not None and not project.strip():
        raise click.UsageError("--project needs a path or a name.")


def project_of(project: str | None, *, here: bool) -> str | None:
    """Return the project that the options name, relative paths made absolute; None for none."""
    if here and project is not None:
        raise click.UsageError("Use --project or --here, not both.")
    if here:
        return os.getcwd()  # noqa: PTH109 - as text
    if project is not None and _is_relative_path(project):
        return os.path.abspath(project)  # noqa: PTH100 - as text
    return project


def _is_relative_path(project: str) -> bool:
    if project in _RELATIVE or project.startswith(_RELATIVE[1::2]):
        return True
    # A name may have a slash, too.
    return "/" in project and not os.path.isabs(project) and os.path.isdir(project)  # noqa: PTH112, PTH117 - as text
