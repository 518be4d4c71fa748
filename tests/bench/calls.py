"""What a call costs the daemon and its caller, each over a connection of its own."""

import argparse
import json
import resource
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from bench.corpus import Corpus
from bench.figures import cpu_ms
from bench.home import fill, temporary_home
from bench.hook_caller import Caller, wait_until_embedded, wait_until_idle
from bench.transcripts import fill_database
from fakes.daemon import Daemon, running_daemon
from fakes.mcp import tool_call

_BATCHES: Final = 7
_LEARNINGS: Final = 200
# Of the file that is edited, which the hook's event holds whole.
_LINES: Final = 1_500
_SAID: Final = (
    "From now on we always run the linter before we push.",
    "Can you have a look at the failing test in the parser?",
    "That works, thanks.",
)


@dataclass(frozen=True, slots=True)
class Call:
    """A kind of call; ``make`` makes one, its argument is the question."""

    name: str
    make: Callable[[str], object]
    batch: int


def _children_ms() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def _event(number: int) -> bytes:
    event = {"hook_event_name": "SessionStart", "session_id": f"s{number}", "source": "startup"}
    return json.dumps(event).encode()


def calls(daemon: Daemon) -> Iterator[Call]:
    """List the calls that a session of an agent makes."""
    hooks, numbers = daemon.paths.hooks, count()

    def post(path: str, body: Mapping[str, object]) -> bytes:
        return Caller(daemon.port).post(path, body)

    def recall(question: str) -> object:
        return post("/api/memory/recall", {"query": question})

    def prompt(question: str) -> object:
        body = {"harness": "x", "sessionKey": f"k{next(numbers)}", "userMessage": question}
        return post("/api/hooks/user-prompt-submit", body)

    def native(session: str) -> Callable[[str], object]:
        def once(question: str) -> object:
            told = {
                "hook_event_name": "UserPromptSubmit",
                "session_id": session,
                "cwd": "/work/shop",
                "prompt": f"{question} {_SAID[next(numbers) % len(_SAID)]}",
            }
            return post("/api/hooks/native/claude-code", told)

        return once

    def start(_: str) -> object:
        return post("/api/hooks/session-start", {"harness": "x", "sessionKey": f"t{next(numbers)}"})

    def run(*command: str | Path) -> Callable[[str], object]:
        def once(_: str) -> object:
            told = _event(next(numbers))
            done = subprocess.run(command, input=told, capture_output=True, check=True)
            if not done.stdout:
                raise SystemExit(f"{command[0]} got no context")
            return done

        return once

    yield Call("recall", recall, 100)
    yield Call("prompt hook of the contract", prompt, 100)
    yield Call("prompt hook", native("plain"), 100)
    noting = native("noting")
    noting("Hello.")
    # By its first call of a tool, the daemon knows that this session's agent has them.
    post(
        "/mcp?harness=claude-code&session=noting",
        tool_call("memory_list", {"limit": 1}),
    )
    yield Call("prompt hook with save reminders", noting, 100)
    yield Call("edit with nothing to tell", _edit(daemon), 100)
    yield Call("session start of the contract", start, 50)
    yield Call("session start by curl", run("curl", "-q", "-K", hooks / "claude-code.curl"), 30)
    program = (sys.executable, "-I", "-S", hooks / "claude-code.py", "--reply")
    yield Call("session start by the hook program", run(*program), 30)


def _edit(daemon: Daemon) -> Callable[[str], object]:
    """Return an edit of a file that none of a project's learnings is about."""
    caller, numbers, project = Caller(daemon.port), count(), "/work/shop"
    for number in range(_LEARNINGS):
        said = f"Way {number} of the importer failed in src/importer{number}.py under load."
        learned = {"content": said, "type": "learning", "project": project}
        caller.post("/api/memory/remember", learned)

    def once(_: str) -> None:
        path = f"{project}/src/part{next(numbers)}.py"
        told = {
            "hook_event_name": "PostToolUse",
            "session_id": "plain",
            "cwd": project,
            "tool_name": "Edit",
            "tool_input": {"file_path": path, "old_string": "x", "new_string": "y"},
            "tool_response": {"filePath": path, "originalFile": "x = 1\n" * _LINES},
        }
        if Caller(daemon.port).post("/api/hooks/native/claude-code", told):
            raise SystemExit("an edit was told something")

    return once


def measure(daemon: Daemon, call: Call, corpus: Corpus) -> str:
    """Return a line: the medians of several batches, per call."""
    daemon_cpu, caller_cpu, wall = list[float](), list[float](), list[float]()
    call.make(corpus.question())
    for _ in range(_BATCHES):
        questions = [corpus.question() for _ in range(call.batch)]
        before, children, began = cpu_ms(daemon.process.pid), _children_ms(), time.perf_counter()
        for question in questions:
            call.make(question)
        wall.append((time.perf_counter() - began) * 1000 / call.batch)
        daemon_cpu.append((cpu_ms(daemon.process.pid) - before) / call.batch)
        caller_cpu.append((_children_ms() - children) / call.batch)
    values = (statistics.median(each) for each in (daemon_cpu, caller_cpu, wall))
    return f"{call.name:<34}" + "".join(f"{value:>14.2f}" for value in values)


def _wait_until_read(database: Path, within_s: float = 3_600) -> None:
    """Wait until all transcripts have vectors and were compared with the earlier ones."""
    end = time.monotonic() + within_s
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as held:
        while time.monotonic() < end:
            [(all_of_them, embedded, compared, projects)] = held.execute(
                "SELECT count(*), count(v.transcript), sum(t.compared > 0), "
                "count(DISTINCT ifnull(t.project, '')) FROM transcripts t "
                "LEFT JOIN transcript_vectors v ON v.transcript = t.seq"
            )
            # The first of a project has no earlier one.
            if embedded == all_of_them and compared >= all_of_them - projects:
                return
            time.sleep(1)
    raise TimeoutError("the transcripts aren't read in time")


def main(arguments: list[str]) -> None:
    """Print the costs per call in a store of the given size; without a model by default."""
    parser = argparse.ArgumentParser(prog="python3 app bench calls")
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--transcripts", type=int, default=0, help="sessions with a transcript")
    parser.add_argument("--model", action="store_true", help="with the included model")
    options = parser.parse_args(arguments)
    corpus = Corpus()
    with temporary_home() as home:
        (home / "agents").mkdir(parents=True, exist_ok=True)
        provider = "onnx" if options.model else "none"
        (home / "agents" / "agent.yaml").write_text(
            f"embedding: {{provider: {provider}}}\ncapture: {{remindersPerSession: 1000}}\n"
        )
        if options.transcripts:
            fill_database(home / "agents" / "memory" / "intaglio.db", options.transcripts)
        with running_daemon(home, fresh=True) as daemon:
            fill(daemon, corpus.memories(options.memories))
            if options.model:
                wait_until_embedded(Caller(daemon.port))
            # Vectors of transcripts are made by jobs, a batch of transcripts at a time.
            if options.model and options.transcripts:
                _wait_until_read(daemon.paths.database)
            wait_until_idle(Caller(daemon.port))
            print(f"{'ms a call, medians':<34}{'daemon CPU':>14}{'caller CPU':>14}{'wall':>14}")
            for call in calls(daemon):
                print(measure(daemon, call, corpus), flush=True)
