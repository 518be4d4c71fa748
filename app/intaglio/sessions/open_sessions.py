"""Finds the open session that a process belongs to, from what hooks said of their processes."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.sessions import rows
from intaglio.sessions.values import SessionRef
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

_MAX_SESSIONS: Final = 500


@dataclass(frozen=True, slots=True)
class OpenSessions:
    """The harness's process of each session; kept in memory, and noted again by each prompt."""

    db: Database
    _processes: OrderedDict[tuple[str, str], int] = field(
        default_factory=OrderedDict[tuple[str, str], int]
    )
    _nested: OrderedDict[tuple[str, str], None] = field(
        default_factory=OrderedDict[tuple[str, str], None]
    )

    def note(self, harness: str, session_id: str, pid: int) -> None:
        """Note the harness's process of a session: the one that has run its hook."""
        # The user may have resumed a session that was nested.
        self._nested.pop((harness, session_id), None)
        self._processes[harness, session_id] = pid
        self._processes.move_to_end((harness, session_id))
        while len(self._processes) > _MAX_SESSIONS:
            self._processes.popitem(last=False)

    def end(self, harness: str, session_id: str) -> None:
        """Drop the process of a session that has ended: the system may reuse its number."""
        self._processes.pop((harness, session_id), None)

    def is_nested(self, harness: str, session_id: str, above: Sequence[int]) -> bool:
        """Whether a process above a session's own is, or was before, that of another session."""
        own = harness, session_id
        # A hook can outlive its harness, and then nothing shows any more what was above.
        if any(pid in above for key, pid in self._processes.items() if key != own):
            self._nested[own] = None
            self._nested.move_to_end(own)
            while len(self._nested) > _MAX_SESSIONS:
                self._nested.popitem(last=False)
        return own in self._nested

    def processes(self) -> frozenset[int]:
        """Return the processes of all sessions."""
        return frozenset(self._processes.values())

    async def of_process(self, pid: int, project: str | None) -> SessionRef | None:
        """Return the open session of a harness's process in a project: the one that spoke last."""
        keys = [key for key, noted in reversed(self._processes.items()) if noted == pid]

        def work(tx: ReadTx) -> SessionRef | None:
            found = (rows.open_session(tx, *key) for key in keys)
            return next((one[0] for one in found if one and one[1] == project), None)

        return await self.db.read(work) if keys else None

    async def named(self, harness: str, session_id: str, project: str | None) -> SessionRef | None:
        """Return a session by its harness's id, if it is open and in that project."""
        found = await self.db.read(lambda tx: rows.open_session(tx, harness, session_id))
        return found[0] if found and found[1] == project else None
