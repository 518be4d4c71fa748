"""A daemon that is killed twenty times during an import ends with the store of one that isn't."""

import random
import shutil
import time
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from fakes.daemon import Daemon, killed_daemon, running_daemon
from fakes.past_history import PastHistory
from fakes.store_contents import Contents, contents, differences
from fakes.waiting import wait_for

pytestmark = pytest.mark.slow

KILLS: Final = 20
SIZE: Final = 3_000_000
_LAST_KILL: Final = 0.8


def _state(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/imports").json()["imports"][0]
    return found


def _wait_for_share(client: httpx.Client, share: float) -> None:
    def is_done() -> bool:
        state = _state(client)
        return bool(state["done"] >= share * state["sessions"] > 0 or not share)

    wait_for(is_done, f"{share:.0%} of the import", 240)


def _finished(daemon: Daemon) -> Contents:
    with daemon.client(headers=daemon.owner) as client:
        wait_for(lambda: _state(client)["finished"] is not None, "the import's end", 240)
        done = _state(client)
        assert (done["state"], done["failed"]) == ("done", 0)
    return contents(daemon.paths.database)


def test_twenty_kills_change_nothing(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    PastHistory(one, tmp_path / "work", per_prompt=8_000).write(SIZE)
    shutil.copytree(one, two, symlinks=True)
    with running_daemon(one) as daemon:
        with daemon.client(headers=daemon.owner) as client:
            client.post("/api/imports", json={}).raise_for_status()
        once = _finished(daemon)
    drawn = random.Random(1)  # noqa: S311 - data for tests
    for number in range(KILLS):
        with killed_daemon(two) as daemon, daemon.client(headers=daemon.owner) as client:
            if number == 0:
                client.post("/api/imports", json={}).raise_for_status()
            _wait_for_share(client, _LAST_KILL * number / KILLS)
            # Anywhere in what follows: between two sessions, or amid one.
            time.sleep(drawn.uniform(0, 0.1))
            assert _state(client)["finished"] is None
    with running_daemon(two) as daemon:
        again = _finished(daemon)
    assert differences(_placed(once, one), _placed(again, two)) == []


def _placed(found: Contents, home: Path) -> Contents:
    """Return what a store says with its home taken out of the paths."""
    return {
        name: [
            tuple(v.replace(str(home), "~") if isinstance(v, str) else v for v in row)
            for row in rows
        ]
        for name, rows in found.items()
    }
