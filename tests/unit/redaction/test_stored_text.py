"""What is bound to a statement: its secrets become hashes that can't be guessed."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import drawn_secrets as secrets
from intaglio.redaction.spans import MARK
from intaglio.redaction.stored_text import StoredTextRedactor, load_key

_FIRST = secrets.draw("ghp_{alnum:36}", secrets.seeded("first"))
_SECOND = secrets.draw("ghp_{alnum:36}", secrets.seeded("second"))


def test_equal_secrets_have_equal_hashes_and_others_differ() -> None:
    stored = StoredTextRedactor("key")
    assert stored(f"build-{_FIRST}") == stored(f"build-{_FIRST}")
    assert stored(f"build-{_FIRST}") != stored(f"build-{_SECOND}")
    assert MARK.findall(stored(f"build-{_FIRST}/x")) == [stored(f"build-{_FIRST}/x")[6:-2]]


def test_the_hash_depends_on_the_key() -> None:
    assert StoredTextRedactor("a")(_FIRST) != StoredTextRedactor("b")(_FIRST)


def test_the_key_lies_beside_the_database_and_stays(tmp_path: Path) -> None:
    database = tmp_path / "memory" / "intaglio.db"
    key = load_key(database, os.urandom)
    assert key is not None
    assert load_key(database, os.urandom) == key
    assert load_key(tmp_path / "other" / "intaglio.db", os.urandom) != key
    file = database.with_name("intaglio.db.key")
    assert file.stat().st_mode & 0o077 == 0 or os.name == "nt"
    file.write_text("")
    assert load_key(database, os.urandom) not in (None, "", key)


def test_a_folder_that_cannot_be_written_has_no_key(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("a file")
    assert load_key(tmp_path / "memory" / "intaglio.db", os.urandom) is None


@pytest.mark.parametrize("length", [10, 150, 5_000])
def test_a_text_of_any_length_is_redacted_every_time(length: int) -> None:
    stored = StoredTextRedactor("key")
    text = "a word " * (length // 7) + _FIRST
    for _ in range(2):
        assert _FIRST not in stored(text)
    harmless = "a word " * (length // 7)
    assert stored(harmless) is stored(harmless)


@pytest.mark.parametrize(
    "text",
    [
        "0192f0c1-2c6e-7b0a-8a5e-5a0b8b1c9d3e",
        '["0192f0c1-2c6e-7b0a-8a5e-5a0b8b1c9d3e", "0192f0c1-2c6e-7b0a-8a5e-5a0b8b1c9d3f"]',
        "2026-11-23T06:21:35.123456Z",
        "/home/dev/projects/acme-platform",
        "claude-code",
    ],
)
def test_ids_times_and_paths_are_stored_as_they_are(text: str) -> None:
    assert StoredTextRedactor("key")(text) is text


@given(st.text(max_size=60), st.sampled_from([_FIRST, "password=hunter2Xq77", ""]), st.text())
def test_redacting_stored_text_again_changes_nothing(before: str, secret: str, after: str) -> None:
    stored = StoredTextRedactor("key")
    once = stored(before + secret + after)
    assert stored(once) == once
