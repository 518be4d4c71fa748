"""The words of ``python3 app`` as a newcomer meets them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from fakes.waiting import PATIENCE_S, wait_for

ROOT = Path(__file__).resolve().parents[3]


def say(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", ROOT / "app", *words],
        cwd=cwd,
        check=False,
        capture_output=True,
        text=True,
    )


def test_no_word_prints_the_list_and_ends_with_2() -> None:
    done = say()
    assert done.returncode == 2
    assert "setup" in done.stderr


def test_an_unknown_word_prints_the_list_and_ends_with_2() -> None:
    done = say("polish")
    assert done.returncode == 2
    assert "setup" in done.stderr


def test_asking_for_help_is_no_mistake(tmp_path: Path) -> None:
    done = say("help", cwd=tmp_path)
    assert done.returncode == 0
    assert "setup" in done.stdout


def test_a_terminated_command_ends_its_running_step(tmp_path: Path) -> None:
    code = (
        "import runpy, sys; names = runpy.run_path(sys.argv[1], run_name='app')\n"
        "main = names['main']\n"
        "from boot.process import run\n"
        "nap = lambda _: run([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "main.__globals__['SUBCOMMANDS'] = (names['Subcommand']('nap', '', nap),)\n"
        "sys.exit(main(['nap']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, ROOT / "app" / "__main__.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "app")},
    )
    wait_for(psutil.Process(process.pid).children, "the step")
    steps = psutil.Process(process.pid).children()
    process.terminate()
    assert process.wait(PATIENCE_S) == 128 + signal.SIGTERM
    _, alive = psutil.wait_procs(steps, PATIENCE_S)
    assert alive == []


def test_an_older_python_gets_a_one_line_message(tmp_path: Path) -> None:
    old = "import sys; sys.version_info = (3, 10); import boot"
    done = subprocess.run(
        [sys.executable, "-c", old],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "app")},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Intaglio needs Python 3.11")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "name", ["PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV", "NODE_ENV"]
)
def test_another_environments_variables_do_not_reach_the_children(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    from boot.process import child_env  # noqa: PLC0415 - it reads the current environment

    monkeypatch.setenv(name, "elsewhere")
    assert name not in child_env()


def test_run_starts_the_tray_app() -> None:
    done = say("run", "nonsense")
    assert done.returncode == 2
    assert "Not an Intaglio link" in done.stderr
