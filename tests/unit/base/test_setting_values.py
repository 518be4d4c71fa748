"""Values of settings, for every declaration: what is used and what is said of a bad one."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from fakes.each_setting import for_each
from intaglio.base.clock import system_clock
from intaglio.base.settings.catalogue import SettingsCatalogue
from intaglio.base.settings.declaration import HARNESS, Scalar, SettingInfo, must_confirm
from intaglio.base.settings.editing import InvalidSettingError, SettingsEditor
from intaglio.base.settings.listing import all_settings
from intaglio.base.settings.loader import read_text
from intaglio.base.settings.settings_file import SettingsFile
from intaglio.base.settings.validation import check_value
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings
from intaglio.embedding.settings import EmbeddingSettings
from intaglio.sections import SECTIONS
from intaglio.sessions.settings import HarnessSettings, HookSettings

CATALOGUE = SettingsCatalogue(SECTIONS, ["some-agent"])
SETTINGS = all_settings(SECTIONS)
NUMBERS = [info for info in SETTINGS if info.bounds]
every_setting = for_each(SETTINGS)
every_number = for_each(NUMBERS)


def text_with(key: str, value: object) -> str:
    """Return a file that has this value at a dotted key."""
    for part in reversed(key.split(".")):
        value = {part: value}
    return yaml.safe_dump(value)


def used(info: SettingInfo, value: object) -> tuple[Scalar, list[str]]:
    """Return the value that a file with this one leads to, and what is said of the file."""
    key = info.key.replace(HARNESS, "someAgent")
    reading = CATALOGUE.read(text_with(key, value))
    found = CATALOGUE.find(key)
    assert found is not None
    assert {problem.key for problem in reading.problems} <= {key}
    return found.value(reading.settings), [problem.message for problem in reading.problems]


@every_setting
def test_a_default_is_valid(info: SettingInfo) -> None:
    assert check_value(info, info.default) == (info.default, "")


@every_setting
def test_a_default_that_is_written_is_read_as_it_is(info: SettingInfo) -> None:
    assert used(info, info.default) == (info.default, [])


@every_setting
def test_every_choice_and_both_bounds_are_read_as_they_are(info: SettingInfo) -> None:
    kind = type(info.default)
    for value in (
        *(one.value for one in info.choices),
        *(kind(each) for each in info.bounds or ()),
    ):
        assert used(info, value) == (value, [])


def is_right(info: SettingInfo, value: object) -> bool:
    """Whether a value has the type of a setting."""
    if isinstance(info.default, float):
        return type(value) is int
    return type(value) is type(info.default) and not info.choices


@every_setting
def test_a_wrong_type_means_the_default_and_is_reported(info: SettingInfo) -> None:
    for wrong in ([1], {"a": 1}, math.nan, True, 3, "x"):
        if not is_right(info, wrong):
            value, problems = used(info, wrong)
            assert value == info.default
            assert len(problems) == 1
            assert problems[0].startswith("must be ")


@every_number
def test_a_number_out_of_bounds_is_clamped_and_reported(info: SettingInfo) -> None:
    assert info.bounds is not None
    low, high = info.bounds
    for given, clamped in ((low - 1, low), (high + 1, high)):
        value, problems = used(info, given)
        assert (value, type(value)) == (clamped, type(info.default))
        assert len(problems) == 1
        assert f" from {low:,.12g} to {high:,.12g}" in problems[0]


@every_number
def test_a_whole_number_refuses_decimals(info: SettingInfo) -> None:
    if isinstance(info.default, int):
        assert used(info, 2.5)[0] == info.default


def declared(key: str) -> SettingInfo:
    return next(info for info in SETTINGS if info.key == key)


@pytest.mark.parametrize(
    ("key", "before", "after", "confirmed"),
    [
        ("embedding.provider", "onnx", "ollama", True),
        ("embedding.provider", "ollama", "onnx", False),
        ("embedding.base_url", "http://a", "http://b", True),
        ("capture.transcripts", True, False, True),
        ("capture.transcripts", False, True, False),
        ("retention.historyDays", 180, 90, True),
        ("retention.historyDays", 90, 180, False),
        ("retention.historyDays", 0, 180, True),
        ("retention.historyDays", 180, 0, False),
        ("retention.historyDays", 180, 180, False),
        ("harness.<name>.startMaxTokens", 600, 800, True),
        ("harness.<name>.startMaxTokens", 600, 300, False),
        ("hooks.userPromptSubmit.minMatch", 0.48, 0.3, True),
        ("hooks.userPromptSubmit.minMatch", 0.48, 0.6, False),
        ("backup.enabled", True, False, False),
    ],
)
def test_only_a_change_with_its_consequence_is_confirmed(
    key: str,
    before: Scalar,
    after: Scalar,
    confirmed: bool,
) -> None:
    assert must_confirm(declared(key), before, after) is confirmed


def test_settings_are_found_by_their_section() -> None:
    settings = Settings().having(CaptureSettings(keep_at=0.9))
    assert settings.of(CaptureSettings).keep_at == 0.9
    assert settings.of(HookSettings) == HookSettings()
    assert settings != Settings()
    assert settings.having(CaptureSettings()) == Settings()


def test_each_harness_has_its_own_values_and_the_defaults_otherwise() -> None:
    own = replace(HarnessSettings(), capture=False)
    settings = Settings().having_harness("some-agent", own)
    assert settings.harness(HarnessSettings, "some-agent") == own
    assert settings.harness(HarnessSettings, "someAgent") == own
    assert settings.harness(HarnessSettings, "another") == HarnessSettings()


def tried(start: Settings, values: dict[str, Scalar | None]) -> Settings:
    file = SettingsFile(lambda: Path("unused"), Path("unused"), system_clock, CATALOGUE)
    return SettingsEditor(file, CATALOGUE, lambda: start).tried(values)


def test_settings_with_other_values_keep_the_rest() -> None:
    start = Settings().having(CaptureSettings(keep_at=0.9))
    settings = tried(
        start,
        {
            "capture.suggestAt": 0.4,
            "capture.keepAt": None,
            "harness.someAgent.startMaxTokens": 200,
        },
    )
    assert settings.of(CaptureSettings) == CaptureSettings(suggest_at=0.4)
    assert settings.harness(HarnessSettings, "some-agent").start_max_tokens == 200


@pytest.mark.parametrize(
    ("key", "value"),
    [("capture.keepAt", 2), ("capture.keepAtt", 1), ("harness.<name>.capture", False)],
)
def test_a_bad_value_is_not_tried(key: str, value: Scalar) -> None:
    with pytest.raises(InvalidSettingError, match=key):
        tried(Settings(), {key: value})


def test_signets_name_of_the_included_model_is_read_as_ours() -> None:
    reading = read_text("embedding: {provider: native}", SECTIONS)
    assert reading.settings.of(EmbeddingSettings).provider == "onnx"
    assert not reading.problems
