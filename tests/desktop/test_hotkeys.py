"""Shortcuts on a real X11 screen, and through a desktop portal on a real bus."""

import contextlib
import os
from collections.abc import Generator, Mapping

import pytest

from fakes.screen import Screen
from fakes.shortcuts_portal import ShortcutsPortal, running_portal
from fakes.waiting import wait_for
from intaglio.base.installation import command
from intaglio.base.shortcut import Shortcut
from intaglio.desktop.hotkeys.portal import PortalGrabber
from intaglio.desktop.hotkeys.values import TAKEN, GrabbedKeys, RefusedKeys
from intaglio.desktop.hotkeys.x11 import X11Grabber
from intaglio.desktop.values import HotkeyName

pytestmark = pytest.mark.desktop

KEYS: Mapping[HotkeyName, Shortcut] = {
    "remember": Shortcut(frozenset({"Ctrl", "Alt"}), "M"),
    "search": Shortcut(frozenset({"Super"}), "F9"),
}


@pytest.fixture
def on_screen(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("DISPLAY", screen.display)
    return screen


def test_pressed_keys_are_heard_whatever_has_the_keyboard(on_screen: Screen) -> None:
    heard: list[HotkeyName] = []
    grabber = X11Grabber()
    with contextlib.closing(grabber):
        assert set(grabber.grab(KEYS, heard.append).values()) == {GrabbedKeys()}
        on_screen.xdotool("key", "ctrl+alt+m")
        wait_for(lambda: heard == ["remember"], "the first shortcut")
        on_screen.xdotool("key", "Num_Lock")
        on_screen.xdotool("key", "super+F9")
        on_screen.xdotool("key", "Num_Lock")
        wait_for(lambda: heard == ["remember", "search"], "the second one, with Num Lock on")


def test_keys_of_another_program_are_refused_until_it_lets_them_go(on_screen: Screen) -> None:
    del on_screen
    other, grabber = X11Grabber(), X11Grabber()
    with contextlib.closing(other), contextlib.closing(grabber):
        other.grab({"remember": KEYS["remember"]}, lambda _: None)
        results = grabber.grab(KEYS, lambda _: None)
        assert results == {"remember": TAKEN, "search": GrabbedKeys()}
        other.close()
        wait_for(
            lambda: set(grabber.grab(KEYS, lambda _: None).values()) == {GrabbedKeys()},
            "free keys",
        )


def test_an_unreachable_screen_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", "")
    (result,) = set(X11Grabber().grab(KEYS, lambda _: None).values())
    assert result == RefusedKeys("The screen can't be reached. Start the tray app again.")


@pytest.fixture
def portal(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Generator[ShortcutsPortal]:
    address = screen.env["DBUS_SESSION_BUS_ADDRESS"]
    monkeypatch.setitem(os.environ, "DBUS_SESSION_BUS_ADDRESS", address)
    with running_portal(address) as running:
        yield running


def test_the_portal_binds_what_the_user_agrees_to(portal: ShortcutsPortal) -> None:
    heard: list[HotkeyName] = []
    portal.agreed = {"remember": "Press <Control><Alt>m"}
    grabber = PortalGrabber()
    with contextlib.closing(grabber):
        results = grabber.grab(KEYS, heard.append)
        assert results["remember"] == GrabbedKeys("Press <Control><Alt>m")
        assert isinstance(results["search"], RefusedKeys)
        assert portal.preferred == {"remember": "CTRL+ALT+m", "search": "LOGO+F9"}
        portal.press("remember")
        wait_for(lambda: heard == ["remember"], "the press")


def test_a_declined_dialog_is_said(portal: ShortcutsPortal) -> None:
    portal.agreed = None
    grabber = PortalGrabber()
    with contextlib.closing(grabber):
        (result,) = set(grabber.grab(KEYS, lambda _: None).values())
        assert isinstance(result, RefusedKeys)
        assert result.reason.startswith("You declined it")


def test_a_desktop_without_the_portal_says_what_to_do(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = screen.env["DBUS_SESSION_BUS_ADDRESS"]
    monkeypatch.setitem(os.environ, "DBUS_SESSION_BUS_ADDRESS", address)
    grabber = PortalGrabber()
    with contextlib.closing(grabber):
        results = grabber.grab(KEYS, lambda _: None)
    assert results["remember"] == RefusedKeys(
        "This desktop has no shortcuts for programs. Set one in its own settings that runs "
        f"`{command('open intaglio://remember')}`."
    )
