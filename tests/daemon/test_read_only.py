"""A daemon whose workspace can't be written: on a read-only mount, and without permission."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fakes.daemon import NO_MODEL, Daemon, running_daemon, start_daemon, write_settings

SENTENCE = "We decided to keep the basalt dry."
# The workspace is mounted on itself, read-only, where only this process sees it.
ON_A_READ_ONLY_MOUNT = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
NEWNS, RDONLY, REMOUNT, BIND, REC, PRIVATE = 0x20000, 1, 32, 4096, 16384, 1 << 18
folder = os.environ["INTAGLIO_WORKSPACE"].encode()
assert libc.unshare(NEWNS) == 0
assert libc.mount(b"none", b"/", None, REC | PRIVATE, None) == 0
assert libc.mount(folder, folder, None, BIND, None) == 0
assert libc.mount(folder, folder, None, BIND | REMOUNT | RDONLY, None) == 0
"""
AS_NOBODY = """
import os, sys
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
"""
RUN = """
from intaglio.daemon.main import run
sys.exit(run())
"""

needs_root = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="only root mounts and becomes another"
)


def can_mount() -> bool:
    probe = ["unshare", "-m", "true"]
    return bool(shutil.which("unshare")) and subprocess.run(probe, check=False).returncode == 0


@contextmanager
def sealed(home: Path, before: str) -> Generator[Daemon]:
    """Run a daemon over a workspace with one memory that it can't write."""
    write_settings(home, NO_MODEL)
    with running_daemon(home) as first, first.client() as client:
        client.post("/api/memory/remember", json={"content": SENTENCE}).raise_for_status()
        port = first.port
    program = home / "sealed.py"
    program.write_text(before + RUN)
    if before == AS_NOBODY:
        for name in ("state", "cache", "logs"):
            (home / name).mkdir(exist_ok=True)
            for each in (home / name, *(home / name).rglob("*")):
                os.chown(each, 65534, 65534)
        for each in (home / "agents", *(home / "agents").rglob("*")):
            each.chmod(0o755 if each.is_dir() else 0o644)
    daemon = start_daemon(home, port, program)
    try:
        daemon.wait_until("degraded")
        yield daemon
    finally:
        assert daemon.stop() == 0


@needs_root
@pytest.mark.parametrize(
    "before",
    [ON_A_READ_ONLY_MOUNT, pytest.param(AS_NOBODY, marks=pytest.mark.slow)],
    ids=["mount", "permission"],
)
def test_a_workspace_that_cannot_be_written_is_served_read_only(before: str) -> None:
    if before == ON_A_READ_ONLY_MOUNT and not can_mount():
        pytest.skip("this container may not mount")
    # Others can't pass through the usual folder of tests.
    home = Path(tempfile.mkdtemp())
    home.chmod(0o711)
    try:
        with sealed(home, before) as daemon, daemon.client() as client:
            health = client.get("/health").json()
            assert (health["cause"], health["reason"]) == (
                "read_only",
                "The workspace is read-only.",
            )
            found = client.post("/api/memory/recall", json={"query": "basalt"}).json()["results"]
            assert [each["content"] for each in found] == [SENTENCE]
            assert client.get("/api/status").status_code == 200
            refused = client.post("/api/memory/remember", json={"content": "No."})
            assert (refused.status_code, refused.json()["hint"]) == (
                503,
                "Make it writable, then restart the daemon.",
            )
            start = {"harness": "claude-code", "sessionKey": "one"}
            answer = client.post("/api/hooks/session-start", json=start, headers=daemon.owner)
            assert answer.status_code < 500 or answer.status_code == 503
        assert "Traceback" not in daemon.said
    finally:
        shutil.rmtree(home)
