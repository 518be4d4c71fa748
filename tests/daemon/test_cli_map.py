"""`intaglio map` with a running daemon."""

import json
from collections.abc import Generator

import pytest

from fakes.shell import Shell, shell_of
from fakes.star_map import star_home


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    with shell_of(tmp_path_factory.mktemp("map")) as running:
        star_home(running.home, 60)
        running.start()
        yield running


def test_the_state_is_told_in_words_and_as_json(shell: Shell) -> None:
    shown = shell("map").stdout
    assert shown.startswith("All memories: ")
    assert "2D  computed " in shown
    assert "3D  computed " in shown
    assert shell("map", "status").stdout == shown
    state = json.loads(shell("map", "--json").stdout)
    assert [layout["dimensions"] for layout in state["layouts"]] == [2, 3]
    of_agent = json.loads(shell("map", "--agent", "ann", "--json").stdout)
    assert (of_agent["agent"], of_agent["layouts"]) == ("ann", [])


def test_a_project_and_an_agent_together_are_wrong_usage(shell: Shell) -> None:
    wrong = shell("map", "run", "--project", "shop", "--agent", "ann")
    assert wrong.returncode == 2
    assert "not both" in wrong.stderr


def test_a_run_of_maps_that_are_switched_off_is_refused_with_a_hint(shell: Shell) -> None:
    refused = shell("map", "run", "--3d")
    assert refused.returncode == 1
    assert "switched off" in refused.stderr
    assert "projection.enabled" in refused.stderr


def test_cancelling_without_a_run_shows_the_state(shell: Shell) -> None:
    assert shell("map", "cancel").stdout == shell("map").stdout
