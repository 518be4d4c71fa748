"""Which models the settings name, in every spelling, and what the user's agreement covers."""

import os
from pathlib import Path

import pytest

from fakes.store import MovableClock
from intaglio.base.settings.loader import settings_from
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
