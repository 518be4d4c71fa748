"""`intaglio pause` and `intaglio resume`, and how a pause is told in words."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

import click

from intaglio.base.clock import parse_moment, system_clock
from intaglio.cli.reach import daemon_client
from intaglio.wire.capture import CaptureReply, CaptureStatus

_SPAN: Final = re.compile(r"(?:(\d{1,3})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m(?:in)?)?")
_MOST_MINUTES: Final = 10_080
_TIME: Final = re.compile(r"\d{1,2}:\d\d")


def minutes_in(text: str) -> int:
    """Read 15m, 1h, 1h30m or 2d; raises BadParameter for what is none, or more than a week."""
    found = _SPAN.fullmatch(text.strip().lower())
    days, hours, minutes = (int(part or 0) for part in found.groups()) if found else (0, 0, 0)
    total = days * 1_440 + hours * 60 + minutes
    if not 1 <= total <= _MOST_MINUTES:
        raise click.BadParameter(f"{text!r} is no time from 1m to 7d, as 15m, 1h or 1h30m.")
    return total


def moment_in(text: str, now: datetime) -> str:
    """Read tomorrow, a time of day to come, or a date and time, by the terminal's own clock.

    ``now`` is aware. Raises BadParameter for what is none of these.
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
            f"{text!r} is neither tomorrow nor a time, as 18:30 or 2026-01-31T08:00."
        ) from None


def pause_words(capture: CaptureReply | CaptureStatus, now: datetime) -> str:
    """Say until when capture is paused, by the terminal's own clock; ``now`` is aware."""
    end = parse_moment(capture.until) if capture.until else None
    if end is None:
        return "paused until you resume it"
    end, today = end.astimezone(), now.astimezone().date()
    left = max(1, -(-int((end - now).total_seconds()) // 60))
    hours, minutes = divmod(left, 60)
    rest = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    shown = f"{end:%H:%M}" if end.date() == today else f"{end:%Y-%m-%d %H:%M}"
    return f"paused until {shown} ({rest} left)"


@click.command()
@click.option("--for", "span", help="15m, 1h, 1h30m, 2d; at most 7 days.")
@click.option("--until", "end", help="tomorrow (midnight), 18:30, or a date and time.")
def pause(*, span: str | None, end: str | None) -> None:
    """Pause capture: hooks keep nothing of what is said, now or later; recall goes on.

    Without a time it is paused until `intaglio resume`.
    """
    if span is not None and end is not None:
        raise click.UsageError("Give --for or --until, not both.")
    now = system_clock()
    minutes = minutes_in(span) if span is not None else None
    until = moment_in(end, now) if end is not None else None
    with daemon_client() as client:
        found = client.pause(minutes, until)
    click.echo(f"Capture is {pause_words(found, now)}.")


@click.command()
def resume() -> None:
    """End the pause: what is said from now on is captured again."""
    with daemon_client() as client:
        before = client.capture()
        client.resume()
    click.echo("Capture goes on." if before.paused else "Capture was not paused.")
