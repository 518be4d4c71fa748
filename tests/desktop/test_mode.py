"""How the desk runs, by what it stands on, and what it says then."""

import pytest

from intaglio.desktop.ground import Ground, Lack
from intaglio.desktop.mode import Headless, NoIcon, Tray, choose_mode


def test_with_everything_there_it_has_an_icon_and_says_nothing() -> None:
    assert choose_mode(Ground(None, window=True)) == Tray(window=True)


def test_without_a_window_library_the_icon_stays_and_a_line_says_why() -> None:
    mode = choose_mode(Ground(None, window=False))
    assert isinstance(mode, Tray)
    assert mode.line.startswith("No window: ")


def test_without_a_screen_the_daemon_runs_alone() -> None:
    mode = choose_mode(Ground("screen", window=False))
    assert isinstance(mode, Headless)
    assert mode.line.startswith("No screen: ")


@pytest.mark.parametrize("lack", ["gi", "indicator", "bus"])
def test_without_what_an_icon_needs_the_daemon_is_looked_after_still(lack: Lack) -> None:
    mode = choose_mode(Ground(lack, window=False))
    assert isinstance(mode, NoIcon)
    assert mode.line.startswith("No tray: ")
    assert len(mode.line.splitlines()) == 1


@pytest.mark.parametrize("lack", ["gi", "indicator", "bus"])
@pytest.mark.parametrize("window", [True, False])
def test_at_login_no_line_promises_what_is_not_opened(lack: Lack, *, window: bool) -> None:
    line = Ground(lack, window=window, opens=False).line
    assert "intaglio tray` again to open the dashboard" in line
    assert "opens by itself" not in line
    assert "in your browser" not in line


def test_what_was_asked_for_comes_first() -> None:
    whole = Ground(None, window=True)
    assert choose_mode(whole, headless=True) == Headless()
    assert choose_mode(whole, no_icon=True) == NoIcon(window=True)
    assert choose_mode(Ground("screen", window=False), no_icon=True) == NoIcon(window=False)
