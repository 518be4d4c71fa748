"""What a line of the log says, whoever wrote it."""

import json

import pytest

from fakes.logs import record
from intaglio.logs.lines import UNREADABLE, line_of, shown
from intaglio.logs.values import LoggedError, LogLine, LogPosition, RawLine

SECRET = "ghp_" + "Zk3v9Qw7Lr5Tn1Xc8Bm2Hd6Fy4Ja0Sg9Ue3P"
PLACE = LogPosition("1.00000000", 0)


def read(text: str | bytes) -> LogLine:
    raw = text if isinstance(text, bytes) else text.encode()
    return shown(line_of(RawLine(PLACE, raw)))


def test_a_record_has_its_fields_in_their_places() -> None:
    trace = "Traceback (most recent call last):\n  File x\nKeyError: 'a: b'"
    line = read(
        record(1, level="warning", request_id="r", duration_ms=12.5, port=7, exception=trace)
    )
    assert line == LogLine(
        position=PLACE,
        at="2026-01-31T09:00:01.000Z",
        level="warn",
        part="store",
        message="line 1",
        request_id="r",
        duration_ms=12.5,
        data={"port": 7},
        error=LoggedError(name="KeyError", message="'a: b'", stack=trace),
    )


def test_a_line_of_an_earlier_version_has_its_part_too() -> None:
    assert read('{"event": "x", "logger": "daemon", "level": "info"}').part == "daemon"


@pytest.mark.parametrize(
    "field", ['"duration_ms": 1' + "0" * 400, '"data": ' + "[" * 900 + "]" * 900]
)
def test_a_record_with_a_huge_number_or_deep_data_is_read_all_the_same(field: str) -> None:
    line = read(f'{{"event": "x", "port": 7, {field}}}')
    assert (line.message, line.duration_ms, line.data["port"]) == ("x", None, 7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"plain words", "plain words"),
        (b'{"event": "cut of', '{"event": "cut of'),
        (b"[1, 2]", "[1, 2]"),
        (b'{"level": "info"}', '{"level": "info"}'),
        (b"\xff\xfe bytes \x80", "\ufffd\ufffd bytes \ufffd"),
        (b"\x1b[31mred\x1b[0m\x07 \xe2\x80\xaeback", "red back"),
        (b"\x00\x00\x00", ""),
        (b"[" * 5_000, "[" * 2_000),
    ],
)
def test_what_is_no_record_is_shown_as_it_is_without_what_harms(text: bytes, message: str) -> None:
    line = read(text)
    assert (line.part, line.level, line.at, line.message) == (UNREADABLE, "info", "", message)
    assert line.data == {"bytes": len(text)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"event": "a\\u0000b\\u001b[2Jc", "level": 7, "timestamp": null}', "abc"),
        (b'{"event": "broken \xff", "part": ["x"]}', "broken \ufffd"),
        ('{"event": {"deep": 1}, "duration_ms": true, "request_id": 7}', "{'deep': 1}"),
        ('{"event": "half \\ud83d", "data": null}', "half \ufffd"),
    ],
)
def test_odd_fields_of_a_record_are_shown(text: str | bytes, message: str) -> None:
    line = read(text)
    assert (line.message, line.level, line.duration_ms) == (message, "info", None)


def test_secrets_are_taken_out_again_when_a_line_is_read() -> None:
    stored = json.dumps({"event": SECRET, "x": {"y": [SECRET]}, "exception": f"E: {SECRET}"})
    line = read(stored)
    assert SECRET not in repr(line)
    assert SECRET not in repr(read(f"not json {SECRET}"))
    assert SECRET[:20] not in repr(read("x" * 1_990 + SECRET))
