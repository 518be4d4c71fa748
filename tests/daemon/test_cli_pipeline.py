"""The pipeline at the command line: what the stages do, pauses, and doing work again."""

import json
from collections.abc import Generator

import pytest

from fakes.daemon import NO_MODEL, write_settings
from fakes.shell import Shell, shell_of

STAGE = "structural_classify"


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    with shell_of(tmp_path_factory.mktemp("pipeline")) as running:
        write_settings(running.home, "backup: {enabled: false}\n" + NO_MODEL)
        running.start()
        yield running


def test_without_a_model_the_status_says_so_and_a_pause_holds(shell: Shell) -> None:
    lines = shell("pipeline", "status").stdout.splitlines()
    assert shell("pipeline").stdout.splitlines() == lines
    assert lines[:2] == ["Model: none", "Mode: no language model reads memories"]
    assert "    No language model is configured" in lines
    assert "Reading memories" in next(each for each in lines if each.startswith("extract "))
    assert shell("pipeline", "pause", STAGE).stdout == f"Paused {STAGE}.\n"
    found = json.loads(shell("pipeline", "status", "--json").stdout)
    assert [each["name"] for each in found["stages"] if each["paused_at"]] == [STAGE]
    assert shell("pipeline", "resume", STAGE).stdout == f"Resumed {STAGE}.\n"
    refused = shell("pipeline", "pause", "unknown")
    assert (refused.returncode, STAGE in refused.stderr) == (1, True)


def test_redoing_tells_first_how_much_there_is(shell: Shell) -> None:
    redo = ("pipeline", "redo", "--stage", STAGE, "--since", "2026-01-31")
    assert shell(*redo).stdout == f"Nothing to do again in the stage {STAGE}.\n"
    refused = shell(*redo, "--yes")
    assert (refused.returncode, "Choose one in Settings" in refused.stderr) == (1, True)
    wrong = shell(*redo[:-1], "lately")
    assert (wrong.returncode, "is not a day or a time" in wrong.stderr) == (2, True)
