"""Arguments that aren't UTF-8, and output that a terminal can't show: a message, no traceback."""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import click
import pytest

from intaglio import __main__ as program
from intaglio.base.process.terminal import argument_fault
from intaglio.cli.main import intaglio

LATIN_1 = os.fsdecode(b"caf\xe9")
# What a command writes of a text depends on nothing that runs.
WRITES = (
    "import click, sys; from intaglio import __main__ as program; "
    "program._program = lambda: "
    "click.echo('Z\\xfc \\u65e5 \\U0001f984' * 20_000) or print('\\u201c') or 0; "
    "sys.exit(program.main())"
)


def commands(group: click.Group, *path: str) -> Iterator[tuple[str, ...]]:
    for name, each in group.commands.items():
        if isinstance(each, click.Group):
            yield from commands(each, *path, name)
        else:
            yield (*path, name)


def test_every_command_refuses_an_argument_that_is_not_utf8(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, run in product(commands(intaglio), (program.main, program.command)):
        monkeypatch.setattr(sys, "argv", ["intaglio", *path, LATIN_1])
        assert run() == 2, path
        assert capsys.readouterr().err == "Error: The argument caf? isn't valid UTF-8.\n"


def test_valid_utf8_arguments_are_accepted() -> None:
    assert argument_fault(["café", "日本", "🦄", ""]) == ""


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=["ascii", "cp1252", "C"],
)
def test_what_the_encoding_lacks_is_replaced(env: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITES], env={**os.environ, **env}, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Z")


@pytest.mark.parametrize("output", ["| true", ">&-", ">&- 2>&-"])
def test_a_closed_output_ends_the_command_silently(output: str) -> None:
    line = f'"$0" -c "$1" {output}'
    done = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable, WRITES], capture_output=True, check=False
    )
    assert (done.returncode in {0, 1}, done.stderr) == (True, b"")


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux only")
def test_a_folder_name_that_is_not_utf8_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / LATIN_1
    folder.mkdir()
    env = {**os.environ, "INTAGLIO_WORKSPACE": str(folder / "agents")}
    for words in (["doctor"], ["list"], ["db", "backups"], ["connect"], ["preview"]):
        done = subprocess.run(
            [sys.executable, "-m", "intaglio", *words],
            cwd=folder,
            env=env,
            capture_output=True,
            check=False,
        )
        assert b"Traceback" not in done.stdout + done.stderr
        assert done.returncode in {0, 1, 3}
