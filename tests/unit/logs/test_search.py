"""Lines of the log, found from its end."""

from pathlib import Path

import pytest

from fakes.logs import WrittenLog, record
from intaglio.logs.files import LogFiles
from intaglio.logs.search import LogSearch
from intaglio.logs.values import LogFilter, LogPage, LogPosition

ALL = LogFilter()


@pytest.fixture
def log(tmp_path: Path) -> WrittenLog:
    return WrittenLog(tmp_path / "daemon.log")


def page(
    log: WrittenLog, wanted: LogFilter = ALL, limit: int = 100, before: LogPosition | None = None
) -> LogPage:
    return LogSearch.at_once(LogFiles(log.file), wanted, limit, before)


def messages(
    log: WrittenLog, wanted: LogFilter = ALL, limit: int = 100, before: LogPosition | None = None
) -> list[str]:
    return [line.message for line in page(log, wanted, limit, before).lines]


def pages(log: WrittenLog, limit: int) -> list[str]:
    found: list[str] = []
    before: LogPosition | None = None
    while True:
        read = page(log, limit=limit, before=before)
        found = [*(line.message for line in read.lines), *found]
        if read.older is None:
            return found
        before = read.older


def test_without_a_log_there_are_no_lines(log: WrittenLog) -> None:
    assert page(log) == LogPage((), None, None)
    log.add()
    assert page(log).lines == ()


def test_the_newest_lines_come_last(log: WrittenLog) -> None:
    log.add(*(record(number) for number in range(5)))
    assert messages(log, limit=2) == ["line 3", "line 4"]


@pytest.mark.parametrize("limit", [1, 3, 7, 100])
def test_pages_have_each_line_of_all_files_once(log: WrittenLog, limit: int) -> None:
    for number in range(20):
        log.add(record(number))
        if number % 6 == 5:
            log.rotate()
    assert pages(log, limit) == [f"line {number}" for number in range(20)]


def test_lines_longer_than_a_block_are_read_whole(log: WrittenLog) -> None:
    long = [record(number, text="x" * 9_000, more="é" * 20_000) for number in range(3)]
    log.add(*long, record(3))
    assert messages(log) == ["line 0", "line 1", "line 2", "line 3"]
    assert len(str(page(log).lines[0].data["text"])) == 9_000


def test_a_page_goes_on_where_it_ended_though_the_log_was_rotated(log: WrittenLog) -> None:
    log.add(*(record(number) for number in range(4)))
    older = page(log, limit=2).older
    log.rotate()
    log.add(record(4))
    assert messages(log, before=older) == ["line 0", "line 1"]


def test_what_was_before_a_deleted_file_is_empty(log: WrittenLog) -> None:
    log.add(record(0), record(1))
    older = page(log, limit=1).older
    log.file.unlink()
    log.add(record(2))
    assert messages(log, before=older) == []


def test_a_line_that_is_being_written_is_left_out(log: WrittenLog) -> None:
    log.add(record(0))
    with log.file.open("a") as stream:
        stream.write(record(1)[:20])
    assert messages(log) == ["line 0"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (LogFilter(level="warn"), ["line 1", "Broken Key"]),
        (LogFilter(level="error"), ["Broken Key"]),
        (LogFilter(part="jobs"), ["line 1"]),
        (LogFilter(request_id="r-2"), ["Broken Key"]),
        (LogFilter(text="broken k"), ["Broken Key"]),
        (LogFilter(text="KeyError"), ["Broken Key"]),
        (LogFilter(text="deep down"), ["line 0"]),
        (LogFilter(since="2026-01-31T09:00:01.000Z"), ["line 1", "Broken Key"]),
        (LogFilter(until="2026-01-31T09:00:01.000Z"), ["line 0", "line 1"]),
        (LogFilter(level="warn", part="store", text="nothing"), []),
    ],
)
def test_lines_are_filtered(log: WrittenLog, wanted: LogFilter, found: list[str]) -> None:
    trace = "Traceback (most recent call last):\n  File x\nKeyError: 'x'"
    log.add(
        record(0, data={"deep": ["deep down"]}),
        record(1, level="warning", part="jobs"),
        record(2, level="critical", event="Broken Key", request_id="r-2", exception=trace),
    )
    assert messages(log, wanted) == found


def test_a_time_ends_the_search_though_a_clock_was_set_back(log: WrittenLog) -> None:
    log.add(*(record(0) for _ in range(2_000)), record(9), *(record(0) for _ in range(500)))
    log.add(record(8))
    assert messages(log, LogFilter(since="2026-01-31T09:00:05.000Z")) == ["line 9", "line 8"]


def test_a_level_of_few_lines_is_found_behind_many_others(log: WrittenLog) -> None:
    log.add(record(0, level="error"), *(record(number % 60) for number in range(12_000)))
    assert messages(log, LogFilter(level="error")) == ["line 0"]


def test_a_position_is_read_from_its_text() -> None:
    place = LogPosition("1f.0a0b0c0d", 4_096)
    assert LogPosition.parse(str(place)) == place
    assert [LogPosition.parse(text) for text in ("", "1f-1", "1f.0a0b0c0d-", "../x", "é")] == [
        None
    ] * 5
