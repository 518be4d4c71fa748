"""The whole tray app on a screen: tray, daemon, windows, notifications, and missing parts."""

import contextlib
import json
import signal
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
import pytest

from fakes.agent_sessions import DECISION, AgentSession
from fakes.daemon import write_settings
from fakes.desktop_app import (
    RunningTrayApp,
    running_tray_app,
    second_launch,
    start_tray_app,
    wait_gone,
)
from fakes.notification_host import notification_host_on
from fakes.screen import Screen, running_screen
from fakes.shortcuts_portal import running_portal
from fakes.tray_host import TrayHost, running_tray_host
from fakes.waiting import PATIENCE_S, wait_for
from fakes.windows import TITLE, opened
from intaglio.base.clock import iso, system_clock
from intaglio.desktop.main import EXIT_REFUSED

pytestmark = pytest.mark.desktop

Seat = tuple[RunningTrayApp, Screen, TrayHost]


@pytest.fixture(scope="module")
def seated(
    panel: tuple[Screen, TrayHost], tmp_path_factory: pytest.TempPathFactory
) -> Generator[Seat]:
    """One tray app for the tests that leave it as they found it."""
    screen, host = panel
    with running_tray_app(tmp_path_factory.mktemp("tray-app"), screen.env, "--login") as app:
        wait_for(lambda: host.items, "an icon")
        wait_for(lambda: "Pause capture" in host.texts(), "a well daemon in the menu")
        yield app, screen, host


@pytest.fixture
def seat(seated: Seat) -> Generator[Seat]:
    yield seated
    app, screen, _ = seated

    def closed() -> bool:
        # One may still be on its way.
        running = list(app.child_processes("window"))
        for one in running:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.terminate()
        return not running and not screen.windows("Intaglio")

    wait_for(closed, "no window")


def contents(app: RunningTrayApp) -> list[str]:
    with app.daemon.client() as client:
        return [row["content"] for row in client.get("/api/memories").json()["memories"]]


def last_opened(app: RunningTrayApp) -> str:
    """Return what the app notes once it has shown the dashboard."""
    return (app.paths.state / "last-opened.json").read_text()


def paused(app: RunningTrayApp) -> bool:
    with app.daemon.client() as client:
        return bool(client.get("/api/capture").json()["paused"])


def test_started_at_login_it_opens_nothing(seat: Seat) -> None:
    _, screen, host = seat
    wait_for(lambda: host.property("Status") == "Active", "a visible icon")
    # What a test before had opened may still be closing.
    wait_for(lambda: not screen.windows("Intaglio"), "no window")


@pytest.mark.slow
def test_a_pause_begins_and_ends_in_the_menu(seat: Seat) -> None:
    app, _, host = seat
    host.choose("Pause capture", "For 15 minutes")
    wait_for(lambda: paused(app), "a pause")
    host.choose("Resume capture")
    wait_for(lambda: not paused(app), "the end of the pause")
    wait_for(lambda: "Pause capture" in host.texts(), "the menu as before")


@pytest.mark.slow
def test_what_is_written_in_the_small_window_is_remembered(seat: Seat) -> None:
    app, screen, host = seat
    host.choose("Quick remember…")
    window = opened(screen, "^Remember")

    def kept() -> bool:
        # Until the page has the keyboard, what is typed goes nowhere.
        screen.activate(window)
        screen.xdotool("type", "--delay", 5, "Lindens line the yard. ")
        screen.xdotool("key", "ctrl+Return")
        time.sleep(0.7)
        return any("Lindens line the yard." in text for text in contents(app))

    wait_for(kept, "the memory")


@pytest.mark.slow
def test_what_the_small_window_finds_opens_in_the_dashboard(seat: Seat) -> None:
    app, screen, host = seat
    with app.daemon.client() as client:
        client.post("/api/memory/remember", json={"content": "The larch is the staging server."})
    host.choose("Search…")
    window = opened(screen, "^Search")
    screen.activate(window)

    def dashboard() -> bool:
        if screen.windows(TITLE):
            return True
        if screen.xdotool("getactivewindow") == window:
            screen.xdotool("key", "ctrl+a")
            screen.xdotool("type", "--delay", 5, "larch")
            time.sleep(1)
            screen.xdotool("key", "Return")
        time.sleep(1)
        return False

    wait_for(dashboard, "the memory in the dashboard")


def test_a_recent_memory_opens_in_the_one_window(seat: Seat) -> None:
    app, screen, host = seat
    with app.daemon.client() as client:
        client.post("/api/memory/remember", json={"content": "Elms are felled in autumn."})
    before = last_opened(app)
    host.choose("Open Intaglio")
    window = opened(screen)
    wait_for(lambda: last_opened(app) != before, "the dashboard shown")
    before = last_opened(app)
    host.choose("Recent memories", "Elms")
    wait_for(lambda: last_opened(app) != before, "the memory shown")
    wait_for(lambda: screen.windows(TITLE) == [window], "one window")


@pytest.mark.slow
def test_what_a_session_decided_is_counted_until_the_dashboard_is_opened(seat: Seat) -> None:
    app, screen, host = seat
    transcript = Path(app.env["HOME"]) / ".claude/projects/-work/s1.jsonl"
    transcript.parent.mkdir(parents=True)
    message = {"role": "user", "content": "We decided to plant lindens along the road."}
    said = {"type": "user", "uuid": "u1", "sessionId": "s1", "cwd": "/work", "message": message}
    # Without its time it could have been said during the pause of another test.
    said["timestamp"] = iso(system_clock())
    transcript.write_text(json.dumps(said) + "\n")
    body = {"hook_event_name": "Stop", "session_id": "s1", "transcript_path": str(transcript)}
    token = {"authorization": f"Bearer {app.daemon.identity['hook_token']}"}
    with app.daemon.client(headers=token) as client:
        client.post("/api/hooks/native/claude-code", json=body).raise_for_status()
    wait_for(lambda: "1 memory saved" in host.texts(), "the count in the menu")
    host.choose("1 memory saved")
    opened(screen)
    wait_for(lambda: "1 memory saved" not in host.texts(), "a menu without it")


@pytest.mark.slow
def test_a_restart_brings_another_process_on_the_same_port(seat: Seat) -> None:
    app, _, host = seat
    before = app.daemon_pid()
    host.choose("More", "Restart daemon")
    wait_for(lambda: not psutil.pid_exists(before), "the end of the old one")
    app.wait_ready()
    wait_for(lambda: app.daemon_pid() != before, "the record of the new one")
    wait_for(lambda: "Pause capture" in host.texts(), "a well daemon in the menu")


@pytest.mark.slow
def test_start_at_login_writes_a_file_and_takes_it_back(seat: Seat) -> None:
    _, screen, host = seat
    folder = Path(screen.env["HOME"]) / ".config" / "autostart"
    host.choose("More", "Start at login")
    wait_for(lambda: folder.is_dir() and list(folder.glob("*.desktop")), "the file")
    wait_for(lambda: host.entry("More", "Start at login").checked is True, "the tick")
    host.choose("More", "Start at login")
    wait_for(lambda: not list(folder.glob("*.desktop")), "no file")
    wait_for(lambda: host.entry("More", "Start at login").checked is False, "no tick")


@pytest.mark.slow
def test_a_second_launch_brings_the_first_ones_window_forward(seat: Seat) -> None:
    app, screen, _ = seat
    said = second_launch(app)
    assert (said.returncode, said.stderr) == (0, "")
    assert "already running" in said.stdout
    window = opened(screen)
    assert second_launch(app).returncode == 0
    wait_for(lambda: screen.xdotool("getactivewindow") == window, "the window in front")
    assert screen.windows(TITLE) == [window]


def test_quit_leaves_nothing_behind(panel: tuple[Screen, TrayHost], tmp_path: Path) -> None:
    screen, host = panel
    known = len(host.items)
    app = start_tray_app(tmp_path, screen.env)
    app.wait_ready()
    wait_for(lambda: len(host.items) > known, "an icon")
    opened(screen)
    everyone = app.all_processes()
    host.choose("Quit and stop the daemon")
    assert app.process.wait(PATIENCE_S) == 0
    wait_gone(everyone)
    wait_for(lambda: len(host.items) == known, "no icon")


@pytest.mark.slow
def test_a_killed_tray_takes_window_and_daemon_along(screen: Screen, tmp_path: Path) -> None:
    app = start_tray_app(tmp_path, screen.env)
    app.wait_ready()
    opened(screen)
    everyone = app.all_processes()
    assert app.child_processes("daemon")
    assert app.child_processes("window")
    app.process.send_signal(signal.SIGKILL)
    app.process.wait(PATIENCE_S)
    wait_gone(everyone)


@pytest.mark.slow
def test_without_a_session_bus_the_window_opens_and_one_line_says_so(
    desktop_packages: None, tmp_path: Path
) -> None:
    del desktop_packages
    with (
        running_screen(tmp_path / "screen", bus=False) as bare,
        running_tray_app(tmp_path / "tray-app", bare.env) as app,
    ):
        opened(bare)
        assert "No tray icon: this session has no D-Bus session bus" in app.output
        wait_for(lambda: "/enter?key=" in app.output, "the address")


@pytest.mark.slow
def test_without_gi_the_browser_opens_and_one_line_names_the_packages(
    screen: Screen, tmp_path: Path
) -> None:
    (tmp_path / "gi.py").write_text("raise ImportError('not on this machine')\n")
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\ncat "${{1#file://}}" >> "{tmp_path}/opened.txt"\n')
    browser.chmod(0o755)
    path = f"{tmp_path}:{screen.env['PYTHONPATH']}"
    session = {**screen.env, "PYTHONPATH": path, "BROWSER": str(browser)}
    with running_tray_app(tmp_path / "tray-app", session) as app:
        told = tmp_path / "opened.txt"
        wait_for(lambda: "/enter?key=" in told.read_text(), "the address in the user's browser")
        assert "No tray icon: the dashboard opens in your browser" in app.output
        assert "gir1.2-webkit2-4.1" in app.output


@pytest.mark.slow
def test_without_a_tray_the_window_opens_and_one_line_says_so(
    desktop_packages: None, tmp_path: Path
) -> None:
    del desktop_packages
    with (
        running_screen(tmp_path / "screen", tray=False) as bare,
        running_tray_app(tmp_path / "tray-app", bare.env) as app,
    ):
        opened(bare)
        assert "this desktop doesn't show any" in app.output


@pytest.mark.slow
def test_keys_pressed_in_any_program_open_quick_remember(seat: Seat) -> None:
    app, screen, host = seat
    write_settings(app.home, "desktop: {hotkeyRemember: Ctrl+Alt+M}\n")
    wait_for(lambda: "Quick remember… (Ctrl+Alt+M)" in host.texts(), "the keys in the menu")
    screen.xdotool("key", "ctrl+alt+m")
    opened(screen, "^Remember")
    write_settings(app.home, "")
    wait_for(lambda: "Quick remember…" in host.texts(), "a menu without them")


@pytest.mark.slow
def test_a_wayland_session_shows_the_icon_and_is_asked_for_keys(
    desktop_packages: None, tmp_path: Path
) -> None:
    del desktop_packages
    write_settings(tmp_path / "app", "desktop: {hotkeyRemember: Ctrl+Alt+M}\n")
    with (
        running_screen(tmp_path / "screen", tray=False) as screen,
        running_tray_host(screen.env["DBUS_SESSION_BUS_ADDRESS"]) as panel,
        running_portal(screen.env["DBUS_SESSION_BUS_ADDRESS"]) as portal,
    ):
        portal.agreed = {"remember": "Ctrl+Alt+Y"}
        # No compositor answers: GTK falls back to X11, as it does for a program under XWayland.
        names = {"WAYLAND_DISPLAY": "wayland-7", "XDG_SESSION_TYPE": "wayland"}
        session = {**screen.env, **names, "GDK_BACKEND": "wayland,x11"}
        with running_tray_app(tmp_path / "app", session, "--login"):
            wait_for(lambda: "Quick remember… (Ctrl+Alt+Y)" in panel.texts(), "the agreed keys")
            portal.press("remember")
            opened(screen, "^Remember")


@pytest.mark.slow
def test_a_home_that_cannot_be_written_is_said_in_a_notification(
    desktop_packages: None, tmp_path: Path
) -> None:
    del desktop_packages
    with (
        running_screen(tmp_path / "screen", tray=False, notifications=False) as screen,
        notification_host_on(screen.env["DBUS_SESSION_BUS_ADDRESS"]) as desk,
    ):
        # Nobody, not even root, can make a folder there.
        app = start_tray_app(
            tmp_path / "app",
            screen.env,
            INTAGLIO_STATE_DIR="/proc/1/state",
            INTAGLIO_LOG_DIR="/proc/1/logs",
            INTAGLIO_RUNTIME_DIR="/proc/1/runtime",
        )
        assert app.process.wait(PATIENCE_S) == EXIT_REFUSED
        assert "The tray app can't run: " in app.output
        wait_for(lambda: desk.shown, "a notification")
        assert desk.shown[0].title == "Intaglio can't start"
        assert "Check the disk and the permissions" in desk.shown[0].text


@dataclass
class User:
    """The person whose agent's sessions the daemon sees."""

    home: Path
    http: httpx.Client


@pytest.mark.slow
def test_a_saved_line_is_notified_and_undone_by_its_button(
    desktop_packages: None, tmp_path: Path
) -> None:
    del desktop_packages
    with (
        running_screen(tmp_path / "screen", tray=False, notifications=False) as screen,
        running_tray_host(screen.env["DBUS_SESSION_BUS_ADDRESS"]) as panel,
        notification_host_on(screen.env["DBUS_SESSION_BUS_ADDRESS"]) as desk,
        running_tray_app(tmp_path / "app", screen.env, "--login") as app,
        app.daemon.client() as client,
    ):
        wait_for(lambda: "No agent is connected…" in panel.texts(), "what needs the user")
        assert desk.shown == []
        session = AgentSession(User(Path(screen.env["HOME"]), client))
        session.start()
        session.ask(DECISION)
        session.stop()
        wait_for(lambda: desk.shown, "a notification")
        assert [each.title for each in desk.shown] == [f"Saved: {DECISION}"]
        wait_for(lambda: panel.entry("Saved: ", "Undo"), "the way to undo it in the menu")
        desk.press("Undo")
        wait_for(lambda: [each.title for each in desk.shown] == ["Memory forgotten"], "an answer")
        assert contents(app) == []


@pytest.mark.slow
def test_without_notifications_an_answer_is_in_the_menu(
    desktop_packages: None, tmp_path: Path
) -> None:
    del desktop_packages
    with (
        running_screen(tmp_path / "screen", tray=False, notifications=False) as screen,
        running_tray_host(screen.env["DBUS_SESSION_BUS_ADDRESS"]) as panel,
        running_tray_app(tmp_path / "app", screen.env, "--login") as app,
        app.daemon.client() as client,
    ):
        session = AgentSession(User(Path(screen.env["HOME"]), client))
        session.start()
        session.ask(DECISION)
        session.stop()
        panel.choose("Saved: ", "Undo")
        wait_for(lambda: "Memory forgotten" in panel.texts(), "the answer")
        assert "Traceback" not in app.output
