"""``python3 app bench peers``: other memory systems, asked the same questions in the same run.

They are installed from PyPI into an environment of their own, and rank the included model's plain
vectors where they can. Extraction by a language model is off: texts are kept as they are.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.figures import percentile
from bench.home import temporary_home
from bench.hook_caller import Caller, wait_until_embedded
from bench.peers.driver import PEERS
from bench.peers.endpoint import embeddings_endpoint
from bench.recall import MIXED, Space, ask, feed
from bench.recall_tally import HEAD, Tally
from fakes.daemon import running_daemon

_PACKAGES: Final = ("agentrecall-db", "sqlite-vec", "mem0ai", "mempalace")
_DRIVER: Final = Path(__file__).with_name("driver.py")

Answers = Mapping[str, Sequence[Mapping[str, Any]]]
"""By space, for each question in order: what was found, and the milliseconds it took."""


def _installed(folder: Path, interpreter: str) -> Path:
    """Make the peers' environment, unless it stands; returns its Python."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([interpreter, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *_PACKAGES], check=True)
    listed = subprocess.run(
        [python, "-m", "pip", "list", "--format=json"], check=True, capture_output=True
    )
    versions = {each["name"].lower(): each["version"] for each in json.loads(listed.stdout)}
    print(", ".join(f"{name} {versions[name]}" for name in _PACKAGES))
    return python


def _peer_answers(python: Path, peer: str, data: Path, endpoint: str) -> Answers | None:
    """Run a peer as a process; None, with what it said last, if it fails."""
    with tempfile.TemporaryDirectory(prefix="intaglio-peer-") as home:
        output = Path(home) / "answers.json"
        command: list[str | Path] = [python, _DRIVER, peer, data.resolve(), home, endpoint, output]
        bare = {"PATH": os.environ["PATH"], "HOME": home}
        done = subprocess.run(command, check=False, capture_output=True, env=bare, cwd=home)
        if done.returncode:
            print(f"{peer}: {done.stderr.decode(errors='replace').strip().splitlines()[-1]}")
            return None
        answers: Answers = json.loads(output.read_text(encoding="utf-8"))
        return answers


def _own_answers(spaces: Sequence[Space]) -> Answers:
    """Ask the daemon in the same way."""
    answers: dict[str, list[dict[str, object]]] = {}
    with temporary_home() as home, running_daemon(home, fresh=True) as daemon:
        caller = Caller(daemon.port)
        known = {space["id"]: feed(caller, space) for space in spaces}
        wait_until_embedded(caller)
        for space in spaces:
            answers[space["id"]] = []
            for question in space["questions"]:
                started = time.perf_counter()
                found = ask(caller, space["id"], question["query"])
                took = (time.perf_counter() - started) * 1000
                ids = [known[space["id"]].get(memory, memory) for memory in found]
                answers[space["id"]].append({"found": ids, "ms": took})
    return answers


def _print(name: str, spaces: Sequence[Space], answers: Answers) -> None:
    tally, took = Tally(), list[float]()
    for space in spaces:
        for question, answer in zip(space["questions"], answers[space["id"]], strict=True):
            took.append(answer["ms"])
            if question["gold"]:
                tally.add(question["gold"], answer["found"])
    print(f"{tally.row(name)}{percentile(took, 0.5):>9.1f}{percentile(took, 0.95):>9.1f}")


def main(arguments: list[str]) -> None:
    """Measure every peer that is named, and the daemon."""
    parser = argparse.ArgumentParser(prog="python3 app bench peers")
    parser.add_argument("--data", type=Path, default=MIXED, help="default: the mixed set")
    parser.add_argument("--peer", choices=PEERS, action="append", help="default: all")
    parser.add_argument(
        "--python",
        default=sys.executable,
        help="of their environment; agentrecall needs SQLite extensions",
    )
    parser.add_argument("--venv", type=Path, help="keep the peers' environment here")
    options = parser.parse_args(arguments)
    spaces: list[Space] = json.loads(options.data.read_text(encoding="utf-8"))["spaces"]
    with tempfile.TemporaryDirectory(prefix="intaglio-peers-") as throwaway:
        python = _installed((options.venv or Path(throwaway) / "venv").absolute(), options.python)
        print(f"{HEAD}{'ms p50':>9}{'ms p95':>9}")
        with embeddings_endpoint() as endpoint:
            for peer in options.peer or PEERS:
                answers = _peer_answers(python, peer, options.data, endpoint)
                if answers is not None:
                    _print(peer, spaces, answers)
    _print("intaglio", spaces, _own_answers(spaces))
