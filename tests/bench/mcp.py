"""What a tool's call costs by MCP, over HTTP and by stdio, against the same request by REST."""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

from bench.corpus import Corpus
from bench.figures import cpu_ms, rss_mb
from bench.home import fill, switch_embedding, temporary_home
from bench.hook_caller import Caller
from fakes.daemon import Daemon, running_daemon
from fakes.mcp import ENDPOINT, message, text_of, tool_call
from intaglio.base.text import estimate_tokens
from intaglio.connect.mcp_files import mcp_command

_STARTS: Final = 9
_SHAKE: Final = message(
    "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}}
)


class Program:
    """A running stdio program, spoken to as a client does."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], folder: Path) -> None:
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            command, env=dict(env), cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def ask(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and return its response."""
        stdin, stdout = self.process.stdin, self.process.stdout
        if stdin is None or stdout is None:
            raise SystemExit("the program has no pipes")
        stdin.write(json.dumps(body).encode() + b"\n")
        stdin.flush()
        found: dict[str, Any] = json.loads(stdout.readline())
        return found

    def stop(self) -> None:
        """Close its input and wait until it has left."""
        self.process.communicate()


@dataclass(slots=True)
class Way:
    """A way to call a tool, and what its calls cost; milliseconds."""

    name: str
    call: Callable[[str, Mapping[str, object]], dict[str, Any]]
    cpu: list[float] = field(default_factory=list[float])
    wall: list[float] = field(default_factory=list[float])

    def timed(self, pid: int, tool: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        """Call a tool and note what that cost the daemon and the clock."""
        before, started = cpu_ms(pid), time.perf_counter()
        found = self.call(tool, arguments)
        self.wall.append((time.perf_counter() - started) * 1000)
        self.cpu.append(cpu_ms(pid) - before)
        return found


def _result(reply: Mapping[str, Any]) -> dict[str, Any]:
    result = reply["result"]
    if result.get("isError"):
        raise SystemExit(text_of(result))
    found: dict[str, Any] = json.loads(text_of(result))
    return found


def ways(daemon: Daemon, program: Program, project: str) -> list[Way]:
    """List the ways; REST and MCP over HTTP keep their connections."""
    rest, mcp = Caller(daemon.port), Caller(daemon.port)

    def by_rest(tool: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        match tool:
            case "memory_search":
                reply = rest.post("/api/memory/recall", {**arguments, "project": project})
            case "memory_store":
                reply = rest.post("/api/memory/remember", {**arguments, "project": project})
            case _:
                reply = rest.get(f"/api/memory/{arguments['id']}")
        found: dict[str, Any] = json.loads(reply)
        return found

    def by_mcp(tool: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        path = f"{ENDPOINT}?workspace={project}&harness=claude-code"
        return _result(json.loads(mcp.post(path, tool_call(tool, arguments))))

    def by_stdio(tool: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        return _result(program.ask(tool_call(tool, arguments)))

    return [Way("REST", by_rest), Way("MCP over HTTP", by_mcp), Way("MCP by stdio", by_stdio)]


def measure_calls(daemon: Daemon, program: Program, project: str, runs: int) -> None:
    """Print a line for each tool and way; the ways take turns, so that they meet the same load."""
    corpus, numbers = Corpus(), count()
    print(f"{'daemon ms a call, medians':<34}{'CPU':>8}{'wall':>8}{'CPU to REST':>13}{'wall':>8}")
    ids: list[str] = []
    for tool in ("memory_store", "memory_search", "memory_get"):
        found = ways(daemon, program, project)
        for run in range(runs):
            for way in found:
                question = corpus.question()
                word = question.split()[-1].rstrip("?")
                arguments: dict[str, object]
                match tool:
                    case "memory_store":
                        arguments = {"content": f"Shelf {next(numbers)} holds the parts of {word}."}
                    case "memory_search":
                        arguments = {"query": question, "limit": 10}
                    case _:
                        arguments = {"id": ids[run % len(ids)]}
                reply = way.timed(daemon.process.pid, tool, arguments)
                if tool == "memory_store":
                    ids.append(reply["id"])
        base = found[0]
        for way in found:
            cpu, wall = statistics.median(way.cpu), statistics.median(way.wall)
            to_cpu, to_wall = cpu / statistics.median(base.cpu), wall / statistics.median(base.wall)
            name = f"{tool}, {way.name}"
            print(f"{name:<34}{cpu:>8.2f}{wall:>8.2f}{to_cpu:>13.2f}{to_wall:>8.2f}", flush=True)


def measure_starts(daemon: Daemon, folder: Path) -> None:
    """Print how long the stdio program takes until it has shaken hands, and what it holds then."""
    commands = {
        "the rendered program": mcp_command(daemon.paths, sys.executable, "claude-code"),
        "intaglio mcp": [sys.executable, "-m", "intaglio", "mcp"],
    }
    for name, command in commands.items():
        walls, sizes, cpus = list[float](), list[float](), list[float]()
        for _ in range(_STARTS):
            program = Program(command, daemon.env, folder)
            program.ask(_SHAKE)
            walls.append((time.perf_counter() - program.began) * 1000)
            program.ask(message("tools/list"))
            cpus.append(cpu_ms(program.process.pid))
            sizes.append(rss_mb(program.process.pid))
            program.stop()
        print(
            f"{name}: initialized after {statistics.median(walls):.0f} ms, "
            f"{statistics.median(cpus):.0f} ms CPU and {statistics.median(sizes):.1f} MB "
            "once it has listed the tools"
        )


def main(arguments: list[str]) -> None:
    """Print the costs per call in a store of the given size, without a model, and of starts."""
    parser = argparse.ArgumentParser(prog="python3 app bench mcp")
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=300)
    options = parser.parse_args(arguments)
    with temporary_home() as home:
        switch_embedding(home, on=False)
        folder = home / "project"
        folder.mkdir()
        with running_daemon(home, fresh=True) as daemon:
            bodies = Corpus().memories(options.memories)
            fill(daemon, ({**body, "project": str(folder)} for body in bodies))
            listed = Caller(daemon.port).post(ENDPOINT, message("tools/list")).decode()
            print(f"tools/list: {len(listed)} bytes, about {estimate_tokens(listed)} tokens")
            measure_starts(daemon, folder)
            command = mcp_command(daemon.paths, sys.executable, "claude-code")
            program = Program(command, daemon.env, folder)
            measure_calls(daemon, program, str(folder), options.runs)
            program.stop()
