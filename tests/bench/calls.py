"""What a call costs the daemon and its caller, each over a connection of its own."""

import argparse
import json
import resource
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
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
from fakes.model_server import Hang, model_server

_BATCHES: Final = 7
_LEARNINGS: Final = 200
_MODEL: Final = "qwen3:4b"
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

    yield Call("remember", _remembering(daemon), 50)
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


def _remembering(daemon: Daemon) -> Callable[[str], object]:
    caller, numbers = Caller(daemon.port), count()

    def once(question: str) -> object:
        content = f"{question} Case {next(numbers)}."
        return caller.post("/api/memory/remember", {"content": content})

    return once


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


@dataclass(slots=True)
class Costs:
    """What each batch took per call, in ms: the daemon's CPU, the caller's, and the time."""

    daemon: list[float] = field(default_factory=list[float])
    caller: list[float] = field(default_factory=list[float])
    wall: list[float] = field(default_factory=list[float])

    @property
    def medians(self) -> tuple[float, ...]:
        """The medians over the batches."""
        return tuple(statistics.median(each) for each in (self.daemon, self.caller, self.wall))

    def line(self, name: str) -> str:
        """Return a line with the medians."""
        return f"{name:<34}" + "".join(f"{value:>14.2f}" for value in self.medians)


def _batch(daemon: Daemon, call: Call, corpus: Corpus, costs: Costs) -> None:
    questions = [corpus.question() for _ in range(call.batch)]
    before, children, began = cpu_ms(daemon.process.pid), _children_ms(), time.perf_counter()
    for question in questions:
        call.make(question)
    costs.wall.append((time.perf_counter() - began) * 1000 / call.batch)
    costs.daemon.append((cpu_ms(daemon.process.pid) - before) / call.batch)
    costs.caller.append((_children_ms() - children) / call.batch)


def measure(corpus: Corpus, *measured: tuple[Daemon, Call]) -> list[Costs]:
    """Return what a call costs with each daemon; their batches take turns."""
    found = [Costs() for _ in measured]
    for _, call in measured:
        call.make(corpus.question())
    for _ in range(_BATCHES):
        for costs, (daemon, call) in zip(found, measured, strict=True):
            _batch(daemon, call, corpus, costs)
    return found


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


def _confirm(daemon: Daemon, address: str) -> None:
    chosen = {"provider": "ollama", "model": _MODEL, "address": address}
    with daemon.client(headers=daemon.owner) as client:
        client.post("/api/models/confirm", json=chosen).raise_for_status()


@contextmanager
def _daemon(options: argparse.Namespace, model_url: str = "") -> Generator[Daemon]:
    """Run a daemon with the memories and the models of the options."""
    corpus = Corpus()
    with temporary_home() as home:
        (home / "agents").mkdir(parents=True, exist_ok=True)
        provider = "onnx" if options.model else "none"
        lines = [
            f"embedding: {{provider: {provider}}}",
            "capture: {remindersPerSession: 1000}",
        ]
        if model_url:
            chosen = f"provider: ollama, model: {_MODEL}, endpoint: '{model_url}', timeout: 5000"
            lines.append(f"memory: {{pipelineV2: {{extraction: {{{chosen}}}}}}}")
        (home / "agents" / "agent.yaml").write_text("\n".join(lines) + "\n")
        if options.transcripts:
            fill_database(home / "agents" / "memory" / "intaglio.db", options.transcripts)
        with running_daemon(home, fresh=True) as daemon:
            if model_url:
                _confirm(daemon, model_url)
            fill(daemon, corpus.memories(options.memories))
            if options.model:
                wait_until_embedded(Caller(daemon.port))
            # Vectors of transcripts are made by jobs, a batch of transcripts at a time.
            if options.model and options.transcripts:
                _wait_until_read(daemon.paths.database)
            if not model_url:
                wait_until_idle(Caller(daemon.port))
            yield daemon


def _beside_language_model(options: argparse.Namespace) -> None:
    """Print each call's costs without a language model and while one keeps jobs waiting."""
    corpus = Corpus()
    with model_server() as server, _daemon(options) as plain:
        # It answers nothing: calls are always in flight, and all memories wait to be read.
        server.plays(Hang())
        with _daemon(options, server.url) as asking:
            print(f"{'ms a call, medians':<34}{'daemon CPU':>14}{'caller CPU':>14}{'wall':>14}")
            for call, other in zip(calls(plain), calls(asking), strict=True):
                asked = len(server.asked)
                without, beside = measure(corpus, (plain, call), (asking, other))
                ratio = beside.medians[-1] / without.medians[-1]
                print(without.line(call.name))
                print(
                    beside.line("  beside a model that hangs"),
                    f"  x {ratio:.2f}, {len(server.asked) - asked} requests to the model",
                    flush=True,
                )


def main(arguments: list[str]) -> None:
    """Print the costs per call in a store of the given size; without a model by default."""
    parser = argparse.ArgumentParser(prog="python3 app bench calls")
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--transcripts", type=int, default=0, help="sessions with a transcript")
    parser.add_argument("--model", action="store_true", help="with the included model")
    parser.add_argument(
        "--language-model",
        action="store_true",
        help="compare with a daemon that asks a language model meanwhile",
    )
    options = parser.parse_args(arguments)
    if options.language_model:
        _beside_language_model(options)
        return
    corpus = Corpus()
    with _daemon(options) as daemon:
        print(f"{'ms a call, medians':<34}{'daemon CPU':>14}{'caller CPU':>14}{'wall':>14}")
        for call in calls(daemon):
            [costs] = measure(corpus, (daemon, call))
            print(costs.line(call.name), flush=True)
