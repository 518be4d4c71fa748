"""`intaglio recall`: search memories by a question."""

import re
from collections.abc import Sequence

import click

from intaglio.cli.connection import daemon_client
from intaglio.cli.options import as_of_option, memory_type_option, project_of, project_options
from intaglio.cli.output import (
    INDENT,
    local_date,
    paragraph,
    print_json,
    project_names,
    short_ids,
    styled_id,
)
from intaglio.domain.memory_types import shown_type
from intaglio.fence.characters import visible
from intaglio.wire.memory import (
    RecallExplain,
    RecallRequest,
    RecallResult,
    ResultExplain,
    ResultTranscript,
    StatusFilter,
)


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 200))
@project_options("Search this project and what applies to all projects: a path or a name.")
@memory_type_option("Only memories of this type.")
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    help="Least match; 0 also lists what doesn't answer the question.",
)
@click.option(
    "--status",
    type=click.Choice(["current", "replaced", "disputed", "all"]),
    help="Also search what was replaced or is disputed; by default what holds.",
)
@as_of_option
@click.option("--explain", is_flag=True, help="Show why each memory was found.")
@click.option("--expand", is_flag=True, help="Show what was said around each memory.")
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's reply as JSON.")
def recall(  # noqa: PLR0913 - one for each option
    *,
    question: tuple[str, ...],
    limit: int,
    project: str | None,
    here: bool,
    kind: str | None,
    min_score: float | None,
    status: StatusFilter | None,
    as_of: str | None,
    explain: bool,
    expand: bool,
    as_json: bool,
) -> None:
    """Search memories for QUESTION, best match first."""
    request = RecallRequest(
        query=" ".join(question),
        limit=limit,
        project=project_of(project, here=here),
        type=kind,
        min_score=min_score,
        memory_status=status,
        as_of=as_of,
        explain=explain,
        expand=expand,
    )
    with daemon_client() as client:
        reply = client.recall(request)
    if as_json:
        print_json(reply)
        return
    if not reply.results:
        click.echo(nothing_found(reply.weaker))
    ids = short_ids([result.id for result in reply.results])
    projects = project_names(result.project for result in reply.results)
    for result in reply.results:
        click.echo(
            f"{styled_id(ids[result.id])}  {visible(shown_type(result.type))}  "
            f"{projects[result.project]}  "
            f"{local_date(result.created_at)}  {result.score:.2f}{_standing(result)}"
        )
        click.echo(paragraph(result.content))
        if result.explain is not None:
            click.echo(f"{INDENT}Why: {why_found(result.explain, request.query)}")
        for line in what_was_said(result.transcript) if result.transcript is not None else ():
            click.echo(line)
    if reply.keywords_only:
        click.echo(f"Found by keywords only. {visible(reply.keywords_only)}")
    for line in how_searched(reply.explain, request.query) if reply.explain is not None else ():
        click.echo(line)


def what_was_said(transcript: ResultTranscript) -> list[str]:
    """Return the lines of a conversation; an asterisk marks what the memory comes from."""
    return [
        f"{INDENT}{'*' if each.is_source else ' '} "
        f"{'You' if each.role == 'user' else 'Agent'}: {visible(each.text)}"
        for each in transcript.messages
    ]


def _standing(result: RecallResult) -> str:
    if result.status != "current":
        return f"  ({result.status})"
    return "  (unsettled: an older memory says otherwise)" if result.is_unsettled else ""


def nothing_found(weaker: int) -> str:
    """Say that no memory answers a question, and how to list the ``weaker`` ones."""
    if weaker == 0:
        return "No memories found."
    number = "One weaker match was" if weaker == 1 else f"{weaker} weaker matches were"
    return f"No memory answers this. {number} left out; --min-score 0 lists them."


def why_found(found: ResultExplain, question: str) -> str:
    """Say in a line by what a memory was found: words of the question, meaning, conversation."""
    reasons: list[str] = []
    if found.matched:
        words = ", ".join(as_asked(found.matched, question))
        reasons.append(f"contains {words} ({found.coverage:.0%} of the question)")
    reasons += found.reasons
    if found.meaning is None and found.cosine is not None:
        reasons.append(f"semantic similarity {found.cosine:.2f}")
    if not found.answers:
        reasons.append("a weaker match")
    return "; ".join(reasons) or "no word of the question matches"


def how_searched(search: RecallExplain, question: str) -> list[str]:
    """Say which words were searched for and which were left out; no line for nothing."""
    lines: list[str] = []
    if search.terms:
        lines.append(f"Searched for: {', '.join(as_asked(search.terms, question))}")
    left_out = as_asked([word for word in search.dropped if word.strip()], question)
    if left_out:
        lines.append(f"Left out: {', '.join(left_out)}")
    if search.timed_out:
        lines.append("The search was cut short: it took too long.")
    return lines


def as_asked(stems: Sequence[str], question: str) -> list[str]:
    """Return the words of the question whose stems these are; a stem that has none is kept."""
    words = re.findall(r"\w+", question.lower())
    # The index cuts endings off and may write the last letter in another way: deploi, deploy.
    return [
        next((word for word in words if word.startswith(stem[: max(2, len(stem) - 1)])), stem)
        for stem in stems
    ]
