"""A hint names a command that works as it is typed."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from intaglio.base.installation import (
    Invocation,
    command,
    command_for_new_terminal,
    powershell_program,
)


def _install(folder: Path) -> Path:
    program = folder / "bin" / "intaglio"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


def _started(program: Path, typed: str = "-m", path: str = "", home: str = "") -> Invocation:
    return Invocation(str(program.with_name("python")), typed, {"PATH": path, "HOME": home})


def test_a_program_on_the_search_path_is_named_without_its_folder(tmp_path: Path) -> None:
    program = _install(tmp_path / "venv")
    linked = tmp_path / "local" / "intaglio"
    linked.parent.mkdir()
    linked.symlink_to(program)
    for folder in (program.parent, linked.parent):
        started = _started(program, path=str(folder))
        assert command("daemon start", started) == "intaglio daemon start"


def test_another_installation_on_the_search_path_is_not_named(tmp_path: Path) -> None:
    program, other = _install(tmp_path / "one"), _install(tmp_path / "two")
    assert command("doctor", _started(program, path=str(other.parent))) == f"{program} doctor"


def test_in_a_clone_the_command_is_what_the_user_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = _install(tmp_path / ".venv")
    monkeypatch.chdir(tmp_path)
    assert command("doctor", _started(program, ".venv/bin/intaglio")) == ".venv/bin/intaglio doctor"
    assert command("doctor", _started(program, "app/__main__.py")) == f"{program} doctor"


def test_elsewhere_the_command_has_its_full_path(tmp_path: Path) -> None:
    program = _install(tmp_path / "my src" / ".venv")
    started = _started(program, home=str(tmp_path))
    assert command("doctor", started) == "~/'my src/.venv/bin/intaglio' doctor"
    assert command("", started) == "~/'my src/.venv/bin/intaglio'"


def test_without_a_program_the_interpreter_runs_the_package(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    started = Invocation(str(python), "-c", {"PATH": ""})
    assert command("doctor", started) == f"{python} -m intaglio doctor"


def test_in_a_new_terminal_no_environment_is_active(tmp_path: Path) -> None:
    program = _install(tmp_path / ".venv")
    started = _started(program, path=str(program.parent))
    active = replace(started, is_venv=True)
    assert command_for_new_terminal("doctor", {}, active) == f"{program} doctor"
    assert command_for_new_terminal("doctor", {}, started) == "intaglio doctor"


@pytest.mark.skipif(os.name == "nt", reason="a POSIX shell")
def test_a_new_terminal_gets_the_directories_of_this_installation(tmp_path: Path) -> None:
    program = _install(tmp_path / "my src")
    program.write_text('#!/bin/sh\necho "$INTAGLIO_STATE_DIR" "$@"\n')
    started = _started(program, home=str(tmp_path))
    variables = {"INTAGLIO_STATE_DIR": "/it's here"}
    line = command_for_new_terminal("connect my-agent", variables, started)
    env = {"HOME": str(tmp_path)}
    typed = subprocess.run(["/bin/sh", "-c", line], env=env, capture_output=True, check=True)
    assert typed.stdout.decode() == "/it's here connect my-agent\n"


@pytest.mark.parametrize(
    ("program", "word"),
    [
        (r"C:\Programs\Intaglio\intaglio.exe", r"C:\Programs\Intaglio\intaglio.exe"),
        (r"C:\Users\Ann Lee\intaglio.exe", r"& 'C:\Users\Ann Lee\intaglio.exe'"),
        (r"C:\O'Neil\intaglio.exe", r"& 'C:\O''Neil\intaglio.exe'"),
    ],
)
def test_powershell_runs_a_quoted_program_after_an_ampersand(program: str, word: str) -> None:
    assert powershell_program(program) == word
