"""The sessions of hook tests: the daemon answers their events, and stores nothing of them."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from intaglio.harness.events import HarnessEvent, IgnoredEvent, Prompt, SessionStart
from intaglio.harness.protocol import Reply

_PREFIX: Final = "intaglio-probe-"
_ID_BYTES: Final = 12


@dataclass(slots=True)
class ProbeSession:
    """The session of one running test.

    ``nonce`` is in the reply to its start or prompt; ``is_seen`` whether an event of it has
    arrived, and ``is_spooled`` whether one was found in the spool.
    """

    harness: str
    id: str
    nonce: str
    is_seen: bool = False
    is_spooled: bool = False


@dataclass(frozen=True, slots=True)
class ProbeSessions:
    """The tests that are running.

    A session is known by the whole id that was handed out, not by how it begins: a client that
    chose its own id could otherwise keep a session from being stored.
    """

    _open: dict[str, ProbeSession] = field(default_factory=dict[str, ProbeSession])

    @contextmanager
    def open(self, harness: str) -> Generator[ProbeSession]:
        """Hand out a session's id, which is known until the context ends."""
        nonce, word = os.urandom(_ID_BYTES).hex(), os.urandom(_ID_BYTES).hex()
        session = ProbeSession(harness, f"{_PREFIX}{word}", nonce)
        self._open[session.id] = session
        try:
            yield session
        finally:
            del self._open[session.id]

    def reply(self, harness: str, event: HarnessEvent) -> Reply | None:
        """Return the reply to an event of a test, or None for an event of any other session."""
        session = self._of(harness, event)
        if session is None:
            return None
        session.is_seen = True
        # Where a harness tells its model nothing of a start's reply, the first prompt is tested.
        takes_text = isinstance(event, SessionStart | Prompt)
        return Reply(f"Intaglio's hook works: {session.nonce}" if takes_text else "")

    def has_spooled(self, harness: str, event: HarnessEvent) -> bool:
        """Whether an event found in the spool is of a test, which is then told."""
        session = self._of(harness, event)
        if session is not None:
            session.is_spooled = True
        return session is not None

    def _of(self, harness: str, event: HarnessEvent) -> ProbeSession | None:
        if isinstance(event, IgnoredEvent):
            return None
        session = self._open.get(event.origin.session)
        return session if session is not None and session.harness == harness else None
