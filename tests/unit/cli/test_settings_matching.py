"""What `intaglio config list` and `intaglio find` show for words and questions."""

from pathlib import Path

import click
import pytest

from intaglio.base.clock import system_clock
from intaglio.base.settings.catalogue import SettingsCatalogue
from intaglio.base.settings.editing import SettingsEditor
from intaglio.base.settings.settings_file import SettingsFile
from intaglio.cli.settings.matching import matching_facts, matching_settings
from intaglio.cli.settings.output import fact_lines
from intaglio.harness.registry import harness_names
from intaglio.sections import SECTIONS
from intaglio.wire.settings import SettingFact, SettingsReply
from intaglio.wire.settings_view import settings_reply

DATABASE = SettingFact(
    id="database",
    group="Privacy and retention",
    label="Your data (one database)",
    value="/home/kim/.agents/memory/intaglio.db",
    help="All memories, in one file.",
)
MODEL = SettingFact(
    id="model", group="Models", label="Embedding model in use", value="onnx", help=""
)


@pytest.fixture
def reply(tmp_path: Path) -> SettingsReply:
    catalogue = SettingsCatalogue(SECTIONS, harness_names())
    path = tmp_path / "agent.yaml"
    file = SettingsFile(lambda: path, tmp_path / "lock", system_clock, catalogue)
    view = SettingsEditor(file, catalogue).view()
    return settings_reply(str(path), view, [DATABASE, MODEL])


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("keep less", "capture.keepAt"),
        ("tell agents less", "harness.claudeCode.startMaxTokens"),
        ("stop notifications at night", "desktop.quietFrom"),
        ("which model?", "embedding.provider"),
        ("capture.keepat", "capture.keepAt"),
        ("keepAt", "capture.keepAt"),
        ("how do I mute", "desktop.notifications"),
    ],
)
def test_a_setting_is_found_by_a_question(reply: SettingsReply, question: str, key: str) -> None:
    assert matching_settings(reply, question.split())[0].key == key


def test_a_question_for_a_place_or_a_name_finds_what_is_no_setting(reply: SettingsReply) -> None:
    assert matching_facts(reply, ["where", "is", "my", "data"]) == [DATABASE]
    assert matching_facts(reply, ["which", "model?"]) == [MODEL]
    shown = click.unstyle("\n".join(fact_lines([DATABASE])))
    assert shown.startswith(f"{DATABASE.label}  {DATABASE.value}\n")


def test_without_words_all_settings_and_no_fact_match(reply: SettingsReply) -> None:
    assert matching_settings(reply, []) == reply.settings
    assert matching_facts(reply, []) == []
    assert matching_facts(reply, ["where"]) == []


def test_part_of_a_word_that_isnt_its_beginning_finds_nothing(reply: SettingsReply) -> None:
    assert matching_settings(reply, ["eep"]) == []
