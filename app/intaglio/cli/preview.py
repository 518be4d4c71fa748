"""`intaglio preview`: what the next session of a project would be told."""

import sys
from collections.abc import Callable, Mapping, Sequence

import click
import msgspec

from intaglio.cli.connection import daemon_client
from intaglio.cli.options import AliasedOption, agent_option, project_of, refuse_empty_project
from intaglio.cli.output import (
    INDENT,
    joined,
    local_date,
    paragraph,
    print_json,
    project_names,
    short_ids,
    styled_id,
)
from intaglio.cli.preview_difference import difference_lines, setting_value
from intaglio.domain.context_groups import HEADINGS, ContextGroup
from intaglio.domain.memory_types import shown_type
from intaglio.domain.short_hash import SHORT_HASH
from intaglio.fence.characters import visible
from intaglio.wire.sessions import (
    ContextPreview,
    PreviewCommit,
    PreviewLine,
    PreviewReply,
    PreviewRequest,
    PreviewSession,
)
from intaglio.wire.settings import SettingValue


@click.command()
@click.argument("prompt", nargs=-1)
@click.option(
    "--project",
    metavar="PROJECT",
    help="The session's project: a path or a name. Without it, this directory's.",
)
@click.option(
    "--no-project",
    cls=AliasedOption,
    aliases=("--global",),
    is_flag=True,
    help="A session without a project.",
)
@agent_option("The agent id that the session belongs to.")
@click.option("--harness", metavar="HARNESS", help="The harness that runs it.")
@click.option(
    "--set",
    "given",
    metavar="KEY=VALUE",
    multiple=True,
    help="Use this value of a setting, and mark what it would change. May be repeated.",
)
@click.option("--left-out", is_flag=True, help="Also show what would be left out, and why.")
@click.option("--text", "only_text", is_flag=True, help="Print exactly the text that is sent.")
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's reply as JSON.")
def preview(  # noqa: PLR0913 - one for each option
    *,
    prompt: tuple[str, ...],
    project: str | None,
    no_project: bool,
    agent: str | None,
    harness: str | None,
    given: tuple[str, ...],
    left_out: bool,
    only_text: bool,
    as_json: bool,
) -> None:
    """Show what the next session would be told, line by line with why.

    With PROMPT, also what would be added when that prompt is sent: from which past sessions and
    commits, their scores, and single memories. Nothing is written.

    With --set, such as --set hooks.userPromptSubmit.recallLimit=2, what is told with these values:
    + comes in, - falls out. The value `default` is the setting's default.
    """
    if no_project and project is not None:
        raise click.UsageError("Use --project or --no-project, not both.")
    if only_text and as_json:
        raise click.UsageError("Use --text or --json, not both.")
    if only_text and left_out:
        raise click.UsageError("Use --text or --left-out, not both.")
    if given and left_out:
        raise click.UsageError("Use --set or --left-out, not both.")
    settings = dict(_setting(each) for each in given)
    refuse_empty_project(project)
    here = project is None and not no_project
    wanted = PreviewRequest(
        project=project_of(project, here=here),
        agent_id=agent,
        harness=harness,
        prompt=" ".join(prompt) or None,
        settings=settings,
    )
    with daemon_client() as client:
        reply = client.preview(wanted)
        is_compared = bool(settings) and not as_json and not only_text
        now = client.preview(msgspec.structs.replace(wanted, settings={})) if is_compared else reply
        has_content = is_known(reply, lambda key: client.project(key).memories)
    if as_json:
        print_json(reply)
    elif only_text:
        found = (reply.start, *([reply.prompt] if reply.prompt else ()))
        sys.stdout.write("".join(f"{each.text}\n" for each in found if each.text))
    else:
        lines = (
            difference_lines(now, reply, settings)
            if is_compared
            else preview_lines(reply, left_out=left_out)
        )
        for line in lines:
            click.echo(line)
        if not has_content:
            name = visible(reply.project or "")
            click.echo(f"Nothing is known about {name} yet.", err=True)


def _setting(text: str) -> tuple[str, SettingValue | None]:
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise click.UsageError(f"{text!r} isn't KEY=VALUE.")
    return key.strip(), setting_value(value.strip())


def is_known(reply: PreviewReply, count_memories: Callable[[str], int]) -> bool:
    """Tell whether the project has anything to tell; a session without a project needs nothing."""
    lines = (*reply.start.lines, *reply.start.left_out)
    prompt = (*reply.prompt.sessions, *reply.prompt.commits) if reply.prompt else ()
    told = (*reply.start.sessions, *prompt)
    if reply.project is None or reply.moved_from or told or any(line.project for line in lines):
        return True
    return count_memories(reply.project) > 0


def preview_lines(reply: PreviewReply, *, left_out: bool) -> list[str]:
    """Return what is told, and with ``left_out`` also what isn't and why."""
    where = _place(reply.project)
    ids = _ids(reply)
    lines = [
        f"The next {visible(reply.harness_label)} session {where} starts with {_size(reply.start)}."
    ]
    if reply.moved_from is not None:
        lines.append(
            f"The project has moved from {visible(reply.moved_from)}: its memories come along as "
            "that session starts."
        )
    lines += _of(reply.start, ids, left_out=left_out)
    if reply.prompt is not None:
        lines += ["", f"The prompt adds {_size(reply.prompt)}."]
        lines += _of(reply.prompt, ids, left_out=left_out)
    return lines


def _place(project: str | None) -> str:
    return "without a project" if project is None else f"in {project_names([project])[project]}"


def _ids(reply: PreviewReply) -> Mapping[str, str]:
    found = [reply.start, *([reply.prompt] if reply.prompt else ())]
    return short_ids({line.memory_id for each in found for line in (*each.lines, *each.left_out)})


def _size(found: ContextPreview) -> str:
    sessions = sum(each.shown for each in found.sessions)
    parts = [_counted(sessions, "past session", "past sessions")] if sessions else []
    if commits := sum(each.shown for each in found.commits):
        parts.append(_counted(commits, "commit", "commits"))
    if found.lines:
        parts.append(_counted(len(found.lines), "memory", "memories"))
    if not parts:
        return "no memories"
    return f"{joined(parts)} ({found.tokens:,} of at most {found.budget:,} tokens)"


def _counted(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _of(found: ContextPreview, ids: Mapping[str, str], *, left_out: bool) -> list[str]:
    told = [each for each in found.sessions if each.shown]
    others = [each for each in found.sessions if not each.shown]
    commits = [each for each in found.commits if not each.shown]
    left = len(found.left_out) + len(others) + len(commits)
    lines = [*_compared(told), *_commits([each for each in found.commits if each.shown])]
    lines += _below_headings(found.lines, ids)
    if found.held_back:
        what = "memory is" if found.held_back == 1 else "memories are"
        lines += [
            "",
            f"{found.held_back} more {what} always told, with a prompt about the subject.",
        ]
    if left and left_out:
        lines += ["", f"Left out: {left}", *_compared(others), *_commits(commits)]
        lines += _told(found.left_out, ids)
    elif left:
        lines.append(f"{left} left out. Use --left-out to see why.")
    return lines


def _matched(session: PreviewSession) -> str:
    """Return how well a session matches; one that is told for another's sake need not."""
    if not session.score:
        return ""
    return f"score {session.score:.2f}, needs {session.floor:.2f}. "


def _compared(sessions: Sequence[PreviewSession]) -> list[str]:
    """Return past sessions that the prompt was compared with, and what is told of each."""
    texts: list[str] = []
    for each in sessions:
        name = "Session" if each.id == "0" else f"Session {each.id}"
        texts += [
            "",
            click.style(f"{name}, {local_date(each.at)}: {visible(each.title)}", bold=True),
            f"{_matched(each)}{visible(each.reason)}",
        ]
        texts += [paragraph(f"{line.speaker}: {line.text}", INDENT) for line in each.lines]
    return texts


def _commits(commits: Sequence[PreviewCommit]) -> list[str]:
    """Return commits that the prompt was compared with, and what is told of each."""
    texts: list[str] = []
    for each in commits:
        head = f"Commit {each.hash[:SHORT_HASH]}, {local_date(each.at)}: {visible(each.subject)}"
        score = f"score {each.score:.2f}, needs {each.floor:.2f}. "
        texts += ["", click.style(head, bold=True), f"{score}{visible(each.reason)}"]
        texts += [paragraph(each.line, INDENT)] if each.line else []
    return texts


def _told(lines: Sequence[PreviewLine], ids: Mapping[str, str]) -> list[str]:
    return [
        text
        for line in lines
        for text in (
            f"{styled_id(ids[line.memory_id])}  {visible(_why(line))}",
            paragraph(line.content, INDENT),
        )
    ]


def _below_headings(lines: Sequence[PreviewLine], ids: Mapping[str, str]) -> list[str]:
    """Return the lines that are told, in their order, below the headings of the sent text."""
    texts: list[str] = []
    last: ContextGroup | None = None
    for line in lines:
        if line.group is not None and line.group != last:
            last = line.group
            texts += ["", click.style(HEADINGS[last], bold=True)]
        texts += _told((line,), ids)
    return texts


def _why(line: PreviewLine) -> str:
    """Return what the memory is, and why it is told or left out."""
    return f"{shown_type(line.type, always_told=line.basis is not None)}: {line.reason}"
