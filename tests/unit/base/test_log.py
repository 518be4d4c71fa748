"""The log on disk: without secrets, and for its owner alone."""

import json
import logging
from collections.abc import Generator
from pathlib import Path

import pytest
import structlog

from intaglio.base.clock import system_clock
from intaglio.base.log import configure_log, get_logger
from intaglio.redaction.redact import clean

SECRET = "ghp_" + "Zk3v9Qw7Lr5Tn1Xc8Bm2Hd6Fy4Ja0Sg9Ue3P"


@pytest.fixture
def file(tmp_path: Path) -> Generator[Path]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    for handler in handlers:
        root.removeHandler(handler)
    configure_log(tmp_path / "logs" / "daemon.log", clean, system_clock)
    yield tmp_path / "logs" / "daemon.log"
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(level)
    structlog.reset_defaults()


def test_secrets_are_redacted_in_every_field_of_the_log(file: Path) -> None:
    log = get_logger("test")
    told = f"the key {SECRET}"
    log.info(told, header=SECRET, deep={"list": [SECRET]})
    logging.getLogger("library").warning("told %s", SECRET)
    try:
        int(SECRET)
    except ValueError:
        log.exception("failed")
    text = file.read_text()
    assert SECRET not in text
    assert [json.loads(line)["level"] for line in text.splitlines()] == ["info", "warning", "error"]


def test_only_the_owner_can_read_the_log(file: Path) -> None:
    log = get_logger("test")
    for _ in range(6):
        log.info("word " * 200_000)
    modes = {each.name: each.stat().st_mode & 0o777 for each in file.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert "daemon.log.1" in modes
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_counts_of_changed_files_are_not_logged(file: Path) -> None:
    logging.getLogger("watchfiles.main").info("3 changes detected")
    assert file.read_text() == ""
