"""Injections made while capture was paused, kept only in memory."""

import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Final

_RECENT_PROMPTS: Final = 5
_MOST_SESSIONS: Final = 200


@dataclass(slots=True)
class _SessionInjections:
    started: dict[str, str] = field(default_factory=dict[str, str])
    knows_start: bool = False
    all: dict[str, str] = field(default_factory=dict[str, str])
    prompts: deque[dict[str, str]] = field(
        default_factory=lambda: deque[dict[str, str]](maxlen=_RECENT_PROMPTS)
    )


class PausedInjections:
    """Replaces the ledger during a pause, so that a session doesn't get the same memories again."""

    def __init__(self) -> None:
        # The ledger is written in the writer's thread and read on the event loop.
        self._lock = threading.Lock()
        self._sessions: dict[tuple[str, str], _SessionInjections] = {}

    def note(self, session: tuple[str, str], event: str, ids: list[str], at: str) -> None:
        """Remember the memories injected at a session start, a prompt or an edit."""
        with self._lock:
            shown = self._sessions.pop(session, None) or _SessionInjections()
            self._sessions[session] = shown
            shown.all.update(dict.fromkeys(ids, at))
            if event == "prompt":
                shown.prompts.append(dict.fromkeys(ids, at))
            else:
                shown.knows_start |= event == "session_start"
                shown.started.update(dict.fromkeys(ids, at))
            while len(self._sessions) > _MOST_SESSIONS:
                del self._sessions[next(iter(self._sessions))]

    def drop(self, session: tuple[str, str]) -> None:
        """Drop a session whose context was cleared."""
        with self._lock:
            self._sessions.pop(session, None)

    def in_context(self, session: tuple[str, str]) -> dict[str, str]:
        """Return the ids of the memories injected during the pause, and when."""
        with self._lock:
            shown = self._sessions.get(session) or _SessionInjections()
            found = dict(shown.started)
            for prompt in shown.prompts:
                found.update(prompt)
            return found

    def in_conversation(self, session: tuple[str, str]) -> dict[str, str]:
        """Return the ids of all memories injected during the pause, and when."""
        with self._lock:
            shown = self._sessions.get(session) or _SessionInjections()
            return dict(shown.all)

    def is_known(self, session: tuple[str, str]) -> bool:
        """Whether the session received its start context during the pause."""
        with self._lock:
            shown = self._sessions.get(session)
            return shown is not None and shown.knows_start
