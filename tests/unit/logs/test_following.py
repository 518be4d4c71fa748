"""Lines that are added to the log, read from where the last look ended."""

from pathlib import Path

import msgspec
import pytest

from fakes.logs import WrittenLog, record
from intaglio.logs.files import LogFiles
from intaglio.logs.values import LogPosition


class Reader:
    """Reads what is added, from the end on."""

    def __init__(self, file: Path) -> None:
        self.files = LogFiles(file)
        self.end: LogPosition | None = self.files.end()
        self.has_lost = False

    def read(self) -> list[str]:
        found: list[str] = []
        while True:
            new = self.files.after(self.end)
            found += [msgspec.json.decode(line.text)["event"] for line in new.lines]
            self.has_lost |= new.has_lost
            if new.end == self.end:
                return found
            self.end = new.end


@pytest.fixture
def log(tmp_path: Path) -> WrittenLog:
    log = WrittenLog(tmp_path / "daemon.log")
    log.add(record(0))
    return log


def test_only_what_is_added_is_read_and_once(log: WrittenLog) -> None:
    reader = Reader(log.file)
    assert reader.read() == []
    log.add(record(1), record(2))
    assert (reader.read(), reader.read()) == (["line 1", "line 2"], [])


def test_a_line_is_read_when_it_is_finished(log: WrittenLog) -> None:
    reader = Reader(log.file)
    whole = record(1)
    with log.file.open("a") as stream:
        stream.write(whole[:9])
        stream.flush()
        assert reader.read() == []
        stream.write(f"{whole[9:]}\n")
    assert reader.read() == ["line 1"]


def test_rotating_loses_no_line(log: WrittenLog) -> None:
    reader = Reader(log.file)
    log.add(record(1))
    log.rotate()
    log.add(record(2))
    log.rotate()
    log.add(record(3))
    assert (reader.read(), reader.has_lost) == (["line 1", "line 2", "line 3"], False)
    log.rotate()
    assert reader.read() == []
    log.add(record(4))
    assert (reader.read(), reader.has_lost) == (["line 4"], False)


def test_a_log_that_begins_later_is_read_from_its_start(tmp_path: Path) -> None:
    log = WrittenLog(tmp_path / "new" / "daemon.log")
    reader = Reader(log.file)
    assert reader.read() == []
    log.add(record(1))
    assert (reader.read(), reader.has_lost) == (["line 1"], False)


def test_a_reader_that_is_far_behind_loses_lines_and_is_told(log: WrittenLog) -> None:
    reader = Reader(log.file)
    log.add(*(record(number % 60, text="x" * 1_000) for number in range(1_200)))
    assert (reader.read(), reader.has_lost) == ([], True)
    log.add(record(5))
    assert reader.read() == ["line 5"]


def test_a_deleted_log_is_followed_from_its_new_end(log: WrittenLog) -> None:
    log.add(record(1))
    reader = Reader(log.file)
    log.file.unlink()
    log.add(record(7))
    assert (reader.read(), reader.has_lost) == ([], True)
    log.add(record(8))
    assert reader.read() == ["line 8"]
