"""The log: JSON lines in rotated files, redacted before they are written.

A line has ``timestamp``, ``level``, ``part`` (which part of the program wrote it), ``event`` (the
message), ``request_id`` while a request is served, ``exception`` (a traceback), and data by name.
"""

import logging
import logging.handlers
import os
import sys
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from contextlib import AbstractContextManager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import structlog
from structlog.contextvars import bound_contextvars, get_contextvars, merge_contextvars

from intaglio.base.clock import Clock, iso
from intaglio.base.error_text import traceback_text
from intaglio.base.files.regular_file import refuse_special
from intaglio.base.paths import make_private

Redact: TypeAlias = Callable[[str], str]
Logger: TypeAlias = structlog.typing.FilteringBoundLogger
_Record: TypeAlias = MutableMapping[str, Any]

MAX_BYTES: Final = 5_000_000
KEPT_FILES: Final = 5
"""How many rotated files there are beside the newest, at most."""

_PRIVATE = 0o600
_DEEPEST: Final = 20
_TEXT_CHARS: Final = 10_000
_REQUEST: Final = "request_id"


def redacted(value: object, redact: Redact, depth: int = 0) -> object:
    """Return what JSON holds, each text in it passed through ``redact`` and cut if it's long.

    What is nested more deeply than anybody reads is left out.
    """
    if depth > _DEEPEST:
        return "…"
    match value:
        case str():
            # Twice what is kept, so that no secret is cut in two before it is recognised.
            return redact(value[: 2 * _TEXT_CHARS])[:_TEXT_CHARS]
        case Mapping():
            items = cast("Mapping[object, object]", value).items()
            return {redact(str(key)): redacted(item, redact, depth + 1) for key, item in items}
        case list() | tuple() | set() | frozenset():
            return [redacted(item, redact, depth + 1) for item in cast("Iterable[object]", value)]
        case bool() | int() | float() | None:
            return value
        case _:
            return redacted(str(value), redact)


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """A rotated log file that only its owner can read, from the first byte on."""

    def _open(self) -> TextIOWrapper:
        # Opening a named pipe would wait for a reader.
        refuse_special(Path(self.baseFilename))
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        descriptor = os.open(self.baseFilename, flags, _PRIVATE)
        return TextIOWrapper(os.fdopen(descriptor, "ab"), self.encoding, write_through=True)


def _add_part(logger: logging.Logger | None, _: str, record: _Record) -> _Record:
    library: logging.LogRecord | None = record.get("_record")
    name = library.name if library is not None else getattr(logger, "name", None)
    # uvicorn calls its logger for everything but requests "error".
    record["part"] = "uvicorn" if name == "uvicorn.error" else name or "root"
    return record


def _shorten_asyncio(_: object, __: str, record: _Record) -> _Record:
    """Leave out of asyncio's messages the representation of tasks, with that of the exception."""
    if record["part"] == "asyncio":
        record["event"] = str(record["event"]).partition("\n")[0]
    return record


def _add_exception(_: object, __: str, record: _Record) -> _Record:
    given = record.pop("exc_info", None)
    match sys.exception() if given is True else given:
        case BaseException() as error:
            record["exception"] = traceback_text(error)
        case (_, BaseException() as error, _):
            record["exception"] = traceback_text(error)
        case _:
            pass
    return record


def configure_log(file: Path, redact: Redact, clock: Clock, *, level: str = "info") -> None:
    """Send all logging of this process, including libraries, to ``file``.

    Each string in a record is passed through ``redact`` before it is formatted.
    """
    make_private(file.parent)

    def add_timestamp(_: object, __: str, record: _Record) -> _Record:
        record["timestamp"] = iso(clock())
        return record

    def clean(_: object, __: str, record: _Record) -> _Record:
        return {
            key: value if key in {"_record", "_from_structlog"} else redacted(value, redact)
            for key, value in record.items()
        }

    shared: list[structlog.typing.Processor] = [
        merge_contextvars,
        _add_part,
        _shorten_asyncio,
        structlog.stdlib.add_log_level,
        add_timestamp,
        _add_exception,
        clean,
    ]
    handler = _PrivateFile(file, maxBytes=MAX_BYTES, backupCount=KEPT_FILES, encoding="utf-8")
    file.chmod(_PRIVATE)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
        old.close()
    root.addHandler(handler)
    root.setLevel(level.upper())
    # The one counts the changes of files, the other names the address of each request.
    for noisy in ("watchfiles", "httpx"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=False,
    )


def get_logger(name: str) -> Logger:
    """Return a package's logger."""
    logger: Logger = structlog.get_logger(name)
    return logger


def in_request(request_id: str) -> AbstractContextManager[None]:
    """Return a context in which log lines, and those of tasks started in it, name the request."""
    return bound_contextvars(**{_REQUEST: request_id})


def current_request() -> str | None:
    """Return the id of the request that is being served, or None."""
    found: str | None = get_contextvars().get(_REQUEST)
    return found
