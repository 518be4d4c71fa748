"""The dashboard's files: what answers a path, and what never does."""

from pathlib import Path

import pytest

from fakes.api import Api
from intaglio.api.static_files import find_page


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "ui"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>index")
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "index-B7x_9aQz.js").write_text("export {}")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    return folder


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/memories",
        "/memories/0197/history",
        "/index.html",
        "/settings/capture.keepAt",
        "/settings/../../secret.txt",
    ],
)
def test_every_view_gets_the_index(built: Path, path: str) -> None:
    page = find_page(built, path)
    assert page is not None
    assert (page.body, page.cache_control) == (b"<!doctype html>index", "no-cache")


def test_a_hashed_file_may_be_kept_for_ever(built: Path) -> None:
    page = find_page(built, "/assets/index-B7x_9aQz.js")
    assert page is not None
    assert page.media_type == "text/javascript; charset=utf-8"
    assert "immutable" in page.cache_control


def test_an_unhashed_file_is_revalidated(built: Path) -> None:
    page = find_page(built, "/favicon.svg")
    assert page is not None
    assert (page.media_type, page.cache_control) == ("image/svg+xml", "no-cache")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/..\\secret.txt",
        "/%2e%2e/secret.txt",
        "//etc/passwd.txt",
        "/link.txt",
        "/index.html\0.js",
        "/assets.",
        "/C:/secret.txt",
        pytest.param("/" + "a" * 5_000 + ".js", id="too long"),
    ],
)
def test_nothing_outside_the_folder_is_read(built: Path, path: str) -> None:
    assert find_page(built, path) is None


def test_an_unbuilt_dashboard_says_how_to_build_it(tmp_path: Path) -> None:
    page = find_page(tmp_path / "nothing", "/memories")
    assert page is not None
    assert b"python3 app ui" in page.body


async def test_an_unknown_api_path_is_a_problem_and_no_page(api: Api) -> None:
    reply = await api.client.get("/api/unknown")
    assert reply.status_code == 404
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json()["error"] == "Not found"


@pytest.mark.parametrize("path", ["/", "/health", "/api/unknown", "/api/memories?limit=0"])
async def test_every_reply_carries_the_security_headers(api: Api, path: str) -> None:
    headers = (await api.client.get(path)).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers


async def test_an_unchanged_page_is_not_sent_again(api: Api) -> None:
    first = await api.client.get("/")
    again = await api.client.get("/", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
