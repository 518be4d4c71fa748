"""Reads a line of the log: a record as `base/log.py` writes it, or whatever else stands there."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, cast

import msgspec

from intaglio.base.json.characters import readable
from intaglio.base.log import redacted
from intaglio.fence.characters import visible
from intaglio.logs.values import LoggedError, LogLine, RawLine, level_named
from intaglio.redaction.shown_text import without_secrets

UNREADABLE: Final = "unreadable"
"""The part of lines that are no records."""

_RAW_CHARS: Final = 2_000
_LONGEST_MS: Final = 1e15
# `logger` is what `part` was called in earlier versions.
_OWN_PLACE: Final = frozenset(
    {"timestamp", "level", "event", "part", "logger", "request_id", "duration_ms", "exception"}
)


def line_of(raw: RawLine) -> LogLine:
    """Return what a line says, as it is stored; `shown` makes it fit to be shown."""
    record = _record(raw.text)
    if record is None:
        return LogLine(
            position=raw.position,
            at="",
            level="info",
            part=UNREADABLE,
            # Twice what is shown, so that no secret is cut in two before it is recognised.
            message=raw.text[: 2 * _RAW_CHARS].decode(errors="replace"),
            data={"bytes": len(raw.text)},
        )
    request_id = record.get("request_id")
    return LogLine(
        position=raw.position,
        at=str(record.get("timestamp", "")),
        level=level_named(str(record.get("level"))),
        part=str(record.get("part") or record.get("logger") or ""),
        message=str(record["event"]),
        request_id=None if request_id is None else str(request_id),
        duration_ms=_duration_ms(record.get("duration_ms")),
        data={name: value for name, value in record.items() if name not in _OWN_PLACE},
        error=_error(record.get("exception")),
    )


def shown(line: LogLine) -> LogLine:
    """Return the line without secrets, control characters and invisible characters."""
    message = _shown(line.message)
    return replace(
        line,
        at=_shown(line.at),
        part=_shown(line.part),
        message=message[:_RAW_CHARS] if line.part == UNREADABLE else message,
        request_id=None if line.request_id is None else _shown(line.request_id),
        data=cast("Mapping[str, object]", redacted(line.data, _shown)),
        error=line.error and _error(_shown(line.error.stack)),
    )


def _record(text: bytes) -> Mapping[str, Any] | None:
    try:
        found: object = msgspec.json.decode(readable(text))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    if not isinstance(found, dict) or "event" not in found:
        return None
    return cast("Mapping[str, Any]", found)


def _duration_ms(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # A number of a hundred digits is none.
    return float(value) if abs(value) < _LONGEST_MS else None


def _shown(text: str) -> str:
    return without_secrets(visible(text))


def _error(trace: object) -> LoggedError | None:
    if not trace:
        return None
    stack = str(trace)
    name, _, message = stack.rstrip().rpartition("\n")[2].partition(": ")
    return LoggedError(name=name.strip(), message=message, stack=stack)
