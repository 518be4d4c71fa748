"""The log on disk: without secrets, and for its owner alone."""

import json
import logging
from collections.abc import Generator
from pathlib import Path

import pytest
import structlog

from intaglio.base.clock import system_clock
from intaglio.base.error_text import error_text
from intaglio.base.log import configure_log, get_logger, in_request
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
    log.info("long", words=["word " * 2_000] * 520)
    log.info("more")
    modes = {each.name: each.stat().st_mode & 0o777 for each in file.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert "daemon.log.1" in modes
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_counts_of_changed_files_are_not_logged(file: Path) -> None:
    logging.getLogger("watchfiles.main").info("3 changes detected")
    assert file.read_text() == ""


def test_a_line_names_its_part_and_the_request_that_it_belongs_to(file: Path) -> None:
    with in_request("r-1"):
        get_logger("store").info("saved")
        logging.getLogger("library.of.one").warning("careful")
    get_logger("store").info("idle")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["part"], line.get("request_id")) for line in lines] == [
        ("store", "r-1"),
        ("library.of.one", "r-1"),
        ("store", None),
    ]


def test_a_traceback_quotes_no_long_text(file: Path) -> None:
    told = "the key of the old house is below the third stone"
    try:
        try:
            int(told)
        except ValueError as error:
            raise KeyError(told) from error
    except KeyError:
        get_logger("test").exception("failed")
    try:
        f"{told}\udc80".encode()
    except UnicodeError as error:
        logging.getLogger("library").exception("failed %s", type(error).__name__)
    first, second = (json.loads(line) for line in file.read_text().splitlines())
    assert told not in file.read_text()
    assert "ValueError: invalid literal for int() with base 10: '…'" in first["exception"]
    assert first["exception"].endswith("KeyError: '…'")
    assert second["exception"].endswith("UnicodeEncodeError: surrogates not allowed")


def test_a_long_text_is_cut(file: Path) -> None:
    get_logger("test").info("long", text="x" * 1_000_000)
    assert len(file.read_text()) < 11_000


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            ValueError("the daemon's file can't be read"),
            "ValueError: the daemon's file can't be read",
        ),
        (ValueError(f"not b'{'x' * 30}' at 3"), "ValueError: not b'…' at 3"),
        (KeyError("it isn't \"" + "y" * 30 + '"'), "KeyError: '…'"),
        (
            OSError(2, "No such file", "/home/ada/projects/shop/notes"),
            "'/home/ada/projects/shop/notes'",
        ),
        (RuntimeError("word " * 100), "RuntimeError: word"),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_an_error_is_told_without_long_quotations(error: Exception, text: str) -> None:
    assert text in error_text(error)
    assert len(error_text(error)) < 330


def test_a_failed_task_that_nobody_awaited_is_told_without_its_exception(file: Path) -> None:
    logging.getLogger("asyncio").error(
        "Task exception was never retrieved\nfuture: <Task exception=ValueError('the text')>"
    )
    assert json.loads(file.read_text())["event"] == "Task exception was never retrieved"
