"""Each package manager is asked in its own way, and its answer is read."""

from typing import get_args

import pytest

from intaglio.base.installed_by import InstalledBy
from intaglio.updates.sources import (
    PythonEnvironment,
    UnreadableAnswer,
    VersionReading,
    read_apt_policy,
    read_pip_index,
    read_uv_list,
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
    assert len(preview.query.command) > len(latest.query.command)


@pytest.mark.parametrize(
    ("reading", "version"),
    [
        (read_apt_policy(POLICY), "0.2.0"),
        (read_pip_index(INDEX), "0.3.0"),
        (read_uv_list(b'[{"name": "intaglio", "version": "1", "latest_version": "2"}]'), "2"),
        (read_uv_list(b'[{"name": "click", "version": "1", "latest_version": "2"}]'), None),
    ],
)
def test_the_newest_version_is_read_from_an_answer(
    reading: VersionReading, version: str | None
) -> None:
    assert reading == version


@pytest.mark.parametrize(
    "reading",
    [
        read_apt_policy(b""),
        read_apt_policy(b"intaglio:\n  Installed: 0.1.0\n  Candidate: (none)\n"),
        read_pip_index(b"\xff"),
        read_uv_list(b"{}"),
        read_uv_list(b"[{}]"),
    ],
)
def test_an_answer_without_a_version_is_a_reason(reading: VersionReading) -> None:
    assert isinstance(reading, UnreadableAnswer)
