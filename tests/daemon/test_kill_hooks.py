"""kill -9 while the hooks of three harnesses arrive at once: no turn is lost, none is stored twice.

What a killed or absent daemon was told stays in the spool and in the transcripts.
"""

import random
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from daemon.test_kill import facts
from fakes.daemon import (
    NO_MODEL,
    Daemon,
    daemon_env,
    free_port,
    killed_daemon,
    run_command,
    running_daemon,
    write_settings,
)
from fakes.distinct_decisions import distinct_decision
from fakes.hook_clients import ClaudeCodeHooks, CodexHooks, HookClient, OpenCodeHooks
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.harness.events import Transcript
from intaglio.harness.registry import harnesses

TURNS: Final = 2
LIVE_S: Final = 1.5
_CAPTURED: Final = (
    "SELECT s.session_id, s.message_id, m.content FROM statements s "
    "JOIN memories m ON m.id = s.memory_id"
)
_READ: Final = "SELECT id, transcript_position FROM sessions"
NOTHING: Final = {
    "a message with two statements": (
        "SELECT message_id FROM statements GROUP BY session_id, message_id HAVING count(*) > 1"
    ),
    "a memory of two statements": (
        "SELECT memory_id FROM statements GROUP BY memory_id HAVING count(*) > 1"
    ),
    "a memory that is there twice": (
        "SELECT content FROM memories GROUP BY content HAVING count(*) > 1"
    ),
    "a message that is there twice": (
        "SELECT message_id FROM transcript_messages GROUP BY message_id HAVING count(*) > 1"
    ),
}


@dataclass(frozen=True, slots=True)
class Said:
    """All that the user has said: the statement by session and message."""

    texts: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    numbers: "count[int]" = field(default_factory=lambda: count(1))

    def turn(self, client: HookClient, session: str) -> None:
        """Have the user decide something that no other turn is about."""
        text = distinct_decision(str(next(self.numbers)))
        self.texts[session, client.turn(session, text)] = text


def hold_session(client: HookClient, session: str, said: Said) -> None:
    """Hold a whole session, whether there is a daemon or not."""
    client.start(session)
    for _ in range(TURNS):
        said.turn(client, session)
    client.end(session)


@contextmanager
def clients(home: Path, port: int) -> Generator[Sequence[HookClient]]:
    """Connect the harnesses, and end them when the block ends."""
    write_settings(home, NO_MODEL)
    for folder in (".claude", ".codex", ".config/opencode"):
        (home / folder).mkdir(parents=True)
    env = daemon_env(home, port)
    for name in ("claude-code", "codex", "opencode"):
        done = run_command("connect", name, "--yes", env=env, folder=home)
        assert done.returncode == 0, done.stderr
    opened = (ClaudeCodeHooks(home), CodexHooks(home), OpenCodeHooks.launch(home))
    try:
        yield opened
    finally:
        for client in opened:
            client.close()


def one_round(
    home: Path, port: int, sessions: dict[str, HookClient], said: Said, live_s: float
) -> None:
    """Have all sessions at once, and kill the daemon meanwhile."""
    with killed_daemon(home, port):
        threads = [
            threading.Thread(target=hold_session, args=(client, session, said))
            for session, client in sessions.items()
        ]
        for thread in threads:
            thread.start()
        threading.Event().wait(live_s)
    for thread in threads:
        thread.join()


def check(daemon: Daemon, said: Said, sessions: dict[str, HookClient]) -> None:
    """Hold what was said against what is stored."""
    file = daemon.paths.database

    def as_said() -> bool:
        rows = facts(file, _CAPTURED)
        assert {(session, message): content for session, message, content in rows} == said.texts
        return True

    # Most of what arrives in a round is still in the spool at its end.
    wait_for(as_said, "exactly what was said", PATIENCE_S * (1 + len(sessions) / 100))
    wait_for(lambda: not list(daemon.paths.spool.rglob("*.json")), "an empty spool")
    for fault, sql in NOTHING.items():
        assert facts(file, sql) == [], fault
    read = {str(session): str(place) for session, place in facts(file, _READ)}
    assert read.keys() == sessions.keys()
    known = harnesses()
    for session, client in sessions.items():
        transcript = Transcript(client.transcript(session), session)
        rest = known[client.name].read_transcript(transcript, read[session], 1_000_000)
        assert rest.messages == (), session


def run_rounds(home: Path, rounds: int, at_once: int) -> None:
    """Hold so many sessions of each harness at once, in each round."""
    chance = random.Random(rounds)  # noqa: S311 - the same moments every time
    port, said = free_port(), Said()
    every = dict[str, HookClient]()
    with clients(home, port) as opened:
        for round_ in range(rounds):
            sessions = {
                f"{client.name}-{round_}-{number}": client
                for client in opened
                for number in range(at_once)
            }
            one_round(home, port, sessions, said, chance.random() * LIVE_S)
            every |= sessions
        with running_daemon(home, port) as daemon:
            check(daemon, said, every)
            assert daemon.stop() == 0
    assert len(said.texts) == rounds * 3 * at_once * TURNS


def test_no_turn_is_lost_or_doubled_by_two_kills(tmp_path: Path) -> None:
    run_rounds(tmp_path, 2, 1)


@pytest.mark.slow
def test_no_turn_is_lost_or_doubled_by_two_hundred_kills(tmp_path: Path) -> None:
    run_rounds(tmp_path, 200, 2)
