"""Knows of open sessions what only hooks tell: their processes, and where they were started."""

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, TypeVar

import psutil

from intaglio.base.clock import monotonic_s
from intaglio.projects.resolver import is_inside
from intaglio.sessions import rows
from intaglio.sessions.values import SessionRef
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

OpenSession: TypeAlias = tuple[SessionRef, str | None]
"""A session that hasn't ended, and the key of its project."""

_MAX_SESSIONS: Final = 500
# Harnesses start their programs beside the hooks; one that begins with the second prompt goes on.
_TOOLS_WITHIN_S: Final = 45.0
_PROMPTS_OF_ONE_THAT_GOES_ON: Final = 2
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


@dataclass(slots=True)
class _Begun:
    """When a session began, and how many prompts it has had."""

    at_s: float
    prompts: int = 0


@dataclass(frozen=True, slots=True)
class OpenSessions:
    """The harness's process and the directory of each session; kept in memory.

    The process is noted again by each prompt. The directory is also in the session's row, but that
    is written in the background, and not while capture is paused.
    """

    db: Database
    _processes: OrderedDict[tuple[str, str], int] = field(
        default_factory=OrderedDict[tuple[str, str], int]
    )
    _nested: OrderedDict[tuple[str, str], None] = field(
        default_factory=OrderedDict[tuple[str, str], None]
    )

    _directories: OrderedDict[tuple[str, str, str], str] = field(
        default_factory=OrderedDict[tuple[str, str, str], str]
    )
    _started: OrderedDict[tuple[str, str], _Begun] = field(
        default_factory=OrderedDict[tuple[str, str], _Begun]
    )
    _with_tools: OrderedDict[int | tuple[str, str], None] = field(
        default_factory=OrderedDict[int | tuple[str, str], None]
    )
    _tools_at_s: dict[str, float] = field(default_factory=dict[str, float])
    seconds: Callable[[], float] = monotonic_s

    def note(self, harness: str, session_id: str, pid: int, *, starts: bool = False) -> None:
        """Note the harness's process of a session: the one that has run its hook.

        ``starts`` is set at the session's start.
        """
        if starts:
            _add(self._started, (harness, session_id), _Begun(self.seconds()))
        elif begun := self._started.get((harness, session_id)):
            begun.prompts += 1
        # The user may have resumed a session that was nested.
        self._nested.pop((harness, session_id), None)
        self._processes[harness, session_id] = pid
        self._processes.move_to_end((harness, session_id))
        while len(self._processes) > _MAX_SESSIONS:
            self._processes.popitem(last=False)

    def note_tools(self, caller: int | tuple[str, str], harness: str | None = None) -> None:
        """Note that the agent's tools are connected: those of a process, or of a session.

        ``harness`` is the one that has started them, if it is known.
        """
        _add(self._with_tools, caller, None)
        if harness is not None:
            self._tools_at_s[harness] = self.seconds()

    def lacks_tools(self, harness: str) -> bool:
        """Whether a session of a harness goes on that hasn't started the tools.

        False if any session of it has started them since that one began: a harness may start them
        by a process that isn't the one of its hooks.
        """
        last_s = self._tools_at_s.get(harness, -math.inf)
        return any(
            name == harness
            and begun.prompts >= _PROMPTS_OF_ONE_THAT_GOES_ON
            and self.seconds() - begun.at_s > _TOOLS_WITHIN_S
            and last_s < begun.at_s - _TOOLS_WITHIN_S
            and self.has_tools(name, session_id) is False
            and self.is_running(name, session_id)
            for (name, session_id), begun in self._started.items()
        )

    def has_tools(self, harness: str, session_id: str) -> bool | None:
        """Whether the tools of a session's agent are connected; None if that can't be told.

        It can't if the session began before the daemon did, or if its process isn't known.
        """
        own = harness, session_id
        pid = self._processes.get(own)
        if own in self._with_tools or (pid is not None and pid in self._with_tools):
            return True
        return False if pid is not None and own in self._started else None

    def end(self, harness: str, session_id: str) -> None:
        """Drop the process of a session that has ended: the system may reuse its number."""
        self._processes.pop((harness, session_id), None)

    def is_nested(self, harness: str, session_id: str, above: Sequence[int]) -> bool:
        """Whether a process above a session's own is, or was before, that of another session."""
        own = harness, session_id
        # A hook can outlive its harness, and then nothing shows any more what was above.
        if any(pid in above for key, pid in self._processes.items() if key != own):
            _add(self._nested, own, None)
        return own in self._nested

    def is_running(self, harness: str, session_id: str) -> bool:
        """Whether the harness's process of a session is known, and still there."""
        pid = self._processes.get((harness, session_id))
        return pid is not None and psutil.pid_exists(pid)

    def processes(self) -> frozenset[int]:
        """Return the processes of all sessions."""
        return frozenset(self._processes.values())

    async def directory(self, session: SessionRef) -> str | None:
        """Return the directory that a session was started in, or None if it isn't known."""
        noted = self._directories.get((*session.key, session.agent_id))
        return noted or await self.db.read(lambda tx: rows.directory_of(tx, session))

    async def in_directory(self, session: SessionRef, reported: str | None) -> SessionRef:
        """Return the session with the directory it was started in as its ``project``.

        ``reported`` is a directory or a name that it is reported to be started in, None if nothing
        is reported. The agent may have gone into a folder of its own, a submodule for instance:
        within the session's directory it is still the same project. Elsewhere, the user has resumed
        the session there.
        """
        known = await self.directory(session)
        if known is not None and (reported is None or is_inside(reported, known)):
            reported = known
        return replace(session, project=reported)

    async def placed(self, session: SessionRef, reported: str | None) -> SessionRef:
        """Return the session as `in_directory` does, and note its directory."""
        found = await self.in_directory(session, reported)
        if found.project is not None and not session.anonymous:
            key = (*session.key, session.agent_id)
            self._directories[key] = found.project
            self._directories.move_to_end(key)
            while len(self._directories) > _MAX_SESSIONS:
                self._directories.popitem(last=False)
        return found

    async def of_process(self, pid: int) -> list[OpenSession]:
        """Return the open sessions of a harness's process, first the one that spoke last."""
        keys = [key for key, noted in reversed(self._processes.items()) if noted == pid]

        def work(tx: ReadTx) -> list[OpenSession]:
            found = (rows.open_session(tx, *key) for key in keys)
            return [one for one in found if one is not None]

        return await self.db.read(work) if keys else []

    async def named(self, harness: str, session_id: str) -> list[OpenSession]:
        """Return the session with its harness's id, if it is open."""
        found = await self.db.read(lambda tx: rows.open_session(tx, harness, session_id))
        return [found] if found else []


def _add(kept: OrderedDict[_Key, _Value], key: _Key, value: _Value) -> None:
    """Add a key as the latest; the oldest go beyond the limit."""
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > _MAX_SESSIONS:
        kept.popitem(last=False)
