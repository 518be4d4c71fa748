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


def test_a_failing_program_shows_the_end_of_its_output() -> None:
    with pytest.raises(StepFailed, match="no such table"):
        run(["sh", "-c", "echo no such table; exit 3"])


def test_a_program_that_is_missing_is_a_failed_step() -> None:
    with pytest.raises(StepFailed, match="can't be started"):
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


def test_without_root_the_command_to_type_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", find_all)
    monkeypatch.setattr(system, "installed", set[str])
    system.ensure_system(system.FOR_TESTS)
    said = capsys.readouterr().out
    assert "sudo apt-get install -y --no-install-recommends python3-venv python3-gi" in said


def test_a_machine_without_apt_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", find_none)
    system.ensure_system(system.FOR_TESTS)
    assert capsys.readouterr().out == ""


def test_each_start_asks_only_for_the_packages_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", find_none)
    monkeypatch.setattr(system, "installed", set[str])
    everywhere = system.missing(system.EVERYWHERE)
    with_a_screen = system.missing(system.WITH_A_SCREEN)
    assert "gir1.2-webkit2-4.1" not in everywhere
    assert "gir1.2-webkit2-4.1" in with_a_screen
    assert "xvfb" not in with_a_screen
    assert {"chromium-headless-shell", "xvfb", "gir1.2-webkit2-4.1"} <= set(
        system.missing(system.FOR_TESTS)
    )


def test_a_program_from_elsewhere_needs_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", find_all)
    monkeypatch.setattr(system, "installed", lambda: {"python3-venv", "python3-gi"})
    assert system.missing(system.EVERYWHERE) == ["ca-certificates"]


@pytest.mark.parametrize(
    ("env", "there"),
    [({"DISPLAY": ":0"}, True), ({"WAYLAND_DISPLAY": "wayland-0"}, True), ({"DISPLAY": ""}, False)],
)
def test_a_screen_is_known_by_its_variable(env: dict[str, str], there: bool) -> None:
    assert system.has_screen(env) is there


def test_a_program_that_takes_too_long_is_a_failed_step() -> None:
    with pytest.raises(StepFailed, match="took more than"):
        run(["sleep", "9"], timeout_s=0.1)


def test_debians_gi_is_linked_and_nothing_beside_it(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending, packages = ".cpython-311-x86_64-linux-gnu.so", checkout / "site-packages"
    debian = checkout / "dist-packages"
    (debian / "gi").mkdir(parents=True)
    (debian / "gi" / f"_gi{ending}").touch()
    (debian / "yaml").mkdir()
    packages.mkdir()
    (checkout / ".venv").mkdir()
    monkeypatch.setattr(setup, "_DEBIAN_PACKAGES", debian)

    def reply(line: list[str]) -> str:
        return ending if "EXT" in line[-1] else str(packages)

    monkeypatch.setattr(setup, "output_of", reply)
    setup.link_gi()
    (seen,) = (Path(line) for line in (packages / "debian.pth").read_text().splitlines())
    assert [entry.name for entry in seen.iterdir()] == ["gi"]
    assert (seen / "gi").resolve() == debian / "gi"


def test_gi_of_another_python_is_not_linked(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    debian = checkout / "dist-packages"
    (debian / "gi").mkdir(parents=True)
    (debian / "gi" / "_gi.cpython-313-x86_64-linux-gnu.so").touch()
    monkeypatch.setattr(setup, "_DEBIAN_PACKAGES", debian)

    def reply(_: list[str]) -> str:
        return ".cpython-311-x86_64-linux-gnu.so"

    monkeypatch.setattr(setup, "output_of", reply)
    setup.link_gi()
    assert not (checkout / ".venv").exists()
