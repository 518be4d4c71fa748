"""A real daemon whose files are swapped while it writes: see `fakes.file_faults`."""

from pathlib import Path

import pytest

from fakes.daemon import (
    NO_MODEL,
    free_port,
    run_command,
    running_daemon,
    start_daemon,
    write_settings,
)
from fakes.file_faults import FAULTS, FaultRounds, drawn_rounds


def rounds_in(home: Path) -> FaultRounds:
    write_settings(home, NO_MODEL)
    port = free_port()
    return FaultRounds(lambda: start_daemon(home, port))


def test_no_acknowledged_write_is_lost_by_three_faults(tmp_path: Path) -> None:
    named = {fault.name: fault for fault in FAULTS}
    rounds = rounds_in(tmp_path)
    rounds.run(
        [
            (named["replaced by an older copy"], "running"),
            (named["removed with all files beside it"], "then killed"),
            (named["overwritten in place"], "stopped"),
        ]
    )
    assert (rounds.wrong, rounds.saved_aside) == ([], 3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_acknowledged_write_is_lost_by_twenty_faults(tmp_path: Path, seed: int) -> None:
    rounds = rounds_in(tmp_path)
    rounds.run(drawn_rounds(20, seed))
    assert rounds.wrong == []
    assert rounds.saved_aside >= 10


@pytest.mark.slow
def test_a_missing_database_is_restored_or_replaced_by_an_empty_one(tmp_path: Path) -> None:
    write_settings(tmp_path, NO_MODEL)
    with running_daemon(tmp_path) as daemon:
        with daemon.client() as client:
            client.post("/api/memory/remember", json={"content": "We chose Postgres."})
        daemon.kill()
        for file in daemon.paths.memory.glob("intaglio.db*"):
            file.unlink()
    daemon = start_daemon(tmp_path, daemon.port)
    try:
        daemon.wait_until("degraded")
        told = run_command("doctor", env=daemon.env, folder=tmp_path).stdout
        assert "The database file is missing" in told
        assert "db restore rescued-" in told
        with daemon.client(headers=daemon.owner) as client:
            health = client.get("/health").json()
            assert (health["cause"], client.get("/api/backups").json()["missing"]) == (
                "missing",
                True,
            )
            refused = client.post("/api/memory/remember", json={"content": "Lost?"})
            assert (refused.status_code, refused.json()["hint"]) == (503, health["hint"])
            assert not daemon.paths.database.exists()

            made = run_command("db", "create-empty", "--yes", env=daemon.env, folder=tmp_path)
            assert (made.returncode, "Created an empty database" in made.stdout) == (0, True)
            client.post("/api/memory/remember", json={"content": "A new beginning."})
            assert client.get("/api/memories").json()["stats"]["total"] == 1

            listed = run_command("db", "backups", env=daemon.env, folder=tmp_path).stdout
            assert "(saved aside)" in listed
            restored = run_command("db", "restore", "--yes", env=daemon.env, folder=tmp_path)
            assert restored.returncode == 0, restored.stderr
            found = client.get("/api/memories").json()["memories"]
            assert [memory["content"] for memory in found] == ["We chose Postgres."]
    finally:
        daemon.stop()
