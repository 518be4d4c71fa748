"""When two folders are one project, and when they only may be."""

import os
from pathlib import Path

import pytest

from fakes.repository import make_repository
from intaglio.projects.evidence import FolderEvidence, agreement, folder_state, read_evidence

CERTAIN, LIKELY, NOT = True, False, None


def evidence(remote: str = "", entry: str = "", folder: str = "") -> FolderEvidence:
    return FolderEvidence(remote or None, entry or None, folder or None)


@pytest.mark.parametrize(
    ("old", "new", "same_name", "expected"),
    [
        (evidence(entry="e"), evidence(entry="e"), False, CERTAIN),
        (evidence("r", "e"), evidence("other", "e"), False, CERTAIN),
        (evidence("r", "", "1:2"), evidence("r", "", "1:2"), False, CERTAIN),
        (evidence("", "", "1:2"), evidence("", "", "1:2"), True, CERTAIN),
        (evidence("", "public:e", "1:2"), evidence("", "public:e", "1:2"), False, CERTAIN),
        (evidence("", "public:e", "1:2"), evidence("", "public:e", "1:3"), True, LIKELY),
        (evidence("r", "e", "1:2"), evidence("r", "other", "1:2"), True, LIKELY),
        (evidence("r", "e", "1:2"), evidence("r", "", "1:2"), True, LIKELY),
        (evidence("", "e", "1:2"), evidence("", "", "1:2"), True, LIKELY),
        (evidence("r", "", "1:2"), evidence("", "", "1:2"), True, LIKELY),
        (evidence("r"), evidence("r"), False, LIKELY),
        (evidence("r", "e"), evidence("r", "other"), True, LIKELY),
        (evidence("r", "", "1:2"), evidence("r", "", "1:3"), True, LIKELY),
        (evidence(), evidence(), True, LIKELY),
        (evidence("r"), evidence(), True, LIKELY),
        (evidence("", "", "1:2"), evidence("", "", "1:2"), False, LIKELY),
        (evidence(), evidence(), False, NOT),
        (evidence("r"), evidence("other"), True, NOT),
        (evidence("r", "", "1:2"), evidence("other", "", "1:2"), True, NOT),
        (evidence("", "e", "1:2"), evidence("", "other", "1:2"), True, NOT),
    ],
)
def test_a_move_is_certain_only_with_evidence_that_no_clone_has(
    old: FolderEvidence, new: FolderEvidence, same_name: bool, expected: bool | None
) -> None:
    found = agreement("/code/app", old, "/work/app" if same_name else "/work/new", new)
    assert (None if found is None else found.certain) is expected


@pytest.mark.parametrize(
    ("event", "is_public"), [("clone: from example.org", False), ("commit (initial): one", True)]
)
def test_the_first_line_of_the_log_identifies_a_clone_and_later_ones_do_not(
    tmp_path: Path, event: str, is_public: bool
) -> None:
    folder = make_repository(tmp_path / "app", "git@example.org:acme/app.git")
    log = folder / ".git" / "logs" / "HEAD"
    log.parent.mkdir()
    log.write_text(f"0 1 Ann <a@example.org> 1 +0000\t{event}\n", encoding="utf-8")
    first = read_evidence(str(folder))
    with log.open("a", encoding="utf-8") as more:
        more.write("1 2 Ann <a@example.org> 2 +0000\tcommit: two\n")
    assert first is not None
    assert first.remote == "example.org/acme/app"
    assert first.first_entry is not None
    assert first.first_entry.startswith("public:") is is_public
    assert read_evidence(str(folder)) == first


def test_a_moved_folder_keeps_its_number(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    before = read_evidence(str(tmp_path / "old"))
    (tmp_path / "old").rename(tmp_path / "new")
    assert before == read_evidence(str(tmp_path / "new"))
    assert read_evidence(str(tmp_path / "old")) is None


def test_a_folder_that_cannot_be_examined_is_not_gone(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    places = ("app", "missing", "missing/app", "loop/app")
    states = [folder_state(str(tmp_path / place)) for place in places]
    assert states == ["there", "gone", "gone_with_parent", "unknown"]
    assert folder_state("a name") == "unknown"


def test_a_folder_whose_disk_is_not_mounted_may_come_back(tmp_path: Path) -> None:
    missing = str(tmp_path / "app")
    device = tmp_path.stat().st_dev
    assert folder_state(missing, f"{device}:7") == "gone"
    assert folder_state(missing, f"{device + 1}:7") == "gone_with_parent"


def test_a_named_pipe_in_place_of_the_log_is_not_waited_for(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "app")
    (folder / ".git" / "logs").mkdir()
    os.mkfifo(folder / ".git" / "logs" / "HEAD")
    found = read_evidence(str(folder))
    assert found is not None
    assert found.first_entry is None
