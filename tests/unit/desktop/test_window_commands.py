"""What the tray tells a window's process, and which window shows what."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.desktop.values import Destination as Shown
from intaglio.desktop.values import OpenMemory, OpenPage, QuickRemember, QuickSearch
from intaglio.desktop.window.commands import (
    CloseWindows,
    KeepReady,
    ShowWindow,
    WindowCommand,
    read_commands,
    write_command,
)
from intaglio.desktop.window.definitions import WindowKind, keeps_current_page, kind_of
from intaglio.desktop.window.pages import page_path

KINDS: st.SearchStrategy[WindowKind] = st.sampled_from(["dashboard", "remember", "search"])
COMMANDS = (
    st.builds(ShowWindow, KINDS, st.text(max_size=200), st.booleans())
    | st.builds(KeepReady, st.booleans())
    | st.just(CloseWindows())
)


@given(st.lists(COMMANDS))
def test_window_commands_are_read_back(orders: list[WindowCommand]) -> None:
    stream = io.BytesIO(b"".join(write_command(order) for order in orders))
    assert list(read_commands(stream)) == orders


def test_an_unknown_command_is_ignored() -> None:
    stream = io.BytesIO(b'garbage\n{"type": "dance"}\n' + write_command(CloseWindows()))
    assert list(read_commands(stream)) == [CloseWindows()]


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        (OpenPage(), "dashboard"),
        (OpenMemory("m1"), "dashboard"),
        (QuickRemember(), "remember"),
        (QuickSearch("larch"), "search"),
    ],
)
def test_every_destination_has_its_window(what: Shown, kind: str) -> None:
    assert kind_of(what) == kind


def test_reopening_keeps_the_page_unless_a_memory_is_asked_for() -> None:
    assert keeps_current_page(OpenPage())
    assert keeps_current_page(QuickRemember())
    assert keeps_current_page(QuickSearch())
    assert not keeps_current_page(OpenMemory("m1"))
    assert not keeps_current_page(OpenPage("memories"))
    assert not keeps_current_page(QuickSearch("larch"))


@pytest.mark.parametrize(
    ("link", "page"),
    [
        ("http://127.0.0.1:3850/enter?key=k&next=%2Fmemories%2Fm1", "/memories/m1"),
        ("http://127.0.0.1:3850/enter?key=k", "/"),
        ("http://127.0.0.1:3850/memories?q=a", "/memories?q=a"),
        ("http://127.0.0.1:3850", "/"),
    ],
)
def test_the_page_behind_a_sign_in_link_is_known(link: str, page: str) -> None:
    assert page_path(link) == page
