"""The daemon's home for a bench: made, filled, its embedding switched on and off, weighed."""

import shutil
import tempfile
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bench.hook_caller import Caller
from fakes.daemon import Daemon

FILLERS = 8


@contextmanager
def temporary_home() -> Generator[Path]:
    """Make a home and remove it afterwards."""
    home = Path(tempfile.mkdtemp(prefix="intaglio-bench-"))
    try:
        yield home
    finally:
        shutil.rmtree(home)


def switch_embedding(home: Path, *, on: bool) -> None:
    """Write the settings that the next daemon starts with."""
    (home / "agents").mkdir(parents=True, exist_ok=True)
    provider = "onnx" if on else "none"
    (home / "agents" / "agent.yaml").write_text(
        f"embedding:\n  provider: {provider}\n  idleMinutes: 1\n"
    )


def fill(daemon: Daemon, bodies: Iterator[Mapping[str, object]]) -> list[float]:
    """Remember all bodies over several connections and return each call's wall milliseconds."""
    lock, walls = threading.Lock(), list[float]()

    def work() -> None:
        caller = Caller(daemon.port)
        while True:
            with lock:
                body = next(bodies, None)
            if body is None:
                return
            started = time.perf_counter()
            caller.post("/api/memory/remember", body)
            walls.append((time.perf_counter() - started) * 1000)

    threads = [threading.Thread(target=work) for _ in range(FILLERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return walls


def disk_bytes(home: Path) -> int:
    """Return the size of the database after a clean stop."""
    return sum(file.stat().st_size for file in (home / "agents/memory").glob("intaglio.db*"))
