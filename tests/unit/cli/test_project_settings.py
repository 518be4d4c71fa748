"""How the settings of a project are typed and shown."""

import pytest

from intaglio.cli.projects.project_settings import read_value, setting_lines, shown_value
from intaglio.wire.settings import ProjectSettingRow, SettingValue


def row(key: str, value: SettingValue, general: SettingValue) -> ProjectSettingRow:
    return ProjectSettingRow(
        key=key, label="Label", help="", kind="switch", unit="", value=value, general=general,
        general_key=None, is_set=value != general, low=None, high=None, choices=[],
        consequence=None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [("on", True), ("off", False), ("true", True), ("nothing", "nothing"), ("default", None)],
)
def test_a_value_is_read_as_it_is_shown(text: str, value: object) -> None:
    assert read_value(text) == value
    assert shown_value(read_value(text)) == {"true": "on"}.get(text, text)


def test_what_differs_from_the_general_value_is_said() -> None:
    lines = setting_lines(
        [
            row("project.told", "nothing", "everything"),
            row("project.capture", value=True, general=True),
        ]
    )
    assert lines == [
        "told     nothing (only here; general: everything)  Label",
        "capture  on  Label",
    ]
