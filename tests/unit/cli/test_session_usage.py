"""Options of `sessions` and `preview` that would be ignored are refused, before any request."""

import click
import pytest
from click.testing import CliRunner

from intaglio.cli.preview import preview
from intaglio.cli.sessions.commands import sessions


@pytest.mark.parametrize(
    ("command", "args", "said"),
    [
        (sessions, ["--left-out"], "--left-out needs the ID of a session."),
        (sessions, ["--checkpoints"], "--checkpoints needs the ID of a session."),
        (sessions, ["--off"], "--off needs the ID of a session."),
        (sessions, ["--on"], "--on needs the ID of a session."),
        (sessions, ["1", "--limit", "30"], "Use ID or --limit, not both."),
        (sessions, ["1", "--agent", "alpha"], "Use ID or filters, not both."),
        (sessions, ["1/forget"], "'1/forget' isn't a session's ID"),
        (sessions, ["../x"], "'../x' isn't a session's ID"),
        (sessions, ["\u0661"], "isn't a session's ID"),
        (sessions, ["--agent", "a b"], "'a b' isn't an agent id."),
        (sessions, ["--project="], "--project needs a path or a name."),
        (preview, ["--text", "--json"], "Use --text or --json, not both."),
        (preview, ["--text", "--left-out"], "Use --text or --left-out, not both."),
        (preview, ["--set", "x"], "'x' isn't KEY=VALUE."),
        (preview, ["--set", "=5"], "'=5' isn't KEY=VALUE."),
        (preview, ["--set", "a=5", "--left-out"], "Use --set or --left-out, not both."),
        (preview, ["--project="], "--project needs a path or a name."),
        (preview, ["--agent", ".."], "'..' isn't an agent id."),
        (preview, ["--agent="], "'' isn't an agent id."),
    ],
)
def test_options_without_effect_are_refused(
    command: click.Command, args: list[str], said: str
) -> None:
    done = CliRunner().invoke(command, args)
    assert done.exit_code == 2
    assert said in done.output
