"""Testing the hooks of every harness: the settings' own hook, run against a real daemon."""

import shutil
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from fakes.daemon import NO_MODEL, Daemon, run_command, running_daemon, write_settings
from intaglio.harness.registry import connector_names


@dataclass(frozen=True)
class Dashboard:
    """A signed-in page of a running daemon."""

    daemon: Daemon
    client: httpx.Client

    def change(self, harness: str, change: str) -> None:
        address = f"/api/harnesses/{harness}/{change}"
        shown = self.client.post(address, json={"mode": "preview"}).json()
        done = self.client.post(address, json={"mode": "apply", "token": shown["token"]})
        assert done.status_code == 200, done.text

    def test(self, harness: str) -> dict[str, Any]:
        reply = self.client.post(f"/api/harnesses/{harness}/test")
        assert reply.status_code == 200, reply.text
        found: dict[str, Any] = reply.json()
        return found

    def row(self, harness: str) -> dict[str, Any]:
        rows = self.client.get("/api/harnesses").json()["harnesses"]
        return next(row for row in rows if row["id"] == harness)


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    home = tmp_path_factory.mktemp("probe")
    write_settings(home, NO_MODEL)
    with running_daemon(home) as daemon:
        headers = {"cookie": daemon.sign_in(), "origin": daemon.url}
        with daemon.client(headers=headers) as client:
            yield Dashboard(daemon, client)


@pytest.mark.parametrize("harness", connector_names())
def test_a_connected_harness_works_or_says_how_to_see_it(
    dashboard: Dashboard, harness: str
) -> None:
    assert dashboard.test(harness)["outcome"] == "absent"
    dashboard.change(harness, "connect")
    found = dashboard.test(harness)
    is_plugin = harness in {"openclaw", "opencode"}
    runs = not is_plugin or shutil.which("node") is not None
    assert found["outcome"] == ("works" if runs else "untestable"), found
    row = dashboard.row(harness)
    assert (row["lastSeen"], row["lastEvent"], row["leftOver"]) == (None, None, False)
    assert dashboard.client.get("/api/sessions").json()["sessions"] == []
    dashboard.change(harness, "disconnect")
    assert dashboard.test(harness)["outcome"] == "absent"


def test_a_hook_that_no_longer_reaches_the_daemon_is_noticed(
    dashboard: Dashboard, tmp_path: Path
) -> None:
    hooks = dashboard.daemon.paths.hooks

    def by_command() -> tuple[int, str]:
        command = ("connect", "claude-code", "--test")
        done = run_command(*command, env=dashboard.daemon.env, folder=tmp_path)
        return done.returncode, done.stdout.split("\n")[0]

    dashboard.change("claude-code", "connect")
    code, said = by_command()
    assert (code, said.startswith("The hook works: answered in ")) == (0, True)
    for file in hooks.iterdir():
        file.rename(file.with_name(f"{file.name}.away"))
    assert dashboard.test("claude-code")["outcome"] == "missing"
    code, said = by_command()
    assert (code, said.startswith("The hook does nothing, as a file is gone: ")) == (1, True)
    for file in hooks.iterdir():
        file.rename(file.with_suffix(""))
    assert dashboard.test("claude-code")["outcome"] == "works"
    dashboard.change("claude-code", "disconnect")
