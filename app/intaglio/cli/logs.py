"""`intaglio daemon logs`: the daemon's log, readable or as the JSON lines it is stored in."""

import time
from collections.abc import Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, Final, cast

import click
import msgspec

from intaglio.base.errors import ConflictError
from intaglio.base.files.regular_file import open_regular
from intaglio.base.installation import command
from intaglio.cli.connection import paths
from intaglio.cli.output import local_time

_LINE_BYTES: Final = 2_000
_LOOK_EVERY_S: Final = 0.3
_LEVEL_CHARS: Final = 8
_COLOURS: Final = {
    "debug": "bright_black",
    "info": "green",
    "warning": "yellow",
    "error": "red",
    "critical": "red",
}
# They stand elsewhere in the line, or below it.
_OWN_PLACE: Final = frozenset({"timestamp", "level", "event", "exception", "stack"})


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
@click.option("--json", "as_json", is_flag=True, help="Print the JSON lines as they are stored.")
def logs(*, lines: int, follow: bool, as_json: bool) -> None:
    """Show the daemon's log, newest lines last."""
    file = paths().log_file
    if not file.exists():
        raise ConflictError(
            f"There is no log at {file} yet.",
            hint=f"The daemon writes it. Start it with `{command('daemon start')}`.",
        )
    with TextIOWrapper(open_regular(file), encoding="utf-8", errors="replace") as stream:
        for line in _last(stream, file, lines):
            _print(line, as_json=as_json)
        begun = ""
        while follow:
            begun += stream.readline()
            if begun.endswith("\n"):
                _print(begun, as_json=as_json)
                begun = ""
            else:
                time.sleep(_LOOK_EVERY_S)


def _print(line: str, *, as_json: bool) -> None:
    click.echo(line.rstrip("\n") if as_json else readable(line))


def _last(stream: IO[str], file: Path, count: int) -> list[str]:
    """Return the last lines, without reading a large file from its start."""
    start = max(0, file.stat().st_size - count * _LINE_BYTES)
    stream.seek(start)
    # Most likely in the middle of a line.
    return stream.readlines()[1 if start else 0 :][-count:]


def readable(line: str) -> str:
    """Write a line of the log as time, level, message and key=value pairs, in local time.

    A line that isn't a JSON object is left as it is. A traceback follows on lines of its own.
    """
    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError):
        return line.rstrip("\n")
    if not isinstance(record, dict):
        return line.rstrip("\n")
    fields = cast("dict[str, Any]", record)
    level = str(fields.get("level", ""))
    parts = [
        local_time(str(fields.get("timestamp", "")), "%Y-%m-%d %H:%M:%S"),
        click.style(f"{level:<{_LEVEL_CHARS}}", fg=_COLOURS.get(level)),
        str(fields.get("event", "")),
        *_pairs(fields),
    ]
    text = " ".join(part for part in parts if part)
    below = [str(fields[name]) for name in ("exception", "stack") if fields.get(name)]
    return "\n".join([text, *(f"    {row}" for each in below for row in each.splitlines())])


def _pairs(fields: Mapping[str, Any]) -> list[str]:
    return [
        f"{click.style(f'{name}=', dim=True)}{_value(value)}"
        for name, value in fields.items()
        if name not in _OWN_PLACE
    ]


def _value(value: object) -> str:
    match value:
        case str():
            plain = value and value.isprintable() and not set(value) & set(' "=')
            return value if plain else msgspec.json.encode(value).decode()
        case _:
            return msgspec.json.encode(value).decode()
