"""Each package manager is asked in its own way, and its answer is read."""

from typing import get_args

import pytest

from intaglio.base.installed_by import InstalledBy
from intaglio.updates.sources import (
    PythonEnvironment,
    UnreadableAnswer,
    VersionReading,
    read_apt_policy,
    read_dry_run,
    read_outdated,
    read_pip_index,
    update_source,
)

PLACE = PythonEnvironment("/opt/env/bin/python", "intaglio")
POLICY = b"""intaglio:
  Installed: 0.1.0-1
  Candidate: 1:0.2.0-1~bookworm1
  Version table:
"""
INDEX = b"""WARNING: pip index is experimental
intaglio (0.3.0)
Available versions: 0.3.0, 0.1.0
  INSTALLED: 0.1.0
"""


@pytest.mark.parametrize("kind", get_args(InstalledBy))
def test_every_kind_of_installation_says_how_it_is_updated(kind: InstalledBy) -> None:
    source = update_source(kind, "latest", PLACE, platform="linux")
    assert source.advice.endswith(".")
    assert source.query or source.has_feed or kind == "clone"
    assert source.command or source.has_feed


def test_only_uv_and_pipx_are_run_and_not_on_windows() -> None:
    runs = {
        kind: update_source(kind, "latest", PLACE, platform="linux").run
        for kind in get_args(InstalledBy)
    }
    assert {kind: run for kind, run in runs.items() if run} == {
        "uv": ("uv", "tool", "upgrade", "intaglio"),
        "pipx": ("pipx", "upgrade", "intaglio"),
    }
    assert update_source("uv", "latest", PLACE, platform="win32").run == ()


@pytest.mark.parametrize(
    ("kind", "word"), [("uv", "--prerelease"), ("pipx", "--pip-args=--pre"), ("pip", "--pre")]
)
def test_the_preview_channel_asks_for_previews(kind: InstalledBy, word: str) -> None:
    preview = update_source(kind, "preview", PLACE, platform="linux")
    latest = update_source(kind, "latest", PLACE, platform="linux")
    assert word in preview.command
    assert word not in latest.command
    assert preview.query is not None
    assert latest.query is not None
    assert "--pre" in preview.query.command
    assert "--pre" not in latest.query.command


@pytest.mark.parametrize(
    ("reading", "version"),
    [
        (read_apt_policy(POLICY), "0.2.0"),
        (read_pip_index(INDEX), "0.3.0"),
        (read_dry_run(b"Would install intaglio-0.3.0b1\n", b""), "0.3.0b1"),
        (read_dry_run(b"", b"Would install 1 package\n - intaglio==1\n + intaglio==4\n"), "4"),
        (read_outdated(b'[{"name": "intaglio", "version": "1", "latest_version": "2"}]'), "2"),
    ],
)
def test_the_newest_version_is_read_from_an_answer(reading: VersionReading, version: str) -> None:
    assert reading == version


def test_what_is_not_listed_is_up_to_date() -> None:
    listed = b'[{"name": "click", "version": "1", "latest_version": "2"}]'
    assert read_outdated(listed) is None
    assert read_dry_run(b"Requirement already satisfied: intaglio\n", b"") is None


@pytest.mark.parametrize(
    "reading",
    [
        read_apt_policy(b""),
        read_apt_policy(b"intaglio:\n  Installed: 0.1.0\n  Candidate: (none)\n"),
        read_pip_index(b"\xff"),
        read_outdated(b"{}"),
        read_outdated(b"[{}]"),
    ],
)
def test_an_answer_without_a_version_is_a_reason(reading: VersionReading) -> None:
    assert isinstance(reading, UnreadableAnswer)
