"""How Intaglio starts itself from source and from a PyInstaller build."""

import subprocess
import sys
from pathlib import Path

import pytest

from intaglio.base.process.frozen_start import restored_environment, run_script
from intaglio.base.process.own_program import own_command


def test_from_source_python_runs_the_module() -> None:
    assert own_command("tray") == [sys.executable, "-P", "-m", "intaglio", "tray"]


def test_a_build_runs_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert own_command("daemon", "run") == [sys.executable, "daemon", "run"]


def test_a_module_in_the_current_folder_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise SystemExit(9)")
    done = subprocess.run(own_command("--version"), cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        ({"LD_LIBRARY_PATH": "/build", "PATH": "/bin"}, {"PATH": "/bin"}),
        (
            {"LD_LIBRARY_PATH": "/build:/own", "LD_LIBRARY_PATH_ORIG": "/own"},
            {"LD_LIBRARY_PATH": "/own"},
        ),
        (
            {"_PYI_ARCHIVE_FILE": "/build", "PYINSTALLER_X": "1", "PYTHONPATH": "/p"},
            {"PYTHONPATH": "/p"},
        ),
    ],
)
def test_other_programs_get_the_environment_from_before_the_build_started(
    inside: dict[str, str], outside: dict[str, str]
) -> None:
    assert restored_environment(inside) == outside


def test_a_build_runs_a_script_as_python_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["intaglio"])
    script = tmp_path / "hook.py"
    script.write_text("import sys\nif __name__ == '__main__':\n    print(__file__, sys.argv)\n")
    assert run_script(["-I", "-S", str(script), "--reply"])
    assert capsys.readouterr().out == f"{script} {[str(script), '--reply']}\n"


@pytest.mark.parametrize("arguments", [[], ["tray"], ["-I", "-S"], ["-S", "-I", "x.py"]])
def test_other_arguments_run_no_script(arguments: list[str]) -> None:
    assert not run_script(arguments)
