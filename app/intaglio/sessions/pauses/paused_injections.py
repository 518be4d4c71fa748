"""What sessions were shown while capture was paused: in memory alone, gone with the daemon."""

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Final

_RECENT_PROMPTS: Final = 5
_MOST_SESSIONS: Final = 200


@dataclass(slots=True)
class _Shown:
    started: dict[str, str] = field(default_factory=dict[str, str])
    knows_start: bool = False
    prompts: deque[dict[str, str]] = field(
        default_factory=lambda: deque[dict[str, str]](maxlen=_RECENT_PROMPTS)
    )


class PausedInjections:
    """Stands in for the ledger, so that a session is not shown the same again and again."""

    def __init__(self) -> None:
        # The ledger is written in the writer's thread and read on the event loop.
        self._lock = threading.Lock()
        self._sessions: dict[tuple[str, str], _Shown] = {}

    def note(self, session: tuple[str, str], event: str, ids: list[str], at: str) -> None:
        """Keep what a session start or a prompt was shown."""
        with self._lock:
            shown = self._sessions.pop(session, None) or _Shown()
            self._sessions[session] = shown
            if event == "prompt":
                shown.prompts.append(dict.fromkeys(ids, at))
            else:
                shown.knows_start = True
                shown.started.update(dict.fromkeys(ids, at))
            while len(self._sessions) > _MOST_SESSIONS:
                del self._sessions[next(iter(self._sessions))]

    def drop(self, session: tuple[str, str]) -> None:
        """Forget a session: its context was cleared."""
        with self._lock:
            self._sessions.pop(session, None)

    def in_context(self, session: tuple[str, str]) -> dict[str, str]:
        """Return the memories that the session was shown unwritten: their ids, and when."""
        with self._lock:
            shown = self._sessions.get(session) or _Shown()
            found = dict(shown.started)
            for prompt in shown.prompts:
                found.update(prompt)
            return found

    def is_known(self, session: tuple[str, str]) -> bool:
        """Whether the session was shown its start unwritten."""
        with self._lock:
            shown = self._sessions.get(session)
            return shown is not None and shown.knows_start
