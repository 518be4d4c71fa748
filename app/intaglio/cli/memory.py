"""`intaglio remember` and `intaglio recall`."""

import os
import sys

import click

from intaglio.cli.reach import daemon_client
from intaglio.wire.memory import RecallRequest, RememberRequest


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--type", "kind", help="fact, preference, decision, rule, learning, issue, …")
@click.option("--tags", help="Tags, separated by commas.")
@click.option("--project", help="A directory or a name; the present directory with --here.")
@click.option("--here", is_flag=True, help="Keep it for the project of the present directory.")
@click.option("--pin", is_flag=True, help="Always give it to sessions.")
def remember(
    *,
    text: tuple[str, ...],
    kind: str | None,
    tags: str | None,
    project: str | None,
    here: bool,
    pin: bool,
) -> None:
    """Keep TEXT as a memory ("-" reads it from standard input)."""
    content = sys.stdin.read() if text == ("-",) else " ".join(text)
    request = RememberRequest(
        content=content,
        who="cli",
        type=kind,
        tags=tags,
        project=os.getcwd() if here else project,  # noqa: PTH109 - as text
        pinned=True if pin else None,
        source_type="cli",
    )
    with daemon_client() as client:
        kept = client.remember(request)
    said = "Known already" if kept.deduped else "Remembered"
    redacted = f", {kept.redacted} secrets taken out" if kept.redacted else ""
    click.echo(f"{said} ({kept.type}{redacted}): {kept.content}")
    click.echo(kept.id)


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 200))
@click.option("--project", help="That project's memories and the global ones.")
@click.option("--here", is_flag=True, help="The project of the present directory.")
@click.option("--type", "kind", help="Only memories of this type.")
@click.option("--explain", is_flag=True, help="Say why each one was found.")
def recall(
    *,
    question: tuple[str, ...],
    limit: int,
    project: str | None,
    here: bool,
    kind: str | None,
    explain: bool,
) -> None:
    """Ask QUESTION and show the memories that answer, best first."""
    request = RecallRequest(
        query=" ".join(question),
        limit=limit,
        project=os.getcwd() if here else project,  # noqa: PTH109 - as text
        type=kind,
        explain=explain,
    )
    with daemon_client() as client:
        reply = client.recall(request)
    if not reply.results:
        click.echo("Nothing found.")
    for result in reply.results:
        click.echo(f"{result.score:.2f}  {result.type:<10} {result.content}")
        if result.explain is not None:
            click.echo(
                f"      {result.explain.coverage:.0%} of the question: "
                f"{', '.join(result.explain.matched)}"
            )
    if reply.explain is not None and reply.explain.dropped:
        click.echo(f"Not searched: {', '.join(reply.explain.dropped)}")
