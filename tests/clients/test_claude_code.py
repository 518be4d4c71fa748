"""The real Claude Code: what a user decides in one session is known to the next one."""

import json
import os
import re
import signal
from pathlib import Path

import pytest

from clients.conftest import Machine, memories, wait_for_memories, wait_for_spool
from fakes.waiting import PATIENCE_S, wait_for

pytestmark = pytest.mark.clients

DECISION = "We decided to use Postgres for the billing ledger, not SQLite."
TALK = (
    "Hi, can you have a look at the repository?",
    "What does the parser module do?",
    "Run the tests please.",
    "Hm, that is strange. Why does it fail?",
    "Can you show me the stack trace again?",
    "Thanks, that looks better.",
    DECISION,
    "Where is the configuration read?",
    "Explain the retry loop to me.",
    "Is there a shorter way to write this?",
    "Rename the variable in line 12.",
    "OK, good night!",
)
QUESTION = "Which database does the billing ledger use?"


def _connect(machine: Machine) -> None:
    machine.intaglio("connect", "claude-code", "--yes")


def test_a_decision_reaches_the_next_sessions_first_request(machine: Machine) -> None:
    _connect(machine)
    project = machine.project("shop")
    with machine.daemon() as daemon:
        machine.claude.talk(project, TALK)
        wait_for_memories(daemon, DECISION)
        machine.model.requests.clear()
        run = machine.claude.ask("Hello again.", project)
        assert (run.code, run.stderr) == (0, "")
        first = json.dumps(machine.model.requests[0], ensure_ascii=False)
    assert DECISION in first
    assert "<intaglio-memory" in first


def test_only_the_decision_is_stored_and_as_it_was_said(machine: Machine) -> None:
    _connect(machine)
    project = machine.project("shop")
    with machine.daemon() as daemon:
        machine.claude.talk(project, TALK)
        wait_for_memories(daemon, DECISION)
        (memory,) = memories(daemon)
    (transcript,) = (machine.home / ".claude" / "projects").rglob("*.jsonl")
    said = [
        record["uuid"]
        for record in map(json.loads, transcript.read_text().splitlines())
        if record["type"] == "user" and record["message"]["content"] == DECISION
    ]
    assert memory["content"] == DECISION
    assert memory["type"] == "decision"
    assert memory["project"] == str(project.resolve())
    assert memory["session_id"] == transcript.stem
    assert said[0] in memory["source_id"]
    assert memory["confidence"] <= 0.6


def test_a_decision_reaches_a_session_that_is_open_by_the_prompt_hook(machine: Machine) -> None:
    _connect(machine)
    project = machine.project("shop")
    with machine.daemon() as daemon, machine.claude.session(project) as session:
        session.say("Hello.")
        machine.claude.talk(project, TALK)
        wait_for_memories(daemon, DECISION)
        machine.model.requests.clear()
        session.say(QUESTION)
        assert DECISION in machine.model.sent()


def test_another_projects_session_never_sees_the_decision(machine: Machine) -> None:
    _connect(machine)
    shop, blog = machine.project("shop"), machine.project("blog")
    with machine.daemon() as daemon:
        machine.claude.talk(shop, TALK)
        wait_for_memories(daemon, DECISION)
        machine.model.requests.clear()
        machine.claude.talk(blog, ["Hello.", QUESTION])
    assert len(machine.model.requests) >= 2
    assert "Postgres" not in machine.model.sent()


def test_what_was_injected_is_not_remembered_again(machine: Machine) -> None:
    _connect(machine)
    project = machine.project("shop")
    with machine.daemon() as daemon:
        machine.claude.talk(project, TALK)
        wait_for_memories(daemon, DECISION)
        machine.claude.talk(project, ["Hello.", QUESTION, QUESTION])
        assert DECISION in machine.model.sent()
        assert [memory["content"] for memory in memories(daemon)] == [DECISION]


def test_a_resumed_session_stores_each_decision_once(machine: Machine) -> None:
    _connect(machine)
    project = machine.project("shop")
    later = "From now on we always write migrations by hand."
    with machine.daemon() as daemon:
        machine.claude.ask(DECISION, project)
        machine.claude.ask(later, project, "--continue")
        wait_for_memories(daemon, DECISION, later)


@pytest.mark.parametrize("end", ["never started", "stopped", "killed"])
def test_with_the_daemon_away_nothing_is_seen_and_nothing_is_lost(
    machine: Machine, end: str
) -> None:
    _connect(machine)
    project = machine.project("shop")
    if end != "never started":
        with machine.daemon() as daemon:
            if end == "killed":
                os.kill(daemon.process.pid, signal.SIGKILL)
                daemon.process.wait(10)
    with machine.claude.session(project) as session:
        for prompt in TALK:
            session.say(prompt)
    assert not any("hook" in line and "rror" in line for line in session.said)
    run = machine.claude.ask("And one more.", project)
    assert (run.code, run.stdout, run.stderr) == (0, "Understood.\n", "")
    with machine.daemon() as daemon:
        wait_for_spool(daemon)
        wait_for_memories(daemon, DECISION)
        machine.model.requests.clear()
        machine.claude.ask("Hello again.", project)
        assert DECISION in machine.model.sent()


def test_what_is_said_while_capture_is_paused_is_never_remembered(machine: Machine) -> None:
    _connect(machine)
    project = machine.project("shop")
    between = "We decided to buy the second domain before the announcement."
    later = "From now on we always write migrations by hand."
    with machine.daemon() as daemon:
        machine.claude.ask(DECISION, project)
        wait_for_memories(daemon, DECISION)
        machine.intaglio("pause", "--for", "1h")
        machine.claude.ask(between, project, "--continue")
        machine.model.requests.clear()
        machine.claude.ask("Hello there.", project)
        assert DECISION in machine.model.sent()
        assert [memory["content"] for memory in memories(daemon)] == [DECISION]
        machine.intaglio("resume")
        machine.claude.ask(later, project, "--continue")
        wait_for_memories(daemon, DECISION, later)
    with machine.daemon() as daemon:
        wait_for_spool(daemon)
        assert len(memories(daemon)) == 2


def test_in_a_terminal_nothing_is_seen_of_an_absent_daemon(machine: Machine) -> None:
    _connect(machine)
    project = machine.project("shop")
    with machine.claude.terminal(project) as terminal:
        terminal.send(DECISION)
        terminal.wait_for("Understood.")
    assert not re.findall(r"hook(?:failed|error)|ECONN|refused", terminal.text)
    with machine.daemon() as daemon:
        wait_for_spool(daemon)
        wait_for_memories(daemon, DECISION)


def test_in_a_terminal_the_prompt_is_answered_from_memory(machine: Machine) -> None:
    _connect(machine)
    project = machine.project("shop")
    with machine.daemon() as daemon, machine.claude.terminal(project) as terminal:
        terminal.send("Hello there.")
        terminal.wait_for("Understood.")
        machine.claude.ask(DECISION, project)
        wait_for_memories(daemon, DECISION)
        machine.model.requests.clear()
        terminal.send(QUESTION)
        terminal.wait_for("Understood.")
        assert DECISION in machine.model.sent()


def test_with_the_daemon_away_the_client_loses_no_time(machine: Machine) -> None:
    _connect(machine)
    project = machine.project("shop")
    plain = machine.without_hooks()
    for client in (plain, machine.claude):
        client.ask("Warm up.", project)
    times = list[tuple[float, float]]()

    def loses_none() -> bool:
        one = plain.ask("Hello.", project), machine.claude.ask("Hello.", project)
        times.append((one[0].seconds, one[1].seconds))
        without, hooked = map(min, zip(*times, strict=True))
        # Small processes start beside the client, slowly where it is slow too; a time-out of any
        # hook would cost 2 s more.
        return len(times) > 1 and hooked < 1.3 * without + 0.8

    wait_for(loses_none, "as quick as without hooks", 2 * PATIENCE_S)


def test_connecting_a_user_with_own_hooks_keeps_them_running(
    machine: Machine, tmp_path: Path
) -> None:
    mark = tmp_path / "own-hook-ran"
    own = {"type": "command", "command": "touch", "args": [str(mark)]}
    machine.claude.settings.parent.mkdir()
    before = json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [own]}]}}, indent=2)
    machine.claude.settings.write_text(before)
    _connect(machine)
    project = machine.project("shop")
    with machine.daemon() as daemon:
        machine.claude.ask(DECISION, project)
        wait_for_memories(daemon, DECISION)
    assert mark.exists()
    machine.intaglio("disconnect", "claude-code", "--yes")
    assert machine.claude.settings.read_text() == before
