"""The seconds of a run are added up by folder."""

import pytest

from fakes.timing import CPU, FolderTime, folder_of, seconds_by_folder, table


def report(
    nodeid: str, when: str, seconds: float, cpu_s: float, more: tuple[str, float] | None = None
) -> pytest.TestReport:
    return pytest.TestReport(
        nodeid=nodeid,
        location=("", None, ""),
        keywords={},
        outcome="passed",
        longrepr=None,
        when=when,  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        duration=seconds,
        user_properties=[(f"{CPU}:{when}", cpu_s), *([more] if more else [])],
    )


@pytest.mark.parametrize(
    ("nodeid", "folder"),
    [
        ("tests/store/test_filter_columns.py::test_one[a/b::c]", "tests/store"),
        ("tests/unit/memory/test_decay.py::test_one", "tests/unit/memory"),
        ("tests/test_one.py::test_one", "tests"),
    ],
)
def test_a_test_counts_for_its_folder(nodeid: str, folder: str) -> None:
    assert folder_of(nodeid) == folder


def test_set_up_and_tear_down_are_counted_apart_from_the_call() -> None:
    name = "tests/store/test_filter_columns.py::test_one"
    reports = [
        report(name, "setup", 1.0, 0.5),
        report(name, "call", 2.0, 0.25, (f"{CPU}:setup", 0.5)),
        report(name, "teardown", 4.0, 0.125),
    ]
    assert seconds_by_folder(reports) == {"tests/store": FolderTime(1, 5.0, 2.0, 0.875)}


def test_the_longest_folder_comes_first_and_the_sum_last() -> None:
    folders = {"tests/a": FolderTime(1, 0.0, 1.0, 0.1), "tests/b": FolderTime(2, 1.0, 3.0, 0.2)}
    first, *lines = (line.split() for line in table(folders))
    assert first[0] == "folder"
    assert lines == [
        ["tests/b", "2", "4.0", "1.0", "3.0", "0.2"],
        ["tests/a", "1", "1.0", "0.0", "1.0", "0.1"],
        ["all", "workers", "3", "5.0", "1.0", "4.0", "0.3"],
    ]
