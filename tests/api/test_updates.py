"""/api/update and /api/changelog: nothing is asked or installed unless the user wants it."""

from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api
from intaglio.updates.settings import UpdateSettings
from intaglio.updates.sources import VersionQuery
from intaglio.updates.updates import Updates
from intaglio.updates.values import NewestVersion, VersionOutcome

CHECK = {
    *("currentVersion", "latestVersion", "updateAvailable", "cached", "checkedAt", "releaseUrl"),
}
CONFIG = {
    *("autoInstall", "checkInterval", "channel", "minInterval", "maxInterval"),
    *("pendingRestartVersion", "lastAutoUpdateAt", "lastAutoUpdateError", "updateInProgress"),
}
CHANGELOG = """## 0.9.0 - 2026-12-01
### Added
- **A:** b `c`.

## 0.0.1
- x
"""


@pytest.fixture
def updates(api: Api) -> Updates:
    """A copy that uv installed, and a uv that names version 9."""
    found = api.kernel.get(Updates)
    found.kind = "uv"

    async def ask(_: VersionQuery | str, __: str) -> VersionOutcome:
        return NewestVersion("9.0.0")

    async def run(_: tuple[str, ...]) -> str | None:
        found.on_disk = lambda: "9.0.0"
        return None

    found.ask, found.run_command = ask, run
    return found


async def get(api: Api, path: str) -> dict[str, Any]:
    reply = await api.client.get(path)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def post(api: Api, path: str, body: dict[str, Any], status: int = 200) -> dict[str, Any]:
    reply = await api.client.post(path, json=body, headers=api.owner)
    assert reply.status_code == status, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def test_nobody_is_asked_unless_it_is_forced(api: Api, updates: Updates) -> None:
    known = await get(api, "/api/update/check")
    assert set(known) >= CHECK
    assert (known["latestVersion"], known["cached"], known["checkedAt"]) == (None, True, None)
    asked = await get(api, "/api/update/check?force=true")
    assert (asked["latestVersion"], asked["updateAvailable"], asked["cached"]) == (
        "9.0.0",
        True,
        False,
    )
    assert (await get(api, "/api/update/check"))["updateAvailable"] is True
    assert asked["command"] == updates.source.command


@pytest.mark.usefixtures("updates")
async def test_a_known_update_is_in_health_status_and_diagnostics(api: Api) -> None:
    await get(api, "/api/update/check?force=1")
    assert (await get(api, "/health"))["updateAvailable"] is True
    status = await get(api, "/api/status")
    assert status["update"] | {"lastCheckAt": ""} == {
        "currentVersion": status["version"],
        "latestVersion": "9.0.0",
        "updateAvailable": True,
        "pendingRestart": False,
        "autoInstall": False,
        "checkInterval": 21_600,
        "lastCheckAt": "",
        "lastError": None,
        "timerActive": False,
    }
    assert (await get(api, "/api/diagnostics"))["update"]["lastCheckSucceeded"] is True
    assert "update-available" in {each["id"] for each in status["issues"]}


async def test_another_version_on_disk_is_a_pending_restart(api: Api, updates: Updates) -> None:
    updates.on_disk = lambda: "9.0.0"
    assert (await get(api, "/health"))["pendingRestart"] is True
    assert (await get(api, "/api/status"))["update"]["pendingRestart"] is True
    assert (await get(api, "/api/diagnostics"))["update"]["pendingRestart"] is True
    assert (await get(api, "/api/update/config"))["pendingRestartVersion"] == "9.0.0"


@pytest.mark.parametrize("name", ["checkInterval", "check_interval"])
async def test_the_config_is_changed_in_the_settings_file_under_either_name(
    api: Api, name: str
) -> None:
    assert set(await get(api, "/api/update/config")) >= CONFIG
    body = {"check": True, "channel": "preview", name: 600, "autoInstall": False}
    changed = await post(api, "/api/update/config", body)
    assert (changed["success"], changed["persisted"]) == (True, True)
    now = api.kernel.settings().of(UpdateSettings)
    assert (now.check, now.channel, now.check_interval) == (True, "preview", 600)
    assert "checkInterval: 600" in api.kernel.running.paths.settings.read_text()


@pytest.mark.parametrize(
    "body",
    [
        {"autoInstall": True},
        {"auto_install": True},
        {"checkInterval": 299},
        {"checkInterval": 604_801},
        {"channel": "nightmare"},
        {"check": "yes"},
    ],
)
async def test_a_config_that_cannot_be_is_refused_with_a_hint(
    api: Api, body: dict[str, Any]
) -> None:
    refused = await post(api, "/api/update/config", body, 400)
    assert refused["title"]
    assert refused["hint"]
    assert api.kernel.settings().of(UpdateSettings) == UpdateSettings()


async def test_an_update_runs_once_it_is_confirmed(api: Api, updates: Updates) -> None:
    shown = await post(api, "/api/update/run", {})
    assert shown["success"] is False
    assert updates.source.command in shown["message"]
    done = await post(api, "/api/update/run", {"confirmed": True})
    assert (done["success"], done["installedVersion"], done["restartRequired"]) == (
        True,
        "9.0.0",
        True,
    )


async def test_a_program_without_the_token_neither_changes_nor_runs_anything(
    api: Api, updates: Updates
) -> None:
    for path, body in (("run", {"confirmed": True}), ("config", {"check": True})):
        reply = await api.client.post(f"/api/update/{path}", json=body)
        assert reply.status_code in {401, 403}
    assert updates.pending_version is None


async def test_what_is_new_since_the_version_last_seen_is_marked(
    api: Api, updates: Updates, tmp_path: Path
) -> None:
    updates.changelog = tmp_path / "CHANGELOG.md"
    updates.changelog.write_text(CHANGELOG)
    updates.record.load("0.0.1")
    updates.version = "0.9.0"
    newest, first = (await get(api, "/api/changelog"))["releases"]
    assert newest == {
        "version": "0.9.0",
        "date": "2026-12-01",
        "isNew": True,
        "groups": [{"title": "Added", "items": [{"title": "A:", "text": "b `c`."}]}],
    }
    assert first["isNew"] is False
    await post(api, "/api/changelog/seen", {})
    assert (await get(api, "/api/changelog"))["releases"][0]["isNew"] is False
