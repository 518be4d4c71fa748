"""A change of the model in a real daemon: beside the old vectors, through kills, to the end."""

import math
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from daemon.test_embedding import (
    asked_for,
    complete,
    embedding,
    facts,
    recall,
    recall_by_meaning,
    remember,
    searched,
    wait_until,
)
from fakes.daemon import Daemon, killed_daemon, running_daemon, write_settings
from fakes.embedding_server import WIDTH, EmbeddingServer, embedding_server
from fakes.waiting import wait_for

CONTENTS = [f"Fact number {number} lies in the drawer" for number in range(60)]
BY_MODEL = (
    "SELECT m.model, count(*), count(DISTINCT e.memory) FROM embeddings e "
    "JOIN embedding_models m ON m.id = e.model GROUP BY 1"
)


def use(home: Path, server: EmbeddingServer, model: str) -> None:
    """Write settings that name this server and model, as a person with an editor does."""
    write_settings(
        home,
        f"embedding:\n  provider: ollama\n  base_url: {server.url}\n  model: {model}\n"
        f"  dimensions: {WIDTH}\n",
    )


@contextmanager
def two_servers() -> Generator[tuple[EmbeddingServer, EmbeddingServer]]:
    with embedding_server() as old, embedding_server() as new:
        yield old, new


def whole(seen: dict[str, Any], model: str) -> bool:
    return searched(seen) and seen["model"] == model and not seen["searchedMeanwhile"]


def wait_until_only(daemon: Daemon, model: str) -> None:
    """Wait until no vector of another model is left."""
    wanted = [(model, len(CONTENTS), len(CONTENTS))]
    wait_for(lambda: facts(daemon.paths.database, BY_MODEL) == wanted, f"only vectors of {model}")


@pytest.mark.slow
def test_old_vectors_serve_until_a_changed_model_has_made_new_ones(
    tmp_path: Path,
) -> None:
    with two_servers() as (old, new):
        use(tmp_path, old, "old")
        with running_daemon(tmp_path) as daemon, daemon.client() as client:
            remember(client, *CONTENTS)
            wait_until(client, lambda seen: whole(seen, "old"))
            new.left = 2
            use(tmp_path, new, "new")
            wait_until(client, lambda seen: 0 < seen["embedded"] < seen["total"])
            seen = embedding(client) or {}
            assert (seen["model"], seen["searchedMeanwhile"]) == ("new", "old")
            recall_by_meaning(client, "what is in the drawer?")
            assert asked_for(old, "what is in the drawer?")
            assert not asked_for(new, "what is in the drawer?")
            new.left = math.inf
            wait_until(client, lambda seen: whole(seen, "new"))
            recall_by_meaning(client, "what lies there?")
            assert asked_for(new, "what lies there?")
            wait_until_only(daemon, "new")


@pytest.mark.slow
def test_an_unreachable_model_server_leaves_the_old_vectors_in_use(tmp_path: Path) -> None:
    with two_servers() as (old, new):
        use(tmp_path, old, "old")
        with running_daemon(tmp_path) as daemon, daemon.client() as client:
            remember(client, *CONTENTS[:5])
            wait_until(client, lambda seen: whole(seen, "old"))
            new.fault = "error"
            use(tmp_path, new, "new")
            wait_until(client, lambda seen: seen["model"] == "new" and not seen["available"])
            recall_by_meaning(client, "what is in the drawer?")
            # A person thinks better of it: nothing has to be made again.
            asked = len(old.asked)
            use(tmp_path, old, "old")
            wait_until(client, lambda seen: whole(seen, "old"))
            assert len(old.asked) == asked


def killed_amid_the_change(home: Path, port: int, new: EmbeddingServer) -> None:
    """Start, wait until the change goes on, and kill while the new server is asked."""
    with killed_daemon(home, port) as daemon, daemon.client() as client:
        before = wait_until(client, lambda seen: seen["model"] != "old")["embedded"]
        new.left = 2
        wait_until(client, lambda seen: seen["embedded"] > before and new.left <= 0 < new.held)
    new.drop()


def run_rounds(home: Path, rounds: int, contents: list[str]) -> None:
    with two_servers() as (old, new):
        use(home, old, "old")
        with running_daemon(home) as daemon, daemon.client() as client:
            remember(client, *contents)
            wait_until(client, lambda seen: whole(seen, "old"))
            port = daemon.port
        new.left = 0
        use(home, new, "new")
        for number in range(rounds):
            killed_amid_the_change(home, port, new)
            with running_daemon(home, port) as daemon, daemon.client() as client:
                check(client, daemon, contents)
                if number % 5 == 4:
                    # The change is through long before the rounds are: begin another one.
                    use(home, new, f"new {number}")
            new.drop()
        new.left = math.inf
        with running_daemon(home, port) as daemon, daemon.client() as client:
            wait_until(client, lambda seen: complete(seen) and not seen["searchedMeanwhile"])
            file = daemon.paths.database
            assert facts(file, "SELECT count(*) FROM jobs") == [(0,)]
            counted = "SELECT count(*), count(DISTINCT memory) FROM embeddings WHERE model = "
            marked = "(SELECT max(CAST(embedding_model AS INTEGER)) FROM memories)"
            assert facts(file, counted + marked) == [(len(contents), len(contents))]


def check(client: httpx.Client, daemon: Daemon, contents: list[str]) -> None:
    """Nothing is lost, nothing is there twice, and words find whatever the vectors do."""
    file = daemon.paths.database
    assert facts(file, "PRAGMA integrity_check") == [("ok",)]
    assert facts(file, "SELECT count(*) FROM memories") == [(len(contents),)]
    assert facts(
        file,
        "SELECT count(*) FROM memories m WHERE embedding_model IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM embeddings e WHERE e.memory = m.seq "
        "AND e.model = CAST(m.embedding_model AS INTEGER))",
    ) == [(0,)]
    twice = (
        "SELECT count(*) FROM (SELECT 1 FROM jobs WHERE status IN ('pending', 'leased') "
        "GROUP BY type, subject HAVING count(*) > 1)"
    )
    assert facts(file, twice) == [(0,)]
    assert recall(client, contents[7])["results"][0]["content"] == contents[7]


@pytest.mark.slow
def test_a_kill_during_a_change_of_the_model_loses_nothing(tmp_path: Path) -> None:
    run_rounds(tmp_path, 1, CONTENTS)


@pytest.mark.slow
def test_fifty_kills_during_changes_of_the_model_lose_nothing(tmp_path: Path) -> None:
    run_rounds(tmp_path, 50, [f"Fact {number}: {'so it is, ' * 5}really" for number in range(400)])
