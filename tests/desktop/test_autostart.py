"""Start at login and links: what is written for each system, and that nothing else is touched."""

import configparser
import plistlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.desktop.autostart.launcher import (
    Launcher,
    autostart_entry,
    exec_value,
    launch_agent,
    link_value,
    run_value,
)
from intaglio.desktop.autostart.linux import LinuxAutostart
from intaglio.desktop.autostart.macos import MacAutostart
from intaglio.desktop.autostart.mimeapps import default_for, with_default, without_default
from intaglio.desktop.autostart.switch import Autostart, update_if_stale
from intaglio.desktop.autostart.windows import WindowsAutostart

MIME = "x-scheme-handler/intaglio"
OURS = "intaglio.desktop"
LAUNCHER = Launcher(
    ["/opt/in taglio/python", "-m", "intaglio"], {"INTAGLIO_WORKSPACE": '/data/a "b" 100%$x\\y`z'}
)


def keys(text: str) -> dict[str, str]:
    """Read a desktop entry as a desktop does: escapes of values are undone."""
    parser = configparser.RawConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys keep their case
    parser.read_string(text)
    return {key: value.replace("\\\\", "\\") for key, value in parser["Desktop Entry"].items()}


_PART = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')


def arguments(value: str) -> list[str]:
    """Take the value of Exec apart as the specification says; backslashes are undoubled already."""
    quoted = [found[1] if found[1] is not None else found[2] for found in _PART.finditer(value)]
    return [re.sub(r'\\(["`$\\])', r"\1", part.replace("%%", "%")) for part in quoted]


def test_a_desktop_entry_is_what_the_specification_asks_for() -> None:
    entry = keys(autostart_entry(LAUNCHER))
    assert (entry["Type"], entry["Name"], entry["Terminal"]) == ("Application", "Intaglio", "false")
    assert entry["X-GNOME-Autostart-enabled"] == "true"
    assert arguments(entry["Exec"]) == [
        "env",
        'INTAGLIO_WORKSPACE=/data/a "b" 100%$x\\y`z',
        *LAUNCHER.command("--login"),
    ]


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["C"])), min_size=1))
def test_every_argument_survives_the_quoting(command: list[str]) -> None:
    assert arguments(exec_value(command).replace("\\\\", "\\")) == command


def test_only_the_links_place_is_a_field_code() -> None:
    assert exec_value(["a%u"], field_code="%u") == '"a%%u" %u'


@pytest.fixture
def linux(tmp_path: Path) -> LinuxAutostart:
    return LinuxAutostart(tmp_path, {}, LAUNCHER)


def files(home: Path) -> list[str]:
    return sorted(str(file.relative_to(home)) for file in home.rglob("*") if file.is_file())


def test_linux_gets_an_entry_for_login_one_for_links_and_a_default(
    linux: LinuxAutostart, tmp_path: Path
) -> None:
    assert not linux.is_on()
    linux.switch(on=True)
    assert linux.is_on()
    assert files(tmp_path) == [
        ".config/autostart/intaglio.desktop",
        ".config/mimeapps.list",
        ".local/share/applications/intaglio.desktop",
    ]
    assert sorted(linux.entries()) == [str(tmp_path / file) for file in files(tmp_path)]
    entry = keys((tmp_path / ".local/share/applications/intaglio.desktop").read_text())
    assert entry["MimeType"] == f"{MIME};"
    assert entry["Exec"].endswith('"tray" "--" %u')
    assert default_for((tmp_path / ".config/mimeapps.list").read_text(), MIME) == OURS
    linux.switch(on=False)
    assert not linux.is_on()
    assert files(tmp_path) == []


def test_linux_follows_the_variables_for_its_folders(tmp_path: Path) -> None:
    env = {"XDG_CONFIG_HOME": str(tmp_path / "c"), "XDG_DATA_HOME": str(tmp_path / "d")}
    LinuxAutostart(tmp_path / "home", env, LAUNCHER).switch(on=True)
    assert files(tmp_path) == [
        "c/autostart/intaglio.desktop",
        "c/mimeapps.list",
        "d/applications/intaglio.desktop",
    ]


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled = false"])
def test_what_the_desktops_own_settings_switched_off_is_off(
    linux: LinuxAutostart, tmp_path: Path, line: str
) -> None:
    linux.switch(on=True)
    entry = tmp_path / ".config/autostart/intaglio.desktop"
    entry.write_text(entry.read_text() + line + "\n")
    assert not linux.is_on()


def test_a_launcher_that_moved_is_written_anew_and_one_that_is_off_stays_off(
    tmp_path: Path,
) -> None:
    moved = LinuxAutostart(tmp_path, {}, Launcher(["/new/python"]))
    assert not update_if_stale(moved)
    assert files(tmp_path) == []
    LinuxAutostart(tmp_path, {}, LAUNCHER).switch(on=True)
    assert update_if_stale(moved)
    assert "/new/python" in (tmp_path / ".config/autostart/intaglio.desktop").read_text()
    assert not update_if_stale(moved)


def test_a_list_of_defaults_that_is_a_link_stays_one(linux: LinuxAutostart, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "mimeapps.list"
    real.parent.mkdir()
    real.write_text("[Default Applications]\ntext/html=browser.desktop\n")
    real.chmod(0o644)
    (tmp_path / ".config").mkdir()
    (tmp_path / ".config" / "mimeapps.list").symlink_to(real)
    linux.switch(on=True)
    assert (tmp_path / ".config" / "mimeapps.list").is_symlink()
    assert default_for(real.read_text(), MIME) == OURS
    assert real.stat().st_mode & 0o777 == 0o644


LINES = st.sampled_from(
    [
        "[Default Applications]\n",
        "[Added Associations]\n",
        "text/html=browser.desktop;other.desktop;\n",
        "x-scheme-handler/http=browser.desktop\n",
        "# a remark\n",
        "\n",
        "nonsense\n",
    ]
)


@given(st.lists(LINES, max_size=12).map("".join))
def test_the_list_of_defaults_comes_back_as_it_was(text: str) -> None:
    changed = with_default(text, MIME, OURS)
    assert default_for(changed, MIME) == OURS
    kept = [line for line in changed.splitlines() if not line.startswith(MIME)]
    assert [line for line in text.splitlines() if line in kept] == text.splitlines()
    back = without_default(changed, MIME, OURS)
    assert default_for(back, MIME) is None
    # At most an empty section of defaults goes, which says nothing.
    assert (
        back.replace("[Default Applications]\n", "").split()
        == text.replace("[Default Applications]\n", "").split()
    )


def test_another_applications_default_is_not_taken_away_at_the_end() -> None:
    text = f"[Default Applications]\n{MIME}=other.desktop\n"
    assert without_default(text, MIME, OURS) == text
    assert default_for(with_default(text, MIME, OURS), MIME) == OURS


def test_macos_gets_a_launch_agent(tmp_path: Path) -> None:
    mac = MacAutostart(tmp_path, LAUNCHER)
    mac.switch(on=True)
    file = tmp_path / "Library" / "LaunchAgents" / "io.intaglio.tray.plist"
    content = plistlib.loads(file.read_bytes())
    assert content == plistlib.loads(launch_agent(LAUNCHER))
    assert content["ProgramArguments"] == LAUNCHER.command("--login")
    assert content["RunAtLoad"] is True
    assert content["ProcessType"] == "Interactive"
    assert mac.is_on()
    assert mac.entries() == (str(file),)
    assert not mac.is_stale()
    assert MacAutostart(tmp_path, Launcher(["/new/python"])).is_stale()
    mac.switch(on=False)
    assert not mac.is_on()


class FakeRegistry:
    """The user's part of the registry, as a dictionary."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], object] = {}

    def read(self, key: str, name: str) -> object | None:
        return self.values.get((key, name))

    def write(self, key: str, name: str, value: str) -> None:
        self.values[key, name] = value

    def remove(self, key: str, name: str) -> None:
        self.values.pop((key, name), None)

    def remove_key(self, key: str) -> None:
        assert not [one for one, _ in self.values if one.startswith(f"{key}\\")]
        self.values = {pair: value for pair, value in self.values.items() if pair[0] != key}


RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
WINDOWS = Launcher([r"C:\Program Files\Intaglio\python.exe", "-m", "intaglio"])


def test_windows_gets_a_value_under_run_and_a_class_for_links() -> None:
    registry = FakeRegistry()
    windows: Autostart = WindowsAutostart(registry, WINDOWS)
    windows.switch(on=True)
    told = r'"C:\Program Files\Intaglio\pythonw.exe" -m intaglio tray'
    assert registry.values[RUN, "Intaglio"] == f"{told} --login"
    command = r"Software\Classes\intaglio\shell\open\command"
    assert registry.values[command, ""] == f'{told} -- "%1"'
    assert registry.values[r"Software\Classes\intaglio", "URL Protocol"] == ""
    assert windows.is_on()
    assert len(windows.entries()) == 2
    assert not windows.is_stale()
    assert WindowsAutostart(registry, Launcher(["D:\\python.exe"])).is_stale()
    windows.switch(on=False)
    assert registry.values == {}
    assert windows.entries() == ()


def test_what_the_task_manager_switched_off_is_off_until_switched_on_again() -> None:
    registry = FakeRegistry()
    windows = WindowsAutostart(registry, WINDOWS)
    windows.switch(on=True)
    registry.values[APPROVED, "Intaglio"] = bytes([3, 0, 0])
    assert not windows.is_on()
    windows.switch(on=True)
    assert windows.is_on()


def test_windows_opens_no_console() -> None:
    assert run_value(WINDOWS).startswith(r'"C:\Program Files\Intaglio\pythonw.exe"')
    assert run_value(Launcher(["C:\\intaglio.exe"])) == "C:\\intagliow.exe tray"
    assert link_value(Launcher(["/usr/bin/intaglio"])).startswith("/usr/bin/intaglio tray")
