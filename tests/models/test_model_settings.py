"""Which models the settings name, in every spelling, and what the user's agreement covers."""

import os
from pathlib import Path

import pytest

from fakes.store import MovableClock
from intaglio.base.errors import ConfirmationNeededError
from intaglio.base.paths import find_paths
from intaglio.base.settings.loader import settings_from
from intaglio.cli.settings.source import settings_editor
from intaglio.inference.completion.choice import ModelChoice
from intaglio.models.choices import choice_of, timeout_s
from intaglio.models.confirmations import ConfirmedModels
from intaglio.sections import SECTIONS

HAIKU = ModelChoice(provider="claude-code", model="haiku")


NAMED = {"provider": "claude-code", "model": "haiku"}
FLAT = {"extractionProvider": "claude-code", "extractionModel": "haiku"}
SNAKE = {"extraction_provider": "claude-code", "extraction_model": "haiku"}


@pytest.mark.parametrize(
    "tree",
    [
        {"memory": {"pipelineV2": {"extraction": NAMED}}},
        {"memory": {"pipelineV2": FLAT}},
        {"memory": {"pipeline_v2": SNAKE}},
        {"pipelineV2": {"extraction": NAMED}},
        {"extraction": NAMED},
    ],
)
def test_every_spelling_names_the_model(tree: dict[str, object]) -> None:
    reading = settings_from(tree, SECTIONS)
    assert reading.problems == ()
    assert choice_of(reading.settings, "extraction") == HAIKU
    assert choice_of(reading.settings, "synthesis") == HAIKU


def test_without_settings_no_model_is_named() -> None:
    settings = settings_from({}, SECTIONS).settings
    assert choice_of(settings, "extraction") is None
    assert choice_of(settings, "synthesis") is None
    assert timeout_s(settings, "extraction") == 90
    assert timeout_s(settings, "synthesis") == 120


def test_whole_sessions_may_have_another_model_or_none() -> None:
    tree = {
        "extraction": {"provider": "claude-code", "model": "haiku", "timeout": 1},
        "synthesis": {"model": "sonnet"},
    }
    settings = settings_from(tree, SECTIONS).settings
    assert choice_of(settings, "synthesis") == ModelChoice(provider="claude-code", model="sonnet")
    # Out of bounds: the shortest is used.
    assert timeout_s(settings, "extraction") == 5
    tree["synthesis"] = {"provider": "openai", "model": "gpt-5", "apiKey": "$HOME"}
    settings = settings_from(tree, SECTIONS).settings
    own = ModelChoice(provider="openai", model="gpt-5", key=os.environ["HOME"])
    assert choice_of(settings, "synthesis") == own
    assert own.key not in repr(own)
    tree["synthesis"] = {"enabled": False}
    assert choice_of(settings_from(tree, SECTIONS).settings, "synthesis") is None


def confirmed(tmp_path: Path) -> ConfirmedModels:
    return ConfirmedModels(tmp_path / "confirmed-models.json", MovableClock())


def test_an_agreement_is_kept_and_covers_one_model_at_one_address(tmp_path: Path) -> None:
    ollama = ModelChoice(provider="ollama", model="m", key="secret-key")
    confirmed(tmp_path).confirm(ollama)
    later = confirmed(tmp_path)
    assert later.includes(ollama)
    assert later.includes(ModelChoice(provider="ollama", model="m", key="another"))
    usual = "http://127.0.0.1:11434"
    assert later.includes(ModelChoice(provider="ollama", model="m", address=usual))
    elsewhere = ModelChoice(provider="ollama", model="m", address="http://10.0.0.5:11434")
    assert not later.includes(elsewhere)
    assert not later.includes(ModelChoice(provider="ollama", model="n"))
    assert "secret-key" not in later.file.read_text(encoding="utf-8")
    assert later.file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", ["", "{}", '[{"provider": 1}]', "[null]", "\x00"])
def test_an_unreadable_file_is_no_agreement(tmp_path: Path, content: str) -> None:
    found = confirmed(tmp_path)
    found.file.write_text(content, encoding="utf-8")
    assert not found.includes(HAIKU)
    found.confirm(HAIKU)
    assert confirmed(tmp_path).includes(HAIKU)


def test_a_confirmed_change_without_a_daemon_is_an_agreement(tmp_path: Path) -> None:
    places = find_paths(
        {
            "INTAGLIO_WORKSPACE": str(tmp_path / "agents"),
            "INTAGLIO_STATE_DIR": str(tmp_path / "state"),
            "INTAGLIO_CACHE_DIR": str(tmp_path / "cache"),
            "INTAGLIO_LOG_DIR": str(tmp_path / "logs"),
        }
    )
    places.workspace.mkdir()
    editor = settings_editor(places)
    key = "memory.pipelineV2.extraction."
    with pytest.raises(ConfirmationNeededError):
        editor.change([(f"{key}provider", "claude-code")], confirmed=False)
    editor.change([(f"{key}provider", "claude-code"), (f"{key}model", "haiku")], confirmed=True)
    known = ConfirmedModels(places.state / "confirmed-models.json", MovableClock())
    assert known.includes(HAIKU)
    # What needs no confirmation isn't one.
    places.settings.write_text("extraction: {provider: anthropic, model: m}\n", encoding="utf-8")
    settings_editor(places).change([(f"{key}timeout", 6_000)], confirmed=True)
    later = ConfirmedModels(places.state / "confirmed-models.json", MovableClock())
    assert not later.includes(ModelChoice(provider="anthropic", model="m"))
