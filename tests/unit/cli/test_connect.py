"""What `intaglio connect` and `intaglio doctor` say of the agents, without a daemon."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from intaglio.cli.connection import paths
from intaglio.cli.connection_list import connection_lines
from intaglio.cli.main import intaglio
from intaglio.harness.claude_code.connector import ClaudeCodeConnector


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with Claude Code 7.8.9 and no other agent, and an installation that never ran."""
    program = tmp_path / ".local" / "bin" / "claude"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\necho '7.8.9 (Claude Code)'\n")
    program.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setenv("INTAGLIO_WORKSPACE", str(tmp_path / "agents"))
    monkeypatch.setenv("INTAGLIO_STATE_DIR", str(tmp_path / "state" / "intaglio"))
    return tmp_path


def said(*args: str) -> str:
    return CliRunner().invoke(intaglio, args).output


def test_an_agent_is_listed_with_its_version_and_what_keeps_its_hooks_from_running(
    home: Path,
) -> None:
    said("connect", "claude-code", "--yes")
    driven = ClaudeCodeConnector().driven_version
    first, version, *rest = said("connect").splitlines()
    assert first.startswith("claude-code: connected, tools registered (Claude Code, ")
    assert version == f"  version 7.8.9; Intaglio is tested with {driven}"
    assert "  Note: " not in "\n".join(rest)
    settings = home / ".claude" / "settings.json"
    settings.write_text(settings.read_text().replace("{", '{"disableAllHooks": true,', 1))
    note = "disableAllHooks is true in these settings, so Claude Code doesn't run Intaglio's hooks."
    assert f"  Note: {note} Remove disableAllHooks from {settings}." in said("connect")
    assert f"warn  claude-code: {note}\n      Remove " in said("doctor")


def test_why_an_agent_cannot_be_connected_is_said_once(home: Path) -> None:
    settings = home / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{ // mine\n}")
    text = said("connect")
    where = f"(Gemini CLI, {settings})"
    assert f"gemini-cli: can't be connected, tools can't be registered {where}\n" in text
    assert text.count("a comment, which JSON doesn't allow. Fix the file first") == 1


def test_what_a_deleted_installation_left_is_named_and_removed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said("connect", "claude-code", "--yes")
    shutil.rmtree(home / "state")
    monkeypatch.setenv("INTAGLIO_STATE_DIR", str(home / "new" / "intaglio"))
    first, *_ = connection_lines(paths())
    assert first.startswith("claude-code: left over from an earlier installation (Claude Code, ")
    assert "warn  claude-code: left over from an earlier installation\n" in said("doctor")
    said("disconnect", "claude-code", "--yes")
    first, *_ = connection_lines(paths())
    assert first.startswith("claude-code: not connected (")
    assert (home / ".claude" / "settings.json").read_text() == "{}\n"
    assert "intaglio" not in (home / ".claude.json").read_text()


def test_hooks_that_another_program_removed_are_named_until_they_are_renewed(home: Path) -> None:
    said("connect", "claude-code", "--yes")
    settings = home / ".claude" / "settings.json"
    settings.write_text("{}\n")
    assert f"warn  claude-code: its hooks were removed from {settings}\n" in said("doctor")
    said("disconnect", "claude-code", "--yes")
    assert "warn  claude-code: not connected\n" in said("doctor")
    said("connect", "claude-code", "--yes")
    assert "ok    claude-code: connected\n" in said("doctor")


def test_a_test_needs_an_agent_and_the_daemon(home: Path) -> None:
    del home
    assert "Name the agent to test." in said("connect", "--test")
