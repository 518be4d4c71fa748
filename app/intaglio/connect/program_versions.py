"""Asks the harnesses' own programs for their versions."""

import asyncio
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from intaglio.base.process.programs import find_program, run_program

_LIMIT_S: Final = 12.0
_AT_ONCE: Final = 2
_READ_BYTES: Final = 2_000
_VERSION: Final = re.compile(rb"\b\d{1,6}(?:\.\d{1,8}){1,3}(?:[-+][\w.+-]{1,40})?")


@dataclass(frozen=True, slots=True)
class ProgramVersions:
    """Runs ``<program> --version`` once for each file and time of its last change."""

    find: Callable[[str], str | None] = find_program
    limit_s: float = _LIMIT_S
    _known: dict[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])

    async def read(self, programs: Iterable[str]) -> Mapping[str, str]:
        """Return the version of each program; empty if it isn't installed or doesn't say it."""
        wanted = tuple(dict.fromkeys(programs))
        free = asyncio.Semaphore(_AT_ONCE)

        async def read(program: str) -> str:
            async with free:
                return await self._version(program)

        return dict(zip(wanted, await asyncio.gather(*map(read, wanted)), strict=True))

    async def _version(self, program: str) -> str:
        found = self.find(program) if program else None
        stamp = None if found is None else await asyncio.to_thread(_stamp, found)
        if found is None or stamp is None:
            return ""
        file, changed = stamp
        known = self._known.get(file)
        if known is not None and known[0] == changed:
            return known[1]
        version = await self._asked(found)
        if version is not None:
            self._known[file] = changed, version
        return version or ""

    async def _asked(self, program: str) -> str | None:
        """Return what the program says, or None if it didn't end."""
        # The interpreter that a script needs often stands beside it.
        path = os.pathsep.join((str(Path(program).parent), os.environ.get("PATH", os.defpath)))
        try:
            async with asyncio.timeout(self.limit_s):
                ended = await run_program(
                    (program, "--version"),
                    stdin=b"",
                    folder=Path(tempfile.gettempdir()),
                    environment={**os.environ, "PATH": path},
                )
        except (OSError, ValueError):  # TimeoutError is an OSError
            return None
        found = _VERSION.search((ended.output or b"")[:_READ_BYTES])
        return found[0].decode("ascii", "ignore") if found and not ended.code else ""


def _stamp(program: str) -> tuple[str, int] | None:
    """Return the file that a program is, and when it was changed."""
    try:
        file = Path(program).resolve()
        return str(file), file.stat().st_mtime_ns
    except (OSError, RuntimeError):
        return None
