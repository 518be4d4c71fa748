"""The changelog is read as it is written."""

from pathlib import Path

import pytest

from intaglio.updates.changelog import (
    ChangeItem,
    Release,
    changelog_file,
    parse_changelog,
    read_changelog,
)

TEXT = """# Changelog

All notable changes.

## Unreleased

## [0.2.0] - 2026-12-01

### Added

- **Updates:** shows the command of `uv`,
  and what is new.
- Plain.

### Fixed
* **Crash.** It didn't.

## 0.1.0 (2026-11-01)
- First.
"""


def test_versions_sections_and_items_are_read() -> None:
    unreleased, second, first = parse_changelog(TEXT)
    assert (unreleased.version, unreleased.sections) == ("Unreleased", ())
    assert (second.version, second.date) == ("0.2.0", "2026-12-01")
    added, fixed = second.sections
    assert added.title == "Added"
    assert added.items == (
        ChangeItem("Updates:", "shows the command of `uv`, and what is new."),
        ChangeItem("", "Plain."),
    )
    assert fixed.items == (ChangeItem("Crash.", "It didn't."),)
    assert (first.date, first.sections[0].items) == ("2026-11-01", (ChangeItem("", "First."),))


@pytest.mark.parametrize(("version", "is_new"), [("0.2.0", True), ("0.1.0", False), ("x", False)])
def test_versions_after_the_one_that_was_seen_are_new(version: str, is_new: bool) -> None:
    assert Release(version, "", ()).is_new_since("0.1.0") is is_new


def test_the_repository_has_a_changelog_with_items() -> None:
    newest, *_ = read_changelog(changelog_file())
    assert any(section.items for section in newest.sections)


def test_a_package_without_a_changelog_has_no_versions(tmp_path: Path) -> None:
    assert read_changelog(changelog_file(tmp_path / "lib" / "intaglio")) == ()
