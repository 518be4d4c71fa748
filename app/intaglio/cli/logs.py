"""`intaglio daemon logs`: the daemon's log, readable or as JSON; the daemon needn't run."""

import re
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

import click
import msgspec

from intaglio.base.clock import iso, system_clock
from intaglio.base.errors import ConflictError
from intaglio.base.installation import command
from intaglio.cli.connection import paths
from intaglio.cli.options import moment_option_value
from intaglio.cli.output import INDENT, local_time, print_json
from intaglio.logs.daemon_log import LOOK_EVERY_S
from intaglio.logs.files import LogFiles
from intaglio.logs.lines import line_of
from intaglio.logs.search import LogSearch, admitted
from intaglio.logs.values import LogFilter, LogLine, LogPosition, level_named

_LEVEL_CHARS: Final = 5
_COLOURS: Final = {"debug": "bright_black", "info": "green", "warn": "yellow", "error": "red"}
_AGO: Final = re.compile(r"([0-9]{1,5})([smhd])")
_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_LOST: Final = "(Lines were left out here: there were more than could be read.)"


def _moment(_: click.Context, option: click.Parameter, text: str | None) -> str | None:
    if text is None:
        return None
    if found := _AGO.fullmatch(text.strip()):
        return iso(system_clock() - timedelta(**{_UNITS[found[2]]: int(found[1])}))
    return moment_option_value(f"--{option.name}", text, ", or 15m, 2h or 3d for a time ago")


@click.command()
@click.option(
    "-n",
    "lines",
    default=50,
    show_default=True,
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="How many of the newest lines.",
)
@click.option("-f", "--follow", is_flag=True, help="Keep showing new lines until Ctrl+C.")
@click.option(
    "--level",
    type=click.Choice(["debug", "info", "warn", "warning", "error"]),
    default="debug",
    help="Only lines of this level or above.",
)
@click.option("--part", metavar="PART", help="Only lines of this part of the program.")
@click.option(
    "--since",
    callback=_moment,
    metavar="TIME",
    help="Only lines since then: 15m, 2h or 3d ago, a day or a time.",
)
@click.option("--until", callback=_moment, metavar="TIME", help="Only lines until then.")
@click.option("--request", metavar="ID", help="Only lines of this request.")
@click.option("--grep", default="", metavar="TEXT", help="Only lines that contain this text.")
@click.option("--json", "as_json", is_flag=True, help="Print each line as JSON, as the API does.")
def logs(  # noqa: PLR0913 - one for each option
    *,
    lines: int,
    follow: bool,
    level: str,
    part: str | None,
    since: str | None,
    until: str | None,
    request: str | None,
    grep: str,
    as_json: bool,
) -> None:
    """Show the daemon's log, newest lines last."""
    file = paths().log_file
    if not file.exists():
        raise ConflictError(
            f"There is no log at {file} yet.",
            hint=f"The daemon writes it. Start it with `{command('daemon start')}`.",
        )
    files = LogFiles(file)
    wanted = LogFilter(
        level=level_named(level),
        part=part,
        since=since,
        until=until,
        request_id=request,
        text=grep.strip(),
    )
    page = LogSearch.at_once(files, wanted, lines)
    for line in page.lines:
        _print(line, as_json=as_json)
    if not page.lines and not follow:
        click.echo("No line of the log is like that.", err=True)
    if follow:
        _follow(files, wanted, page.end, as_json=as_json)


def _follow(files: LogFiles, wanted: LogFilter, end: LogPosition | None, *, as_json: bool) -> None:
    while True:
        new = files.after(end)
        if new.has_lost:
            click.echo(_LOST, err=True)
        for raw in new.lines:
            if (line := admitted(line_of(raw), wanted)) is not None:
                _print(line, as_json=as_json)
        if new.end == end:
            time.sleep(LOOK_EVERY_S)
        end = new.end


def _print(line: LogLine, *, as_json: bool) -> None:
    if as_json:
        print_json(line.as_entry())
    else:
        click.echo(readable(line))


def readable(line: LogLine) -> str:
    """Write a line as time, level, part, message and key=value pairs, in local time.

    A traceback follows on lines of its own.
    """
    request = {} if line.request_id is None else {"request": line.request_id}
    took = {} if line.duration_ms is None else {"ms": f"{line.duration_ms:g}"}
    parts = [
        local_time(line.at, "%Y-%m-%d %H:%M:%S"),
        click.style(f"{line.level:<{_LEVEL_CHARS}}", fg=_COLOURS[line.level]),
        click.style(line.part, bold=True) if line.part else "",
        line.message,
        *_pairs({**line.data, **took, **request}),
    ]
    text = " ".join(part for part in parts if part)
    below = line.error.stack.splitlines() if line.error else []
    return "\n".join([text, *(f"{INDENT}{row}" for row in below)])


def _pairs(fields: Mapping[str, object]) -> list[str]:
    return [f"{click.style(f'{name}=', dim=True)}{_value(value)}" for name, value in fields.items()]


def _value(value: object) -> str:
    match value:
        case str():
            plain = value and value.isprintable() and not set(value) & set(' "=')
            return value if plain else msgspec.json.encode(value).decode()
        case _:
            return msgspec.json.encode(value).decode()
