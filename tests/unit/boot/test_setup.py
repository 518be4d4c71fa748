"""Set-up: what makes it do a step, and what it does when it cannot."""

import os
import shutil
from pathlib import Path

import pytest

from boot import process, setup, system
from boot.process import StepFailed, digest, run, set_stamp, stamp


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pretend that the checkout lies elsewhere, with nothing set up in it."""
    monkeypatch.setattr(process, "WORK", tmp_path / ".work")
    monkeypatch.setattr(setup, "VENV", tmp_path / ".venv")
    return tmp_path


def test_a_stamp_is_read_back(checkout: Path) -> None:
    set_stamp("step", "abc")
    assert stamp("step") == "abc"
    assert (checkout / ".work").is_dir()


@pytest.mark.usefixtures("checkout")
def test_a_step_that_was_never_done_has_no_stamp() -> None:
    assert stamp("step") == ""


def test_a_changed_file_changes_the_digest(tmp_path: Path) -> None:
    file = tmp_path / "pins"
    file.write_text("a==1")
    before = digest([file])
    file.write_text("a==2")
    assert digest([file]) != before


def test_a_renamed_file_changes_the_digest(tmp_path: Path) -> None:
    file = tmp_path / "a.svelte"
    file.write_text("x")
    before = digest([file])
    assert digest([file.rename(tmp_path / "b.svelte")]) != before


def test_a_program_that_fails_shows_its_last_words() -> None:
    with pytest.raises(StepFailed, match="no such table"):
        run(["sh", "-c", "echo no such table; exit 3"])


def test_a_program_that_is_missing_is_a_failed_step() -> None:
    with pytest.raises(StepFailed, match="cannot be started"):
        run(["/nowhere/program"])


def test_an_environment_of_another_place_does_not_count(checkout: Path) -> None:
    (checkout / ".venv").mkdir()
    (checkout / ".venv" / "pyvenv.cfg").write_text(
        "version = 3.11.2\ncommand = /usr/bin/python3 -m venv /elsewhere/.venv\n"
    )
    assert not setup.environment_works()


def test_the_environment_that_runs_these_tests_works() -> None:
    assert setup.environment_works()


def find_all(name: str) -> str | None:
    return f"/home/me/bin/{name}"


def find_none(_: str) -> str | None:
    return None


def test_without_root_the_line_to_type_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", find_all)
    monkeypatch.setattr(system, "installed", set[str])
    system.ensure_system(tests=True)
    said = capsys.readouterr().out
    assert "sudo apt-get install -y --no-install-recommends python3-venv python3-gi" in said


def test_a_machine_without_apt_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", find_none)
    system.ensure_system(tests=True)
    assert capsys.readouterr().out == ""


def test_chromium_is_wanted_for_tests_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", find_none)
    monkeypatch.setattr(system, "installed", set[str])
    assert "chromium" in system.missing(tests=True)
    assert "chromium" not in system.missing(tests=False)


def test_a_program_from_elsewhere_needs_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", find_all)
    monkeypatch.setattr(system, "installed", lambda: {"python3-venv", "python3-gi"})
    assert system.missing(tests=True) == ["ca-certificates"]
