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


def test_without_a_command_the_list_is_printed() -> None:
    done = say()
    assert done.returncode == 2
    assert "setup" in done.stderr


def test_an_unknown_command_prints_the_list() -> None:
    done = say("polish")
    assert done.returncode == 2
    assert "setup" in done.stderr


def test_help_exits_with_0(tmp_path: Path) -> None:
    done = say("help", cwd=tmp_path)
    assert done.returncode == 0
    assert "setup" in done.stdout


# A subcommand whose step sleeps. "soon" sends SIGTERM when the step has started, and before the
# subcommand knows of it.
STEP = """
import os, runpy, signal, subprocess, sys
names = runpy.run_path(sys.argv[1], run_name='app')
from boot.checks import Check, run_checks
from boot.process import run
class Soon(subprocess.Popen):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        print(self.pid, flush=True)
        if sys.argv[3] == 'soon':
            os.kill(os.getpid(), signal.SIGTERM)
subprocess.Popen = Soon
nap = [sys.executable, '-c', 'import time; time.sleep(600)']
steps = {
    'run': lambda _: run(nap),
    'check': lambda _: run_checks([Check('nap', nap), Check('second', nap)], Check('third', nap)),
}
main = names['main']
main.__globals__['SUBCOMMANDS'] = (names['Subcommand']('nap', '', steps[sys.argv[2]]),)
sys.exit(main(['nap']))
"""


@pytest.mark.parametrize("step", ["run", "check"])
@pytest.mark.parametrize("when", ["soon", "later"])
def test_a_terminated_command_ends_the_step_it_has_started(
    tmp_path: Path, step: str, when: str
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STEP, ROOT / "app" / "__main__.py", step, when],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "app")},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            started = [int(process.stdout.readline())]
            if when == "later":
                process.terminate()
            assert process.wait(PATIENCE_S) == 128 + signal.SIGTERM
            started += [int(line) for line in process.stdout]
        finally:
            process.kill()
    wait_for(lambda: not any(map(psutil.pid_exists, started)), "the end of all steps")


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
