"""The private files that lead a browser to its sign-in link."""

import re
from pathlib import Path

import pytest

from fakes.api import Api
from fakes.waiting import until
from intaglio.api.gate.sign_in_page import SignInPages
from intaglio.api.routes import access
from intaglio.client.browser import find_sandbox, sandbox_of
from intaglio.wire.access import BrowserSandbox

SNAP = BrowserSandbox(kind="snap", app="firefox")
FLATPAK = BrowserSandbox(kind="flatpak", app="org.mozilla.firefox")


def pages(tmp_path: Path) -> SignInPages:
    return SignInPages(tmp_path / "state", lambda: tmp_path)


@pytest.mark.parametrize(
    ("sandbox", "folder"),
    [(SNAP, "snap/firefox/common"), (FLATPAK, ".var/app/org.mozilla.firefox/cache")],
)
def test_a_sandboxed_browser_gets_the_file_where_it_may_read(
    tmp_path: Path, sandbox: BrowserSandbox, folder: str
) -> None:
    without = pages(tmp_path).write("a", "http://127.0.0.1/", sandbox)
    assert without.is_relative_to(tmp_path / "state")
    (tmp_path / folder).mkdir(parents=True)
    file = pages(tmp_path).write("a", "http://127.0.0.1/", sandbox)
    assert file.is_relative_to(tmp_path / folder)
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_files_of_an_earlier_daemon_are_deleted(tmp_path: Path) -> None:
    file = pages(tmp_path).write("a", "http://127.0.0.1/", None)
    pages(tmp_path).clear()
    assert not file.exists()


def link_in(file: str) -> str:
    found = re.search(r'href="([^"]+)"', Path(file).read_text())
    assert found
    return found[1].replace("&amp;", "&")


def exists(file: str) -> bool:
    return Path(file).exists()


async def test_a_file_leads_to_its_page_once(api: Api) -> None:
    asked = {"next": "/memories/1", "sandbox": None}
    reply = await api.client.post("/api/auth/page", json=asked, headers=api.owner)
    file = reply.json()["file"]
    opened = await api.client.get(link_in(file))
    assert (opened.status_code, opened.headers["location"]) == (303, "/memories/1")
    assert not exists(file)


async def test_a_file_that_nobody_opens_is_deleted(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "PAGE_LIFE_S", 0.0)
    reply = await api.client.post("/api/auth/page", json={}, headers=api.owner)
    file = reply.json()["file"]

    async def is_deleted() -> bool:
        return not exists(file)

    await until(is_deleted, "the file's end")


@pytest.mark.parametrize("app", ["../x", "a/b", "", ".", "x\n"])
async def test_a_sandbox_names_no_other_folder(api: Api, app: str) -> None:
    body = {"sandbox": {"kind": "snap", "app": app}}
    reply = await api.client.post("/api/auth/page", json=body, headers=api.owner)
    assert reply.status_code == 400


def test_the_sandbox_is_known_by_the_desktop_file(tmp_path: Path) -> None:
    (tmp_path / "snaps").mkdir()
    (tmp_path / "flatpaks").mkdir()
    (tmp_path / "snaps" / "firefox_firefox.desktop").touch()
    (tmp_path / "flatpaks" / "org.mozilla.firefox.desktop").touch()

    def of(name: str) -> BrowserSandbox | None:
        return sandbox_of(name, tmp_path / "snaps", (tmp_path / "flatpaks",))

    assert of("firefox_firefox.desktop") == SNAP
    assert of("org.mozilla.firefox.desktop") == FLATPAK
    assert of("firefox.desktop") is None
    assert of("") is None
    assert of("../snaps/firefox_firefox.desktop") is None


def test_a_chosen_browser_may_be_a_snap() -> None:
    assert find_sandbox({"BROWSER": "/snap/bin/firefox %s"}) == SNAP
    assert find_sandbox({"BROWSER": "/usr/bin/firefox"}) is None
