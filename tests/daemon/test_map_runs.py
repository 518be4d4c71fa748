"""Maps of a real daemon, also of one that is killed while it computes them."""

import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from fakes.daemon import Daemon, killed_daemon, running_daemon, write_settings
from fakes.embedding_server import WIDTH, embedding_server
from fakes.waiting import wait_for

MANY = 40


def state_of(client: httpx.Client) -> Mapping[str, Any]:
    reply: Mapping[str, Any] = client.get("/api/embeddings/projection/state").json()
    return reply


def remember(client: httpx.Client, count: int, word: str) -> None:
    for number in range(count):
        body = {"content": f"{word} number {number}"}
        client.post("/api/memory/remember", json=body).raise_for_status()


def is_embedded(client: httpx.Client, count: int) -> bool:
    return bool(state_of(client)["embedded"] == count)


def computing(daemon: Daemon) -> list[psutil.Process]:
    """Return the processes that compute layouts for a daemon."""
    return [
        each
        for each in psutil.Process(daemon.process.pid).children()
        if "compute-layouts" in each.cmdline()
    ]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes can't be halted there")
def test_a_daemon_that_is_killed_while_it_computes_a_map_computes_it_again(tmp_path: Path) -> None:
    with embedding_server() as stub:
        server = f"provider: ollama, base_url: '{stub.url}', model: m, dimensions: {WIDTH}"
        write_settings(tmp_path, f"embedding: {{{server}}}\n")
        with killed_daemon(tmp_path) as killed, killed.client() as client:
            remember(client, MANY, "apple")
            wait_for(lambda: is_embedded(client, MANY), "the vectors")
            body = {"dimensions": [2, 3]}
            client.post("/api/embeddings/projection/runs", json=body, headers=killed.owner)
            wait_for(lambda: computing(killed), "the process")
            (worker,) = computing(killed)
            worker.suspend()
        os.kill(worker.pid, signal.SIGCONT)
        wait_for(lambda: not worker.is_running(), "the end of the process")

        with running_daemon(tmp_path, killed.port) as daemon, daemon.client() as client:

            def is_laid_out() -> bool:
                state = state_of(client)
                assert state["failure"] is None
                return [each["points"] for each in state["layouts"]] == [MANY, MANY]

            wait_for(is_laid_out, "the layouts")
            wait_for(lambda: state_of(client)["run"] is None, "the end of the run")
            remember(client, 2, "pear")
            # They are placed by themselves, without another run.
            wait_for(lambda: state_of(client)["layouts"][0]["placed"] == 2, "the new points")
            reply = client.get("/api/embeddings/projection", params={"dimensions": 3})
            assert (reply.status_code, reply.json()["total"]) == (200, MANY + 2)
            assert state_of(client)["layouts"][0]["generation"] == 1
