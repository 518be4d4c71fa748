"""Connecting OpenCode writes one file of ours, wherever its configuration lies."""

from pathlib import Path

import pytest

from fakes.connect_home import make_home
from intaglio.connect.values import ConnectionApplied, ConnectionRefused
from intaglio.harness.opencode.connector import CONNECTOR


@pytest.mark.parametrize(
    ("env", "file"),
    [
        ({}, "/h/.config/opencode/plugins/intaglio.js"),
        ({"XDG_CONFIG_HOME": "/x"}, "/x/opencode/plugins/intaglio.js"),
        ({"OPENCODE_CONFIG_DIR": "/c", "XDG_CONFIG_HOME": "/x"}, "/c/plugins/intaglio.js"),
    ],
)
def test_the_plugin_lies_in_the_configuration_folder(env: dict[str, str], file: str) -> None:
    assert CONNECTOR.settings_file(Path("/h"), env) == Path(file)


def test_the_plugin_only_loads_the_program_in_our_own_folder(tmp_path: Path) -> None:
    user = make_home(tmp_path, CONNECTOR)
    assert isinstance(user.connect(), ConnectionApplied)
    text = user.settings.read_text()
    program = user.paths.hooks / "opencode.mjs"
    assert program.is_file()
    assert f'"{program.as_uri()}"' in text
    assert "import " not in text.replace("await import(PROGRAM)", "")
    # A new version of the program leaves the file as it is.
    program.write_text("")
    assert user.state() == "partly"
    assert user.refresh()
    assert (user.state(), user.settings.read_text()) == ("connected", text)


def test_a_plugin_of_someone_else_is_left_alone(tmp_path: Path) -> None:
    user = make_home(tmp_path, CONNECTOR)
    user.write(b"export default {};\n")
    assert isinstance(user.connect(), ConnectionRefused)
    assert user.state() != "connected"
    assert user.read() == b"export default {};\n"


def test_a_changed_plugin_is_not_deleted(tmp_path: Path) -> None:
    user = make_home(tmp_path, CONNECTOR)
    user.connect()
    user.write(b"export default {};\n")
    assert isinstance(user.disconnect(), ConnectionRefused)
    assert user.read() == b"export default {};\n"
