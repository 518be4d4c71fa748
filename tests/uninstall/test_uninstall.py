"""What an uninstall removes from a user's home, what it leaves, and what it says of both."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.connect_home import PYTHON, Home, make_home
from intaglio.client import service_definition
from intaglio.connect.block_files import blocks_file, keep_block_files
from intaglio.connect.managed_block import put_block
from intaglio.connect.plans import apply
from intaglio.connect.targets import ConnectionTarget
from intaglio.connect.values import ConnectionPlan
from intaglio.desktop.autostart.launcher import Launcher
from intaglio.desktop.autostart.linux import LinuxAutostart
from intaglio.harness.registry import connectors
from intaglio.uninstall.uninstaller import Uninstaller
from intaglio.uninstall.values import UninstallReport

CLAUDE_SETTINGS = b'{\n\t"theme": "dark"  \n}'


@pytest.fixture
def home(tmp_path: Path) -> Home:
    one = make_home(tmp_path)
    one.write(CLAUDE_SETTINGS)
    return one


def targets(home: Home, env: Mapping[str, str]) -> dict[str, ConnectionTarget]:
    return {
        name: replace(home.target(), connector=connector, env={**env, "PATH": ""})
        for name, connector in connectors().items()
    }


def uninstaller(home: Home, **env: str) -> Uninstaller:
    return Uninstaller(
        paths=home.paths,
        home=home.folder,
        targets=targets(home, env),
        autostart=LinuxAutostart(home.folder, {}, Launcher([PYTHON])),
        service=service_definition.describe("linux", home.folder, {}, [PYTHON]),
        run=lambda _: None,
    )


def connect(home: Home, *names: str, **env: str) -> None:
    found = targets(home, env)
    for name in names or found:
        plan = found[name].plan_connect(home.install)
        assert isinstance(plan, ConnectionPlan), plan
        apply(plan)


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def write(file: Path, text: str = "x") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def titles(report: UninstallReport) -> set[str]:
    return {item.title for item in report.removes}


def test_every_agents_files_and_the_login_entries_are_as_before(home: Home) -> None:
    before = contents(home.folder)
    connect(home)
    one = uninstaller(home)
    one.autostart.switch(on=True)
    write(one.service.file)
    assert one.service.link is not None
    one.service.link.parent.mkdir()
    one.service.link.symlink_to(one.service.file)
    report = one.remove()
    assert (report.done, report.problems) == (True, ())
    assert contents(home.folder) == before
    assert not os.path.lexists(one.service.link)


def test_what_cannot_be_deleted_is_not_said_to_be_removed(home: Home) -> None:
    one = uninstaller(home)
    one.service.file.mkdir(parents=True)
    entry = home.folder / ".config" / "autostart" / "intaglio.desktop"
    entry.mkdir(parents=True)
    report = one.remove()
    assert {problem.file for problem in report.problems} == {str(one.service.file), str(entry)}
    assert titles(report).isdisjoint(
        {"The service that starts the daemon", "Start at login and intaglio:// links"}
    )


def test_the_preview_names_what_is_removed_and_changes_nothing(home: Home) -> None:
    connect(home)
    before = contents(home.folder)
    preview = uninstaller(home).preview()
    assert contents(home.folder) == before
    assert {"Claude Code", "Codex", "Hook programs, logs and caches"} <= titles(preview)
    removed = uninstaller(home).remove()
    assert removed.removes == preview.removes


def test_a_second_time_there_is_nothing_to_do(home: Home) -> None:
    connect(home)
    uninstaller(home).remove()
    again = uninstaller(home).remove()
    assert (again.done, again.removes, again.problems) == (True, (), ())


def test_memories_and_waiting_events_stay_unless_asked(home: Home) -> None:
    paths = home.paths
    data = (paths.database, paths.backups / "a.db", paths.spool / "1.json", paths.clock_mark)
    for file in data:
        write(file)
    write(paths.settings)
    report = uninstaller(home).remove()
    assert all(file.exists() for file in data)
    assert [item.kind for item in report.keeps] == ["data", "own"]
    uninstaller(home).remove(delete_data=True)
    assert not any(file.exists() for file in data)
    assert paths.settings.exists()


def test_hooks_and_logs_go_and_leave_no_folder_of_their_own(home: Home) -> None:
    connect(home, "claude-code")
    for file in (home.paths.log_file, home.paths.lock, home.paths.state / "windows" / "a.json"):
        write(file)
    uninstaller(home).remove()
    assert not home.paths.state.exists()
    assert not home.paths.logs.exists()


def test_other_files_in_the_same_folders_stay(home: Home) -> None:
    ours = (home.paths.state, home.paths.logs, home.paths.memory, home.paths.runtime)
    others = [folder / "thesis.txt" for folder in ours]
    for file in others:
        write(file)
    uninstaller(home).remove(delete_data=True)
    assert all(file.exists() for file in others)


def test_folders_of_the_home_stay_where_it_is_the_state_folder(home: Home) -> None:
    write(home.folder / "git" / "project" / "file")
    write(home.folder / "hook-timeout")
    one = uninstaller(home)
    replace(one, paths=replace(one.paths, state=home.folder)).remove()
    assert (home.folder / "git" / "project" / "file").exists()
    assert not (home.folder / "hook-timeout").exists()


def test_a_link_in_the_state_folder_is_not_followed(home: Home) -> None:
    write(home.folder / "elsewhere" / "file")
    home.paths.state.mkdir()
    (home.paths.state / "windows").symlink_to(home.folder / "elsewhere")
    uninstaller(home).remove()
    assert not os.path.lexists(home.paths.state / "windows")
    assert (home.folder / "elsewhere" / "file").exists()


def test_settings_that_cannot_be_read_are_named_and_the_others_reverted(home: Home) -> None:
    connect(home)
    home.settings.write_bytes(b'{"hooks": "intaglio",,,')
    report = uninstaller(home).remove()
    assert [problem.title for problem in report.problems] == ["Claude Code"]
    assert report.problems[0].file == str(home.settings)
    assert report.done
    # The same agent's list of MCP servers is another file.
    assert not (home.folder / ".claude.json").exists()
    assert (home.paths.state / "connect").exists()
    assert not home.paths.hooks.exists()


def test_broken_settings_without_anything_of_ours_are_no_concern(home: Home) -> None:
    home.settings.write_bytes(b"{,,,")
    report = uninstaller(home).remove()
    assert report.problems == ()
    assert home.settings.read_bytes() == b"{,,,"


def test_settings_are_reverted_where_a_variable_named_them(home: Home, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "settings.json").write_bytes(CLAUDE_SETTINGS)
    connect(home, "claude-code", CLAUDE_CONFIG_DIR=str(elsewhere))
    uninstaller(home).remove()
    assert contents(elsewhere) == {"settings.json": CLAUDE_SETTINGS}


def test_hooks_are_taken_out_when_the_state_folder_is_already_gone(home: Home) -> None:
    connect(home, "claude-code")
    for file in sorted(home.paths.state.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    report = uninstaller(home).remove()
    assert report.problems == ()
    assert b"intaglio" not in home.settings.read_bytes()


def test_blocks_in_the_files_of_projects_are_taken_out(home: Home, tmp_path: Path) -> None:
    mine, edited = (tmp_path / name / "AGENTS.md" for name in ("project", "other"))
    write(mine, "# mine\n")
    block = put_block(mine.read_bytes(), "be kind\n")
    mine.write_bytes(block)
    write(edited)
    edited.write_bytes(block.replace(b"kind", b"blunt"))
    keep_block_files(blocks_file(home.paths), [mine, edited, tmp_path / "gone"])
    report = uninstaller(home).remove()
    assert mine.read_bytes() == b"# mine\n"
    assert [problem.file for problem in report.problems] == [str(edited)]
    assert b"blunt" in edited.read_bytes()
