"""`intaglio pause` and `intaglio resume`: pause and resume capture."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

import click

from intaglio.base.clock import parse_moment, system_clock
from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client
from intaglio.cli.output import until_words
from intaglio.wire.capture import CaptureReply, CaptureStatus

_SPAN: Final = re.compile(r"(?:(\d{1,3})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m(?:in)?)?")
_MOST_MINUTES: Final = 10_080
_TIME: Final = re.compile(r"\d{1,2}:\d\d")


def minutes_in(text: str) -> int:
    """Read a duration such as 15m, 1h, 1h30m or 2d in minutes.

    Raises BadParameter for anything else, and for less than a minute or more than a week.
    """
    found = _SPAN.fullmatch(text.strip().lower())
    days, hours, minutes = (int(part or 0) for part in found.groups()) if found else (0, 0, 0)
    total = days * 1_440 + hours * 60 + minutes
    if not 1 <= total <= _MOST_MINUTES:
        raise click.BadParameter("Use 1m to 7d, e.g. 15m or 1h30m.", param_hint="--for")
    return total


def moment_in(text: str, now: datetime) -> str:
    """Read "tomorrow", the next occurrence of a time of day, or a date and time, as local time.

    ``now`` is aware. Raises BadParameter for anything else.
    """
    wanted = text.strip().lower()
    if wanted == "tomorrow":
        return wanted
    try:
        if _TIME.fullmatch(wanted):
            hour, _, minute = wanted.partition(":")
            # Without a zone: between now and then the clocks may change, and with them the offset.
            today = now.astimezone().replace(tzinfo=None)
            moment = today.replace(hour=int(hour), minute=int(minute), second=0, microsecond=0)
            moment += timedelta(days=1 if moment <= today else 0)
        else:
            moment = datetime.fromisoformat(text.strip())
        return moment.astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        raise click.BadParameter(
            'Use "tomorrow", a time such as 18:30, or a date and time such as 2026-01-31T08:00.',
            param_hint="--until",
        ) from None


def pause_words(capture: CaptureReply | CaptureStatus, now: datetime) -> str:
    """Say until when capture is paused, in local time; ``now`` is aware."""
    end = parse_moment(capture.until) if capture.until else None
    if end is None:
        return "paused until you resume it"
    return f"paused until {until_words(end, now)}"


@click.command()
@click.option("--for", "span", metavar="DURATION", help="15m, 1h, 1h30m or 2d; at most 7d.")
@click.option("--until", "end", metavar="TIME", help="tomorrow, 18:30, or a date and time.")
def pause(*, span: str | None, end: str | None) -> None:
    """Pause capture: nothing from your sessions is saved, now or later.

    Recall keeps working. Without an option, capture stays paused until `intaglio resume`.
    """
    if span is not None and end is not None:
        raise click.UsageError("Use --for or --until, not both.")
    now = system_clock()
    minutes = minutes_in(span) if span is not None else None
    until = moment_in(end, now) if end is not None else None
    with daemon_client() as client:
        found = client.pause(minutes, until)
    click.echo(f"Capture is {pause_words(found, system_clock())}.")
    if found.until is None:
        click.echo(f"Resume it with `{command('resume')}`.")


@click.command()
def resume() -> None:
    """Resume capture."""
    with daemon_client() as client:
        before = client.capture()
        client.resume()
    click.echo("Capture resumed." if before.paused else "Capture isn't paused.")
