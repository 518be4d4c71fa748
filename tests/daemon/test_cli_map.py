"""`intaglio map` with a running daemon."""

import json
from collections.abc import Generator
from functools import partial
from pathlib import Path

import pytest

from fakes.daemon import run_command, running_daemon
from fakes.shell import Shell, shell_of
from fakes.star_map import star_home
from fakes.waiting import wait_for


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


TOPICS = {
    "kubernetes": "The kubernetes cluster number {} is rolled out with helm charts",
    "invoices": "Customers get their invoices for order {} by mail, with the tax on it",
    "hiking": "On the hiking trip of year {} we walked over alpine passes",
}


@pytest.mark.slow
def test_a_run_is_waited_for_and_its_clusters_are_named(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        shell = partial(run_command, env=daemon.env, folder=tmp_path)
        assert "Not computed yet" in shell("map").stdout
        for text in TOPICS.values():
            for number in range(20):
                reply = client.post("/api/memory/remember", json={"content": text.format(number)})
                assert reply.status_code == 200
        wait_for(lambda: "not embedded yet" not in shell("map").stdout, "the vectors")
        done = shell("map", "run", "--3d", "--wait")
        assert done.returncode == 0, done.stderr
        assert "3D  computed" in done.stdout
        points = client.get("/api/embeddings/projection/points")
        token = points.headers["etag"].strip('"')
        found = client.get("/api/embeddings/projection/labels", params={"token": token}).json()
        assert TOPICS.keys() <= {word for label in found["labels"] for word in label["words"]}
