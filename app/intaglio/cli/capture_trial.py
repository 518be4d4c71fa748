"""`intaglio capture try`: what capture would make of a text, and what a session would be told."""

from collections.abc import Iterator

import click

from intaglio.cli.connection import daemon_client
from intaglio.cli.output import INDENT, print_json
from intaglio.wire.capture import CaptureTrialReply, CaptureTrialRequest, TriedStatementRow


@click.command("try")
@click.argument("text")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def try_text(*, text: str, as_json: bool) -> None:
    """Say whether capture would keep TEXT, and what a session would be told.

    TEXT is judged as if you had written it to an agent. Nothing is stored.
    """
    with daemon_client() as client:
        request = CaptureTrialRequest(text=text)
        found = client.send("POST", "/api/capture/try", CaptureTrialReply, body=request, owner=True)
    if as_json:
        print_json(found)
        return
    for line in trial_lines(found):
        click.echo(line)


def trial_lines(found: CaptureTrialReply) -> Iterator[str]:
    """Yield what is said about a text that was tried."""
    if not found.statements:
        yield "Nothing of it would be kept: it states nothing that matters later."
    for each in found.statements:
        yield each.content
        yield f"{INDENT}{_outcome(each)}"
    if found.told:
        yield ""
        yield "The next session of the project would be told:"
        for line in found.told.splitlines():
            yield f"{INDENT}{line}"


def _outcome(statement: TriedStatementRow) -> str:
    match statement.outcome:
        case "kept":
            where = "all projects" if statement.everywhere else "the project of the session"
            return f"Would be kept as a {statement.type} for {where}."
        case "suggested":
            return "Would wait in your inbox: Intaglio isn't sure enough to keep it without asking."
        case "considered":
            return "Would not be kept."
