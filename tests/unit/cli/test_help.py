"""The help texts of the command line."""

import click
import pytest
from click.testing import CliRunner

from intaglio.cli.main import intaglio

GROUPS = {name: each for name, each in intaglio.commands.items() if isinstance(each, click.Group)}


@pytest.mark.parametrize("words", [(), *((name,) for name in GROUPS)])
def test_help_shows_whole_summaries(words: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(intaglio, [*words, "--help"], terminal_width=80)
    assert shown.exit_code == 0
    assert "..." not in shown.output.partition("\nOptions:")[2]
