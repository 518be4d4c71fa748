"""A damaged database: served read-only, mended by a restore, never silently."""

import shutil
from pathlib import Path

from fakes.daemon import NO_MODEL, Daemon, running_daemon, start_daemon, write_settings

SENTENCE = "The billing service writes its invoices to Postgres, number"


def fill(daemon: Daemon, count: int) -> None:
    with daemon.client() as client:
        for number in range(count):
            reply = client.post("/api/memory/remember", json={"content": f"{SENTENCE} {number}"})
            assert reply.status_code == 200


def overwrite(file: Path) -> None:
    """Overwrite pages in the middle, as a broken disk does; the first pages stay."""
    size = file.stat().st_size
    with file.open("r+b") as stream:
        stream.seek(size // 4)
        stream.write(b"\xa5" * (size // 2))


def damaged(tmp_path: Path) -> Daemon:
    """Leave a database with one good copy and then damage it; the daemon is dead."""
    write_settings(tmp_path, NO_MODEL)
    with running_daemon(tmp_path) as daemon:
        fill(daemon, 300)
        daemon.stop()
        kept = daemon.paths.backups
        kept.mkdir(exist_ok=True)
        shutil.copy(daemon.paths.database, kept / "intaglio-20260101T000000000000Z.db")
    with running_daemon(tmp_path, daemon.port) as daemon:
        daemon.kill()
    overwrite(daemon.paths.database)
    return daemon


def test_a_damaged_database_is_served_read_only_and_a_restore_mends_it(tmp_path: Path) -> None:
    port = damaged(tmp_path).port
    daemon = start_daemon(tmp_path, port)
    try:
        daemon.wait_until("degraded")
        with daemon.client() as client:
            health = client.get("/health").json()
            assert (health["status"], health["reason"] != "") == ("degraded", True)
            refused = client.post("/api/memory/remember", json={"content": "Lost?"})
            assert refused.status_code == 503
            assert "intaglio db restore" in refused.json()["hint"]
            assert client.get("/api/status").status_code == 200
            assert client.get("/api/memories").status_code in {200, 503}

            done = client.post("/api/backups/restore", json={}, headers=daemon.owner).json()
            assert done["state"] == "ready"
            assert (daemon.paths.memory / done["set_aside"]).exists()
            assert client.get("/api/memories").json()["stats"]["total"] == 300
            kept = client.post("/api/memory/remember", json={"content": "Kept again"})
            assert kept.status_code == 200
    finally:
        daemon.stop()


def test_a_file_that_is_no_database_is_served_degraded(tmp_path: Path) -> None:
    folder = tmp_path / "agents" / "memory"
    folder.mkdir(parents=True)
    (folder / "intaglio.db").write_bytes(b"this is no database at all" * 500)
    daemon = start_daemon(tmp_path)
    try:
        daemon.wait_until("degraded")
    finally:
        daemon.stop()
