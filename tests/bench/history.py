"""What the import of history costs: time, CPU and RAM by size, and what hooks wait meanwhile.

The transcripts are generated (`fakes/past_history.py` says what they are like). On a busy machine
read the CPU.
"""

import argparse
import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import httpx

from bench.figures import cpu_ms, percentile
from fakes.daemon import Daemon, running_daemon
from fakes.past_history import PastHistory

_EVERY_S: Final = 0.5
_IDLE: Final = 40
_MB: Final = 1_000_000


def peak_rss_mb(pid: int) -> float:
    """Return the most memory that a process has held so far."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1_000
    return 0.0


def _prompt(number: int, folder: Path) -> dict[str, Any]:
    return {
        "hook_event_name": "UserPromptSubmit",
        "session_id": f"live-{number % 5}",
        "cwd": str(folder / "lantern"),
        "prompt": f"What did we decide about the billing worker, part {number}?",
    }


def _ask(client: httpx.Client, number: int, folder: Path) -> float:
    """Report a prompt; return how many ms the harness would wait."""
    reply = client.post("/api/hooks/native/claude-code", json=_prompt(number, folder))
    reply.raise_for_status()
    return reply.elapsed.total_seconds() * 1_000


def _import(daemon: Daemon, folder: Path) -> tuple[dict[str, Any], list[float]]:
    """Import all there is, with a prompt's hook twice a second; return the import and the times."""
    waited: list[float] = []
    with daemon.client(headers=daemon.owner) as client:
        idle = [_ask(client, number, folder) for number in range(_IDLE)]
        print(f"a prompt's hook before: p95 {percentile(idle[5:], 0.95):.0f} ms")
        began = client.get("/api/imports/sources").elapsed.total_seconds()
        print(f"looking at the sources: {began * 1_000:.0f} ms")
        found: dict[str, Any] = client.post("/api/imports", json={}).json()
        number = 0
        while found["finished"] is None:
            time.sleep(_EVERY_S)
            waited.append(_ask(client, number, folder))
            number += 1
            found = client.get(f"/api/imports/{found['id']}").json()
    return found, waited


def main(args: list[str]) -> None:
    """Generate transcripts, import them into a real daemon, and print what it cost."""
    parser = argparse.ArgumentParser(prog="bench import", description=__doc__)
    parser.add_argument("--mb", type=int, default=200, help="size of the transcripts")
    parser.add_argument("--json", action="store_true", help="print the import as JSON, too")
    options = parser.parse_args(args)
    with TemporaryDirectory() as name:
        home, folder = Path(name) / "home", Path(name) / "work"
        home.mkdir()
        sessions = PastHistory(home, folder).write(options.mb * _MB)
        print(f"{sessions:,} sessions, {options.mb:,} MB")
        with running_daemon(home, fresh=True) as daemon:
            pid = daemon.process.pid
            cpu = cpu_ms(pid)
            began = time.monotonic()
            done, waited = _import(daemon, folder)
            seconds, cpu_s = time.monotonic() - began, (cpu_ms(pid) - cpu) / 1_000
            peak = peak_rss_mb(pid)
    print(
        f"{done['state']}: {done['done']:,} sessions, {done['failed']} failed, "
        f"{done['kept']:,} kept, {done['suggested']:,} suggested, {done['known']:,} known"
    )
    each_gb = 1_000 / options.mb / 60
    print(
        f"{seconds:.1f} s, CPU {cpu_s:.1f} s; a GB: {seconds * each_gb:.1f} min, "
        f"CPU {cpu_s * each_gb:.1f} min; peak RSS {peak:,.0f} MB"
    )
    print(
        f"a prompt's hook meanwhile: median {percentile(waited, 0.5):.0f} ms, "
        f"p95 {percentile(waited, 0.95):.0f} ms ({len(waited)} prompts)"
    )
    if options.json:
        print(json.dumps(done, indent=1))
