"""Nobody who lists the machine's processes sees a link that signs in."""

import re
from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.daemon import Daemon, run_command, running_daemon
from fakes.waiting import wait_for

# Lists the arguments of every process, then what the file says, and opens the link.
BROWSER = """#!/bin/sh
cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' > "{seen}"
file="${{1#file://}}"
stat -c %a "$file" "$(dirname "$file")" > "{modes}"
cat "$file" > "{page}.part" && mv "{page}.part" "{page}"
"""


@pytest.fixture
def daemon(tmp_path: Path) -> Generator[Daemon]:
    with running_daemon(tmp_path / "home") as running:
        yield running


def test_the_dashboard_opens_without_its_link_in_any_process(
    daemon: Daemon, tmp_path: Path
) -> None:
    seen, modes, page = tmp_path / "seen", tmp_path / "modes", tmp_path / "page"
    browser = tmp_path / "browser"
    browser.write_text(BROWSER.format(seen=seen, modes=modes, page=page))
    browser.chmod(0o755)
    env = {**daemon.env, "BROWSER": f"{browser} %s", "DISPLAY": ":77"}
    done = run_command("dashboard", env=env, folder=tmp_path, fresh=True)
    assert done.returncode == 0, done.stderr
    wait_for(page.exists, "the browser")
    printed = re.search(r"key=([\w-]+)", done.stdout)
    linked = re.search(r'href="([^"]+key=([\w-]+)[^"]*)"', page.read_text())
    assert printed
    assert linked
    processes = seen.read_text(errors="replace")
    assert "sign-in" in processes
    assert printed[1] not in processes
    assert linked[2] not in processes
    assert modes.read_text().split() == ["600", "700"]
    (file,) = (daemon.paths.state / "sign-in").iterdir()
    with daemon.client() as client:
        opened = client.get(linked[1].replace("&amp;", "&"))
        assert (opened.status_code, opened.headers["location"]) == (303, "/")
    assert not file.exists()
