"""The run mode: options, what the desktop supports, and the printed line."""

import pytest

from intaglio.desktop.capabilities import Capabilities, MissingCapability
from intaglio.desktop.run_mode import HeadlessMode, TrayMode, WindowOnlyMode, choose_run_mode


def test_with_everything_there_it_has_an_icon_and_says_nothing() -> None:
    assert choose_run_mode(Capabilities(None, window=True)) == TrayMode(window=True)


def test_without_a_window_library_the_icon_stays_and_a_line_says_why() -> None:
    mode = choose_run_mode(Capabilities(None, window=False))
    assert isinstance(mode, TrayMode)
    assert mode.line.startswith("No window: ")


def test_without_a_screen_the_daemon_runs_alone() -> None:
    mode = choose_run_mode(Capabilities("screen", window=False))
    assert isinstance(mode, HeadlessMode)
    assert mode.line.startswith("No screen found: ")


@pytest.mark.parametrize("lack", ["gi", "indicator", "bus"])
def test_without_what_an_icon_needs_the_daemon_is_looked_after_still(
    lack: MissingCapability,
) -> None:
    mode = choose_run_mode(Capabilities(lack, window=False))
    assert isinstance(mode, WindowOnlyMode)
    assert mode.line.startswith("No tray icon: ")
    assert len(mode.line.splitlines()) == 1


@pytest.mark.parametrize("lack", ["gi", "indicator", "bus"])
@pytest.mark.parametrize("window", [True, False])
def test_at_login_no_line_promises_what_is_not_opened(
    lack: MissingCapability, *, window: bool
) -> None:
    line = Capabilities(lack, window=window, opens_dashboard=False).message
    assert "intaglio tray` again to open the dashboard" in line
    assert "opens by itself" not in line
    assert "in your browser" not in line


def test_what_was_asked_for_comes_first() -> None:
    whole = Capabilities(None, window=True)
    assert choose_run_mode(whole, headless=True) == HeadlessMode()
    assert choose_run_mode(whole, no_icon=True) == WindowOnlyMode(window=True)
    assert choose_run_mode(Capabilities("screen", window=False), no_icon=True) == WindowOnlyMode(
        window=False
    )
