"""The log: JSON lines in rotated files, redacted before they are written."""

import logging
import logging.handlers
import os
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TypeAlias, cast

import structlog

from intaglio.base.clock import Clock, iso
from intaglio.base.files.regular_file import refuse_special
from intaglio.base.paths import make_private

Redact: TypeAlias = Callable[[str], str]
Logger: TypeAlias = structlog.typing.FilteringBoundLogger

_MAX_BYTES = 5_000_000
_KEPT_FILES = 5
_PRIVATE = 0o600


def _redacted(value: object, redact: Redact) -> object:
    match value:
        case str():
            return redact(value)
        case Mapping():
            items = cast("Mapping[object, object]", value).items()
            return {redact(str(key)): _redacted(item, redact) for key, item in items}
        case list() | tuple() | set() | frozenset():
            return [_redacted(item, redact) for item in cast("Iterable[object]", value)]
        case bool() | int() | float() | None:
            return value
        case _:
            return redact(str(value))


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """A rotated log file that only its owner can read, from the first byte on."""

    def _open(self) -> TextIOWrapper:
        # Opening a named pipe would wait for a reader.
        refuse_special(Path(self.baseFilename))
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        descriptor = os.open(self.baseFilename, flags, _PRIVATE)
        return TextIOWrapper(os.fdopen(descriptor, "ab"), self.encoding, write_through=True)


def configure_log(file: Path, redact: Redact, clock: Clock, *, level: str = "info") -> None:
    """Send all logging of this process, including libraries, to ``file``.

    Each string in a record is passed through ``redact`` before it is formatted.
    """
    make_private(file.parent)

    def add_timestamp(
        _: object, __: str, record: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        record["timestamp"] = iso(clock())
        return record

    def clean(_: object, __: str, record: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        return {key: _redacted(value, redact) for key, value in record.items()}

    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        add_timestamp,
        structlog.processors.format_exc_info,
        clean,
    ]
    handler = _PrivateFile(file, maxBytes=_MAX_BYTES, backupCount=_KEPT_FILES, encoding="utf-8")
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
    # It counts the changes of files, each time.
    logging.getLogger("watchfiles").setLevel(logging.WARNING)
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
