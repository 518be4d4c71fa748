"""A store with half a year of memories, sessions, tellings and captured sentences."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from fakes.star_map import star_home
from intaglio.base.clock import iso
from intaglio.store.connection import open_writer
from intaglio.store.tx import WriteTx, run

_DAYS: Final = 180
_HARNESSES: Final = ("claude-code", "codex", "opencode")
_PROJECTS: Final = ("/work/shop", "/work/blog")
_PER_SESSION: Final = 4
_TOLD: Final = 6


def fill_days(home: Path, memories: int, sessions: int) -> None:
    """Put such a store where a daemon below ``home`` finds it; ``sessions`` is how many a day."""
    star_home(home, memories, solid=False)
    connection = open_writer(home / "agents" / "memory" / "intaglio.db")
    try:
        run(connection, "BEGIN IMMEDIATE")
        _fill(WriteTx(connection), memories, sessions, datetime.now(UTC))
        run(connection, "COMMIT")
    finally:
        connection.close()


def _fill(tx: WriteTx, memories: int, sessions: int, now: datetime) -> None:
    source = random.Random(7)  # noqa: S311 - which memory is told is no secret
    tx.execute(
        "INSERT INTO memory_history(memory, event, changed_by, created_at) "
        "SELECT seq, 'created', 'user', CAST(unixepoch(created_at) AS INTEGER) * 1000 FROM memories"
    )
    tx.execute(
        "INSERT INTO memory_history(memory, event, changed_by, created_at) "
        "SELECT seq, 'deleted', 'user', CAST(unixepoch(deleted_at) AS INTEGER) * 1000 "
        "FROM memories WHERE is_deleted = 1"
    )
    for day in range(_DAYS):
        for each in range(source.randint(sessions // 2, sessions)):
            at = iso(now - timedelta(days=_DAYS - 1 - day, minutes=each))
            newest = max(1, memories * (day + 1) // _DAYS)
            _session(tx, source, f"s{day}-{each}", at, newest)


def _session(tx: WriteTx, source: random.Random, id_: str, at: str, newest: int) -> None:
    harness, project = source.choice(_HARNESSES), source.choice(_PROJECTS)
    tx.execute(
        "INSERT INTO sessions(harness, id, agent_id, project, started_at, last_seen_at, number) "
        "VALUES (?, ?, 'default', ?, ?, ?, (SELECT ifnull(max(number), 0) + 1 FROM sessions))",
        (harness, id_, project, at, at),
    )
    for call in range(_PER_SESSION):
        event = "recall" if call == _PER_SESSION - 1 else "prompt" if call else "session_start"
        tx.execute(
            "INSERT INTO injections(harness, session_id, event, project, candidates, injected, "
            "tokens, elapsed_ms, created_at) VALUES (?, ?, ?, ?, ?, ?, 180, 4.0, ?)",
            (harness, id_, event, project, _TOLD, _TOLD, at),
        )
        injection = tx.last_row()
        for rank in range(_TOLD):
            tx.execute(
                "INSERT INTO session_memories(injection, rank, memory_id, reason, tokens, injected)"
                " SELECT ?, ?, id, 'words', 24, 1 FROM memories WHERE seq = ?",
                (injection, rank, source.randint(max(1, newest - newest // 20), newest)),
            )
    for place in range(source.randint(0, 3)):
        outcome = source.choice(("kept", "suggested"))
        tx.execute(
            "INSERT INTO statements(harness, session_id, message_id, start_char, end_char, "
            "recorded_at, agent_id, project, sentence, content, type, everywhere, confidence, "
            "outcome, state) VALUES (?, ?, ?, 0, 9, ?, 'default', ?, 'x', 'x', 'rule', 0, .9, ?, "
            "'live')",
            (harness, id_, f"{id_}-{place}", at, project, outcome),
        )
        tx.execute(
            "INSERT INTO considered_statements(harness, session_id, message_id, start_char, "
            "end_char, recorded_at, agent_id, project, sentence, content, type, everywhere, "
            "confidence) VALUES (?, ?, ?, 0, 9, ?, 'default', ?, 'y', 'y', 'rule', 0, .2)",
            (harness, id_, f"{id_}-{place}-y", at, project),
        )
