"""The texts by which an operating system starts the daemon."""

import plistlib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from intaglio.client.service_definition import describe

HOME = Path("/home/anna")
PROGRAM = ["/opt/in taglio/python", "-m", "intaglio"]
ENV = {"INTAGLIO_WORKSPACE": '/data/a "b" 100%$x', "PATH": "/bin", "INTAGLIO_PORT": "4000"}


def test_systemd_gets_a_user_unit() -> None:
    service = describe("linux", HOME, {}, PROGRAM)
    assert service.file == HOME / ".config" / "systemd" / "user" / "intaglio.service"
    assert 'ExecStart="/opt/in taglio/python" -m intaglio daemon run\n' in service.text
    assert "WantedBy=default.target" in service.text


def test_a_configured_unit_folder_is_used() -> None:
    service = describe("linux", HOME, {"XDG_CONFIG_HOME": "/cfg"}, PROGRAM)
    assert service.file == Path("/cfg/systemd/user/intaglio.service")


def test_systemd_is_told_the_directories_with_its_own_quoting() -> None:
    text = describe("linux", HOME, ENV, PROGRAM).text
    assert 'Environment="INTAGLIO_WORKSPACE=/data/a \\"b\\" 100%%$x"\n' in text
    assert "PATH" not in text.replace("PYTHONPATH", "")


def test_systemd_does_not_restart_on_a_taken_port() -> None:
    assert "RestartPreventExitStatus=3 4" in describe("linux", HOME, {}, PROGRAM).text


def test_the_launchd_plist_is_valid() -> None:
    service = describe("darwin", HOME, ENV, PROGRAM)
    content = plistlib.loads(service.text.encode())
    assert service.file.parent == HOME / "Library" / "LaunchAgents"
    assert content["ProgramArguments"] == [*PROGRAM, "daemon", "run"]
    assert content["EnvironmentVariables"]["INTAGLIO_PORT"] == "4000"


def test_windows_gets_a_task_without_a_console_window() -> None:
    service = describe("win32", HOME, {}, [r"C:\A & B\python.exe", "-m", "intaglio"])
    root = ET.fromstring(service.text.partition("?>")[2])  # noqa: S314 - our own text
    command = root.find(".//{*}Command")
    assert command is not None
    assert command.text == r"C:\A & B\pythonw.exe"


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_service_can_be_switched_on_and_off(platform: str) -> None:
    service = describe(platform, HOME, {}, PROGRAM)
    assert service.enable
    assert service.disable
    assert service.text.endswith("\n")
