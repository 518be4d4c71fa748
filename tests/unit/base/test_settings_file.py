"""The settings file: what is written into it, what is kept of it, and what is refused."""

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intaglio.base.agent_yaml.problems import BrokenFileError, SettingsFileError
from intaglio.base.errors import ConflictError
from intaglio.base.files.filelock import lock_file
from intaglio.base.settings.catalogue import SettingsCatalogue
from intaglio.base.settings.declaration import Scalar
from intaglio.base.settings.settings_file import NEW_FILE, SettingsFile
from intaglio.sections import SECTIONS

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)
CATALOGUE = SettingsCatalogue(SECTIONS, ("claude-code",))


class Home:
    """A folder with a settings file, at a time that tests set."""

    def __init__(self, folder: Path) -> None:
        self.now = NOW
        self.file = folder / "agents" / "agent.yaml"
        self.file.parent.mkdir()
        self.lock = folder / "state" / "settings.lock"
        self.settings = SettingsFile(lambda: self.file, self.lock, lambda: self.now, CATALOGUE)

    @property
    def backup(self) -> Path:
        return self.file.with_name("agent.yaml.bak")

    def write(self, text: str) -> None:
        self.file.write_text(text, encoding="utf-8")

    def read(self) -> str:
        return self.file.read_text(encoding="utf-8")

    def apply(self, *changes: tuple[str, Scalar | None]) -> None:
        found = [(CATALOGUE.find(key), value) for key, value in changes]
        self.settings.apply([(one, value) for one, value in found if one is not None])


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_all_changes_are_written_or_none(home: Home) -> None:
    home.write("search: {alpha: 0.5}\nbackup: [1]\n")
    with pytest.raises(SettingsFileError, match="backup is a list"):
        home.apply(("search.alpha", 0.25), ("backup.keep", 3))
    assert home.read() == "search: {alpha: 0.5}\nbackup: [1]\n"
    home.apply(("search.alpha", 0.25), ("search.min_score", 0.1))
    assert home.read() == "search: {alpha: 0.25, min_score: 0.1}\nbackup: [1]\n"


def test_a_missing_file_is_created_with_a_header(home: Home) -> None:
    home.apply(("search.alpha", None))
    assert not home.file.exists()
    home.apply(("search.alpha", 0.25))
    assert home.read() == f"{NEW_FILE}search:\n  alpha: 0.25\n"
    assert stat.S_IMODE(home.file.stat().st_mode) == 0o600
    assert not home.backup.exists()


def test_the_backup_is_the_file_before_the_first_change_of_the_day(home: Home) -> None:
    home.now = datetime.now(UTC)
    home.write("search: {alpha: 0.5}\n")
    home.file.chmod(0o640)
    home.apply(("search.alpha", 0.25))
    home.apply(("search.alpha", 0.75))
    assert home.backup.read_text() == "search: {alpha: 0.5}\n"
    assert stat.S_IMODE(home.backup.stat().st_mode) == 0o640
    yesterday = (home.now - timedelta(days=1)).timestamp()
    os.utime(home.backup, (yesterday, yesterday))
    home.apply(("search.alpha", 0.1))
    assert home.backup.read_text() == "search: {alpha: 0.75}\n"


def test_a_setting_is_changed_where_the_file_has_it(home: Home) -> None:
    home.write("pipelineV2:\n  graph:\n    enabled: true\n")
    home.apply(("memory.pipelineV2.graph.enabled", False))
    assert home.read() == "pipelineV2:\n  graph:\n    enabled: false\n"
    home.apply(("memory.pipelineV2.traversal.maxDependencyHops", 5))
    assert home.read().endswith("  traversal:\n    maxDependencyHops: 5\n")
    home.apply(("memory.pipelineV2.graph.enabled", None))
    assert "graph" not in home.read()


def test_a_setting_that_is_there_in_two_places_is_changed_in_effect(home: Home) -> None:
    both = "pipelineV2: {graph: {enabled: true}}\nmemory: {pipelineV2: {graph: {enabled: true}}}\n"
    home.write(both)
    home.apply(("memory.pipelineV2.graph.enabled", False))
    assert home.read() == both[:40] + both[40:].replace("true", "false")
    home.apply(("memory.pipelineV2.graph.enabled", None))
    assert "enabled" not in home.read()


@pytest.mark.parametrize(
    ("text", "key", "value", "after"),
    [
        (
            "memory:\n  pipelineV2:\n    graphEnabled: true # flat\n",
            "memory.pipelineV2.graph.enabled",
            False,
            "memory:\n  pipelineV2:\n    graphEnabled: false # flat\n",
        ),
        (
            "hooks:\n  session_start:\n    recall_limit: 5\n",
            "hooks.sessionStart.recallLimit",
            7,
            "hooks:\n  session_start:\n    recall_limit: 7\n",
        ),
        (
            "harness:\n  claude_code: {capture: true}\n",
            "harness.claudeCode.capture",
            False,
            "harness:\n  claude_code: {capture: false}\n",
        ),
    ],
)
def test_a_setting_keeps_the_spelling_that_the_file_has(
    home: Home, text: str, key: str, value: Scalar, after: str
) -> None:
    home.write(text)
    home.apply((key, value))
    assert home.read() == after
    home.apply((key, None))
    assert CATALOGUE.read(home.read()).given == {}


def test_of_two_spellings_the_one_that_counts_is_changed(home: Home) -> None:
    home.write("search: {min_score: 0.1, minScore: 0.2}\n")
    home.apply(("search.min_score", 0.3))
    reading = CATALOGUE.read(home.read())
    assert [one.value for one in reading.given.values()] == [0.3]
    home.apply(("search.min_score", None))
    assert home.read() == "search: {}\n"


def test_the_setting_of_a_harness_is_written_below_its_name(home: Home) -> None:
    home.apply(("harness.claudeCode.capture", False))
    assert home.read().endswith("harness:\n  claudeCode:\n    capture: false\n")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"search: [\n", 2),
        (b"search:\n\talpha: 1\n", 2),
        (b"a: caf\xe9\n", 1),
        (b"- 1\n", 1),
        (b"a: !!python/object:os.system x\n", 1),
        (b"born: 2026-99-99\n", None),
        (b"? [a]\n: 1\n", 1),
        (b"#" * 1_000_001, None),
    ],
)
def test_nothing_is_written_into_a_broken_file(
    home: Home, content: bytes, line: int | None
) -> None:
    home.file.write_bytes(content)
    with pytest.raises(BrokenFileError) as refused:
        home.apply(("search.alpha", 0.25))
    assert home.file.read_bytes() == content
    assert refused.value.problem.line == line
    read = home.settings.read()
    assert (read.exists, read.text, read.problem) == (True, "", refused.value.problem)
    assert not home.backup.exists()


@pytest.mark.skipif(os.name == "nt", reason="folders hold no pipes")
def test_what_is_no_file_is_left_alone(home: Home) -> None:
    for make in (os.mkfifo, os.mkdir):
        make(home.file)
        assert home.settings.read().problem is not None
        with pytest.raises(ConflictError):
            home.apply(("search.alpha", 0.25))
        assert not home.file.is_file()
        (home.file.unlink if make is os.mkfifo else home.file.rmdir)()


def test_a_read_only_file_is_left_alone_with_a_reason(home: Home) -> None:
    home.write("search: {alpha: 0.5}\n")
    home.file.chmod(0o400)
    assert not home.settings.is_writable
    with pytest.raises(ConflictError, match="read-only"):
        home.apply(("search.alpha", 0.25))
    assert home.read() == "search: {alpha: 0.5}\n"


def test_a_lock_file_that_cannot_be_made_is_reported(home: Home) -> None:
    home.lock.parent.write_text("a file where the folder belongs")
    with pytest.raises(ConflictError):
        home.apply(("search.alpha", 0.25))
    assert not home.file.exists()


def test_the_fingerprint_changes_with_the_content(home: Home) -> None:
    assert home.settings.read().fingerprint == ""
    home.write("a: 1\n")
    first = home.settings.read().fingerprint
    home.write("a: 2\n")
    assert len({"", first, home.settings.read().fingerprint}) == 3
    home.write("a: 1\n")
    assert home.settings.read().fingerprint == first


def test_a_byte_order_mark_stays(home: Home) -> None:
    home.write("\ufeffsearch: {alpha: 0.5}\n")
    home.apply(("search.alpha", 0.25))
    assert home.read() == "\ufeffsearch: {alpha: 0.25}\n"


def test_the_lock_is_given_back(home: Home) -> None:
    home.apply(("search.alpha", 0.25))
    stream = lock_file(home.lock)
    assert stream is not None
    stream.close()
