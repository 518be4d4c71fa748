"""The real Claude Code in a terminal: the person sees what a session starts with, no model does."""

import re
from pathlib import Path

import pytest

from clients.conftest import Machine
from fakes.daemon import Daemon

pytestmark = [pytest.mark.clients, pytest.mark.slow]

RULE = "Never push to main."
DECISION = "We decided to use Postgres for the billing ledger, not SQLite."
LATER = "From now on we always write migrations by hand."


def _remember(daemon: Daemon, project: Path, *contents: str) -> None:
    with daemon.client() as client:
        for content in contents:
            body = {"content": content, "project": str(project.resolve())}
            client.post("/api/memory/remember", json=body).raise_for_status()


def _lines(screen: str) -> list[str]:
    """Return the different notices on a screen, in order; its text has no blanks."""
    return list(dict.fromkeys(re.findall(r"Intaglio:\d+memor(?:y|ies)forlantern,\d+new", screen)))


# With nothing new for the model, Claude Code shows a resumed session the line of its start again.
def test_the_start_notice_is_shown_to_the_person_only(machine: Machine) -> None:
    machine.intaglio("connect", "claude-code", "--yes")
    lantern = machine.project("lantern")
    with machine.daemon() as daemon:
        with machine.claude.terminal(lantern) as terminal:
            pass
        assert "memories" not in terminal.text
        _remember(daemon, lantern, RULE, DECISION)
        with machine.claude.terminal(lantern) as terminal:
            # It may be drawn after the prompt, but not after an answer to it.
            terminal.send("Hello.")
            terminal.wait_for("Understood.")
            assert _lines(terminal.text) == ["Intaglio:2memoriesforlantern,2new"]
        _remember(daemon, lantern, LATER)
        with machine.claude.terminal(lantern, "--continue") as terminal:
            terminal.send("Hello again.")
            terminal.wait_for("Understood.")
            assert _lines(terminal.text)[-1] == "Intaglio:3memoriesforlantern,1new"
    sent = machine.model.sent()
    assert DECISION in sent
    assert LATER in sent
    assert "for lantern" not in sent
