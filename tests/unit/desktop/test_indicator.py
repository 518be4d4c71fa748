"""The tray icon's indicator is made anew if it missed the panel that is there."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from intaglio.desktop.tray.indicator import IndicatorCheck


@dataclass
class FakeIndicator:
    """An indicator of the library, with its name, its icon and its category."""

    arguments: tuple[str, ...] = ()
    connected: bool = False
    disposed: bool = False
    menu: object = "the icon's"

    @staticmethod
    def new(*arguments: str) -> "FakeIndicator":
        return FakeIndicator(arguments)

    def get_property(self, name: str) -> object:
        return getattr(self, name)

    def get_category(self) -> str:
        return "status"

    def set_menu(self, menu: object) -> None:
        self.menu = menu

    def run_dispose(self) -> None:
        assert self.menu == "empty"
        self.disposed = True


@dataclass
class FakeIcon:
    name: str = "intaglio"
    _appindicator: FakeIndicator = field(default_factory=FakeIndicator)
    shown: list[FakeIndicator] = field(default_factory=list[FakeIndicator])

    def _show(self) -> None:
        self.shown.append(self._appindicator)


def check(icon: object, *, has_panel: bool = True) -> Callable[[], bool]:
    """Return what is called every two seconds until it returns false."""
    started: list[Callable[[], bool]] = []

    def call_after_ms(_: int, work: Callable[[], bool]) -> None:
        started.append(work)

    IndicatorCheck(icon, lambda: has_panel, lambda: "empty").start(call_after_ms)
    return started[0] if started else lambda: False


def test_an_indicator_that_missed_its_panel_is_made_anew_and_shown() -> None:
    icon: Any = FakeIcon()
    first = icon._appindicator
    run = check(icon)
    assert run()
    (second,) = icon.shown
    assert (first.disposed, second.arguments) == (True, ("intaglio", "", "status"))
    second.connected = True
    assert not run()
    assert icon.shown == [second]


@pytest.mark.parametrize(("connected", "has_panel"), [(True, True), (False, False)])
def test_an_indicator_that_is_registered_or_has_no_panel_stays(
    connected: bool, has_panel: bool
) -> None:
    icon: Any = FakeIcon()
    icon._appindicator.connected = connected
    run = check(icon, has_panel=has_panel)
    assert run() is not connected
    while run():
        pass
    assert icon.shown == []


def test_an_icon_of_another_kind_is_not_checked() -> None:
    assert not check(object())()
