"""The real Claude Code edits a file: its agent is told once what failed there before."""

import json
from typing import Any, Final

import pytest

from clients.conftest import Machine, blocks_of, wait_for_memories
from fakes.model_api import ToolUse

pytestmark = [pytest.mark.clients, pytest.mark.slow]

LOCKS: Final = "We tried advisory locks in src/importer.py already, they deadlocked under load."
GO: Final = "Continue."
_FILES: Final = ("src/other.py", "src/importer.py", "src/importer.py")


def test_an_edit_is_told_once_what_failed_there(machine: Machine) -> None:
    machine.intaglio("connect", "claude-code", "--yes")
    project = machine.project("shop")

    def write_files(body: dict[str, Any]) -> str | ToolUse:
        """Write each of the files, one after the other, when the user says to go on."""
        messages = json.dumps(body["messages"])
        done = messages.count('"tool_result"')
        if not body.get("tools") or GO not in messages or done >= len(_FILES):
            return "Understood."
        path = str(project / _FILES[done])
        return ToolUse("Write", {"file_path": path, "content": f"STEP = {done}\n"})

    settings = json.loads(machine.claude.settings.read_text())
    settings["permissions"] = {"allow": ["Write", "Edit"]}
    machine.claude.settings.write_text(json.dumps(settings))
    with machine.daemon() as daemon, machine.claude.session(project) as session:
        # Its start has nothing to tell yet.
        session.say("Hello.")
        machine.claude.ask(LOCKS, project)
        wait_for_memories(daemon, project, LOCKS)
        machine.model.answer = write_files
        machine.model.requests.clear()
        session.say(GO)
        told = [
            [block for block in blocks_of(each) if 'source="edit"' in block]
            for each in machine.model.requests
            if each.get("tools")
        ]
    assert (project / "src/importer.py").read_text() == "STEP = 2\n"
    # Before any edit, after that of another file, and after both of the importer.
    assert [len(blocks) for blocks in told] == [0, 0, 1, 1]
    (block,) = told[-1]
    assert f"- Tried before, and it failed: {LOCKS} (" in block
