"""A connect that waits for its user while a daemon starts for the first time."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from intaglio.base.installation import read_installation, save_port
from intaglio.base.paths import find_paths
from intaglio.cli import connect


def test_the_hooks_get_the_port_that_was_chosen_while_the_user_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, folder in (("HOME", ""), ("INTAGLIO_WORKSPACE", "w"), ("INTAGLIO_STATE_DIR", "s")):
        monkeypatch.setenv(name, str(tmp_path / folder))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    paths = find_paths()

    def start_meanwhile(*_: object, **__: object) -> bool:
        install = read_installation(paths)
        assert install is not None
        save_port(paths, install, 4711)
        return True

    monkeypatch.setattr(click, "confirm", start_meanwhile)
    done = CliRunner().invoke(connect.connect, ["claude-code"])
    assert done.exit_code == 0, done.output
    assert "http://127.0.0.1:4711/" in (paths.hooks / "claude-code.curl").read_text()
