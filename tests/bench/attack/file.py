"""What happens to the database file while the daemon runs, and while it doesn't."""

import shutil
from functools import partial

from bench.attack.arena import Arena, stored
from bench.attack.probe import Broke, Held, Outcome, Probe, judge
from fakes.daemon import Daemon
from fakes.file_faults import FAULTS, FaultRounds, FileFault, Timing, drawn_rounds
from fakes.waiting import wait_for

_WRITES = 20
_ROUNDS = 20


def _start(arena: Arena) -> Daemon:
    return arena.start(until=None)


def _rounds(rounds: list[tuple[FileFault, Timing]], arena: Arena) -> Outcome:
    """Make rounds of writes and faults: each acknowledged write is in the file or in a copy."""
    made = FaultRounds(partial(_start, arena))
    made.run(rounds)
    return judge(made.wrong, len(rounds), "in the file, or in a copy and degraded")


def _wait_degraded(daemon: Daemon) -> dict[str, str]:
    daemon.wait_until("degraded")
    with daemon.client() as client:
        return dict(client.get("/health").json())


def missing_at_start(arena: Arena) -> Outcome:
    """Remove the database of a stopped daemon that has a backup: no empty one takes its place."""
    daemon = arena.start()
    with daemon.client() as client:
        client.post("/api/memory/remember", json={"content": "We decided to keep backups."})
    daemon.stop()
    arena.paths.backups.mkdir(exist_ok=True)
    shutil.copy(arena.paths.database, arena.paths.backups / "intaglio-20260101T000000000000Z.db")
    arena.paths.database.unlink()
    daemon = arena.start(until="degraded")
    with daemon.client() as client:
        refused = [
            client.post("/api/memory/remember", json={"content": f"Number {number}."})
            for number in range(_WRITES)
        ]
    accepted = [
        f"a write was answered by {reply.status_code}" for reply in refused if reply.is_success
    ]
    if arena.paths.database.exists():
        return Broke("an empty database was created")
    return judge(accepted, _WRITES, "degraded, nothing created")


def log_without_database(arena: Arena) -> Outcome:
    """Remove the database of a killed daemon: the log that is left is kept."""
    daemon = arena.start()
    with daemon.client() as client:
        client.post("/api/memory/remember", json={"content": "We decided to keep the log."})
    daemon.kill()
    arena.paths.database.unlink()
    log = arena.paths.database.with_name("intaglio.db-wal")
    before = log.read_bytes()
    health = _wait_degraded(arena.start(until=None))
    if not log.exists() or log.read_bytes() != before:
        return Broke("the log was changed")
    return Held(f"degraded, {health['cause']}")


def swapped_while_idle(arena: Arena) -> Outcome:
    """Swap the file while nothing is written: the daemon notices by itself."""
    daemon = arena.start()
    with daemon.client() as client:
        client.post("/api/memory/remember", json={"content": "We decided to look again."})
    part = arena.paths.memory / "new"
    shutil.copy(arena.paths.database, part)
    part.replace(arena.paths.database)
    _wait_degraded(daemon)
    wait_for(lambda: list(arena.paths.backups.glob("rescued-*.db")), "a saved copy")
    saved = {
        content for copy in arena.paths.backups.glob("rescued-*.db") for content in stored(copy)
    }
    return Held("noticed") if "We decided to look again." in saved else Broke("not saved")


PROBES: tuple[Probe, ...] = (
    *(
        Probe(
            "file",
            f"database or log under load: {fault.name}",
            partial(_rounds, [(fault, "running")]),
        )
        for fault in FAULTS
    ),
    Probe("file", "swapped while nothing is written", swapped_while_idle),
    Probe("file", "missing at the start, with a backup", missing_at_start),
    Probe("file", "missing at the start, with a log", log_without_database),
    Probe(
        "file",
        f"{_ROUNDS} rounds of faults mixed with kill -9 and SIGSTOP",
        partial(_rounds, drawn_rounds(_ROUNDS, seed=1)),
    ),
)
