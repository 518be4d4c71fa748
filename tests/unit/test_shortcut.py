"""Keyboard shortcuts as people write them, and what isn't one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.base.settings.loader import read_text
from intaglio.base.shortcut import (
    KEYS,
    MODIFIERS,
    SHORTCUT_FORM,
    InvalidShortcut,
    Shortcut,
    parse_shortcut,
)
from intaglio.desktop.hotkeys import macos, windows
from intaglio.desktop.hotkeys.portal import trigger_of
from intaglio.desktop.settings import DesktopSettings


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Ctrl+Alt+M", "Ctrl+Alt+M"),
        (" alt + control + m ", "Ctrl+Alt+M"),
        ("Cmd+Shift+Space", "Shift+Super+Space"),
        ("F9", "F9"),
        ("Shift+F9", "Shift+F9"),
        ("win+return", "Super+Enter"),
    ],
)
def test_a_shortcut_is_read_in_any_spelling(text: str, meant: str) -> None:
    found = parse_shortcut(text)
    assert isinstance(found, Shortcut)
    assert found.text == meant
    assert parse_shortcut(found.text) == found


@pytest.mark.parametrize(
    "text", ["", "M", "Shift+M", "Ctrl", "Ctrl+", "Ctrl+Ctrl+M", "Ctrl+M+K", "Hyper+M", "Ctrl+ß"]
)
def test_what_would_take_a_key_from_typing_is_refused(text: str) -> None:
    assert isinstance(parse_shortcut(text), InvalidShortcut)


@pytest.mark.parametrize("text", ["Ctrl+C", "cmd+v", "Ctrl+Z"])
def test_the_keys_that_copy_or_undo_in_every_program_are_refused(text: str) -> None:
    found = parse_shortcut(text)
    assert isinstance(found, InvalidShortcut)
    assert "to all programs: add Alt or Shift" in found.reason
    assert isinstance(parse_shortcut(f"Alt+{text}"), Shortcut)


@given(st.text(max_size=100))
def test_any_text_at_all_is_read_or_refused(text: str) -> None:
    assert isinstance(parse_shortcut(text), Shortcut | InvalidShortcut)


def test_an_invalid_shortcut_in_the_settings_is_off_and_named() -> None:
    reading = read_text("desktop:\n  hotkeySearch: M\n", [DesktopSettings])
    assert reading.settings.of(DesktopSettings).hotkey_search == ""
    (problem,) = reading.problems
    assert problem.key == "desktop.hotkeySearch"
    assert "must be keys such as Ctrl+Alt+M" in problem.message
    assert SHORTCUT_FORM.problem("") == ""


def test_every_key_has_a_code_of_its_own_on_each_platform() -> None:
    for module in (windows, macos):
        assert len({module.key_code(key) for key in KEYS}) == len(KEYS)
        bits = {module.modifier_bits(Shortcut(frozenset({one}), "M")) for one in MODIFIERS}
        assert len(bits) == len(MODIFIERS)


def test_the_portal_gets_names_of_the_shortcut_specification() -> None:
    assert trigger_of(Shortcut(frozenset({"Super", "Ctrl"}), "M")) == "CTRL+LOGO+m"
    assert trigger_of(Shortcut(frozenset({"Alt"}), "PageUp")) == "ALT+Page_Up"
