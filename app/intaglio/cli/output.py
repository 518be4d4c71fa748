"""How memories are shown in a terminal: short ids, names of projects, dates, lines that fit.

What memories say passes `visible` on its way: it could move the cursor or hide in the line.
"""

import shutil
import sys
import textwrap
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Final

import click
import msgspec

from intaglio.base.clock import local_day, parse_moment
from intaglio.domain.short_id import SHORT_ID
from intaglio.fence.characters import visible
from intaglio.projects.names import display_name

ANY_PROJECT: Final = "All projects"
INDENT: Final = "    "

_WIDEST_NAME: Final = 24
_NARROWEST: Final = 20


def short_ids(ids: Collection[str]) -> dict[str, str]:
    """Shorten ids to their ends, so far that each still differs from all others given."""
    shortened: dict[str, str] = {}
    for each in ids:
        length = SHORT_ID
        while length < len(each) and any(
            other != each and other.endswith(each[-length:]) for other in ids
        ):
            length += 1
        shortened[each] = each[-length:].lstrip("-")
    return shortened


def project_names(projects: Iterable[str | None]) -> dict[str | None, str]:
    """Name projects as people do; two of one name are told apart by their keys."""
    keys = {key for key in projects if key is not None}
    names = {key: visible(display_name(key)) for key in keys}
    shown = list(names.values())
    return {
        None: ANY_PROJECT,
        **{key: name if shown.count(name) == 1 else visible(key) for key, name in names.items()},
    }


def local_time(text: str | None, form: str = "%Y-%m-%d %H:%M") -> str:
    """Write a stored moment by the terminal's own clock; empty for none."""
    moment = parse_moment(text) if text else None
    return f"{moment.astimezone():{form}}" if moment else ""


def local_date(text: str) -> str:
    """Write the day of a stored moment by the terminal's own clock."""
    return local_day(text)


def counted(count: int, one: str, many: str = "") -> str:
    """Write a number with its noun."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def joined(parts: Sequence[str]) -> str:
    """List things in words: a, b and c."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def print_json(reply: object) -> None:
    """Print a reply of the daemon, or what is made of it, as one line of JSON."""
    sys.stdout.write(f"{msgspec.json.encode(reply).decode()}\n")


def styled_id(text: str) -> str:
    """Colour an id, as git does; what does not go to a terminal is left plain."""
    return click.style(text, fg="yellow")


def column(texts: Iterable[str]) -> int:
    """Return how wide a column of these texts is."""
    return min(_WIDEST_NAME, max(map(len, texts), default=0))


def cell(text: str, width: int) -> str:
    """Fit a text into a column of that width."""
    return f"{clipped(text, width):<{width}}"


def clipped(text: str, width: int) -> str:
    """Cut a text to one line of that width."""
    line = " ".join(visible(text).split())
    return line if len(line) <= width else f"{line[: max(1, width - 1)].rstrip()}…"


def line_width(used: int) -> int | None:
    """Return how many characters are left in the terminal's line; None where nothing is cut."""
    if not sys.stdout.isatty():
        return None
    return max(_NARROWEST, shutil.get_terminal_size().columns - used)


def paragraph(text: str, indent: str = INDENT) -> str:
    """Indent a text, wrapped to the terminal's width; each of its lines stays one."""
    width = line_width(0)
    lines = visible(text).splitlines() or [""]
    if width is None:
        return "\n".join(f"{indent}{line}" for line in lines)
    return "\n".join(
        textwrap.fill(
            line,
            width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        or indent
        for line in lines
    )


def until_words(end: datetime, now: datetime) -> str:
    """Say when a moment comes and how long that is; both are aware."""
    end, today = end.astimezone(), now.astimezone().date()
    left = max(1, round((end - now).total_seconds() / 60))
    hours, minutes = divmod(left, 60)
    rest = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    shown = f"{end:%H:%M}" if end.date() == today else f"{end:%Y-%m-%d %H:%M}"
    return f"{shown} ({rest} left)"
