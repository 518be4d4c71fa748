"""What is missing for a tray, and the one line that says so."""

import socket
from pathlib import Path

import pytest

from intaglio.desktop import capabilities
from intaglio.desktop.capabilities import (
    Capabilities,
    bus_is_reachable,
    bus_sockets,
    detect_capabilities,
)


def test_without_a_screen_there_is_no_tray_and_no_window() -> None:
    found = detect_capabilities({}, "linux")
    assert (found.missing, found.window) == ("screen", False)
    assert "No screen" in found.message


def test_without_gi_the_line_names_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capabilities, "find_gi", lambda: False)
    monkeypatch.setattr(capabilities, "has_gi_of_another_python", lambda: False)
    found = detect_capabilities({"DISPLAY": ":0"}, "linux")
    assert (found.missing, found.window) == ("gi", False)
    assert "python3-gi" in found.message
    assert "browser" in found.message
    assert "\n" not in found.message


def test_where_gi_is_there_for_another_python_the_line_names_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(capabilities, "find_gi", lambda: False)
    monkeypatch.setattr(capabilities, "has_gi_of_another_python", lambda: True)
    found = detect_capabilities({"DISPLAY": ":0"}, "linux")
    assert found.missing == "gi"
    assert "the system's Python: add --python /usr/bin/python3" in found.message


def test_a_complete_desktop_gives_no_message() -> None:
    assert Capabilities(None, window=True).message == ""


def test_without_webkit_alone_the_browser_is_named() -> None:
    assert "your browser" in Capabilities(None, window=False).message


def test_macos_has_what_it_needs() -> None:
    assert detect_capabilities({}, "darwin") == Capabilities(None, window=True)


def test_windows_needs_webview2_for_a_window_alone() -> None:
    whole = detect_capabilities({}, "win32", webview2=lambda: True)
    assert (whole.missing, whole.window, whole.message) == (None, True, "")
    without = detect_capabilities({}, "win32", webview2=lambda: False)
    assert (without.missing, without.window) == (None, False)
    assert "your browser. To get one, install Microsoft's WebView2 Runtime" in without.message
    assert "apt-get" not in without.message


def test_the_sockets_of_an_address_are_found() -> None:
    address = "unix:path=/run/user/0/bus,guid=1;unix:abstract=/tmp/x,guid=2;tcp:host=a"
    told = {"DBUS_SESSION_BUS_ADDRESS": address}
    assert bus_sockets(told) == ["/run/user/0/bus", "\0/tmp/x"]


def test_without_an_address_the_session_bus_is_used(tmp_path: Path) -> None:
    assert bus_sockets({"XDG_RUNTIME_DIR": str(tmp_path)}) == []
    (tmp_path / "bus").touch()
    assert bus_sockets({"XDG_RUNTIME_DIR": str(tmp_path)}) == [str(tmp_path / "bus")]


def test_a_bus_without_a_listener_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "bus").touch()
    assert not bus_is_reachable({"DBUS_SESSION_BUS_ADDRESS": f"unix:path={tmp_path / 'bus'}"})


def test_a_listening_bus_is_found(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "bus"))
        listener.listen()
        assert bus_is_reachable({"DBUS_SESSION_BUS_ADDRESS": f"unix:path={tmp_path / 'bus'}"})
