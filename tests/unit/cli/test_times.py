"""A time that isn't one is refused by the name of its option."""

import pytest
from click.testing import CliRunner

from intaglio.cli.main import intaglio


@pytest.mark.parametrize("command", [("list",), ("recall", "retries")])
def test_what_is_no_time_is_refused_by_the_options_name(command: tuple[str, ...]) -> None:
    done = CliRunner().invoke(intaglio, [*command, "--as-of", "yesterday"])
    assert done.exit_code == 2
    assert "Invalid value for '--as-of': 'yesterday' isn't a date or time." in done.output
