"""`intaglio show`: one memory in full, where it comes from and how it changed."""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

import click
import msgspec

from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client
from intaglio.cli.memories.lookup import find_memory
from intaglio.cli.output import ANY_PROJECT, local_time, paragraph, print_json, short_ids, styled_id
from intaglio.domain.memory_types import shown_type
from intaglio.domain.reader import shown_visibility
from intaglio.fence.characters import visible
from intaglio.projects.names import display_name, is_path
from intaglio.wire.inbox import InboxEvidence
from intaglio.wire.memory import HistoryEvent, HistoryReply, MemoryRow

_Value: TypeAlias = bool | float | str | list[str] | None
_LABEL: Final = 12
_NAMED: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {"type": shown_type, "visibility": shown_visibility}
)
_EVENTS: Final = {
    "created": "created",
    "updated": "edited",
    "modified": "edited",
    "deleted": "forgotten",
    "recovered": "restored",
    "replaced": "replaced",
    "reinstated": "used again",
    "none": "read",
}


class _Shown(msgspec.Struct, kw_only=True):
    memory: MemoryRow
    evidence: list[InboxEvidence]
    history: list[HistoryEvent]


@click.command()
@click.argument("id_", metavar="ID")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the memory, its evidence and its history as JSON.",
)
def show(*, id_: str, as_json: bool) -> None:
    """Show a memory, where it comes from, what you said and its history.

    ID is a memory's ID, or its start or end.
    """
    with daemon_client() as client:
        memory = find_memory(client, id_, "any")
        evidence = client.evidence(memory.id).items
        history = client.history(memory.id)
    if as_json:
        shown = _Shown(memory=memory, evidence=evidence, history=history.history)
        print_json(shown)
        return
    click.echo(paragraph(memory.content, indent=""))
    click.echo()
    for label, value in details_of(memory):
        click.echo(f"{label:<{_LABEL}}{value}")
    for line in (*evidence_lines(evidence), *history_lines(history)):
        click.echo(visible(line))


def details_of(memory: MemoryRow) -> Iterator[tuple[str, str]]:
    """Yield what is known of a memory beside its text; what it does not have is left out."""
    yield "ID", styled_id(memory.id)
    for label, value in _values(memory):
        yield label, visible(value)


def _values(memory: MemoryRow) -> Iterator[tuple[str, str]]:
    if memory.is_deleted:
        restore = command(f"restore {short_ids([memory.id])[memory.id]}")
        yield "Forgotten", f"{local_time(memory.deleted_at)}; restore it with `{restore}`"
    yield from _standing(memory)
    yield "Type", shown_type(memory.type, always_told=memory.basis is not None)
    yield "Project", _project(memory.project)
    if memory.tags:
        yield "Tags", memory.tags.replace(",", ", ")
    yield "Pinned", "yes" if memory.pinned else "no"
    yield "Importance", f"{memory.importance:.2f} ({memory.effective_importance:.2f} now)"
    yield "Agent", memory.agent_id
    yield "Visibility", shown_visibility(memory.visibility)
    if memory.source_type == "agent":
        yield "Saved by", _saved_by(memory.who)
    yield "Author", memory.who
    if memory.why:
        yield "Reason", memory.why
    yield "Source", " ".join(filter(None, (memory.source_type, memory.source_id)))
    if memory.source_path:
        yield "File", memory.source_path
    if memory.session_id:
        yield "Session", memory.session_id
    yield "Created", local_time(memory.created_at)
    if memory.version > 1:
        yield (
            "Updated",
            f"{local_time(memory.updated_at)} by {memory.updated_by} (version {memory.version})",
        )
    if memory.access_count:
        times = "once" if memory.access_count == 1 else f"{memory.access_count} times"
        yield "Used", f"{times}, last on {local_time(memory.last_accessed)}"


def _standing(memory: MemoryRow) -> Iterator[tuple[str, str]]:
    """Say whether a memory holds; nothing of one that does."""
    if memory.status == "replaced":
        by = f" by {memory.superseded_by}" if memory.superseded_by else ""
        again = command(f"reinstate {short_ids([memory.id])[memory.id]}")
        what = "Replaced" if by else "Outdated"
        yield what, f"{local_time(memory.valid_until)}{by}; use it again with `{again}`"
    elif memory.status == "disputed":
        yield "Disputed", f"a newer memory says otherwise; decide in `{command('inbox')}`"
    elif memory.is_unsettled:
        yield "Unsettled", f"an older memory says otherwise; decide in `{command('inbox')}`"


def _saved_by(who: str) -> str:
    """Say who decided to save what an agent stored or claimed."""
    return "you: an agent claimed it" if who == "user" else f"the agent ({who})"


def _project(key: str | None) -> str:
    if key is None:
        return ANY_PROJECT
    return f"{display_name(key)} ({key})" if is_path(key) else key


def evidence_lines(evidence: Sequence[InboxEvidence]) -> Iterator[str]:
    """Write what the user said that a memory is based on, oldest first."""
    if not evidence:
        return
    yield ""
    yield "Said"
    for said in evidence:
        where = f"{said.harness} session {said.session_id}"
        yield f"  {local_time(said.said_at)}  {where}" if said.said_at else f"  {where}"
        yield paragraph(said.sentence, " " * 20)


def history_lines(reply: HistoryReply) -> Iterator[str]:
    """Write a memory's changes, oldest first, with what was replaced by what."""
    if not reply.history:
        return
    yield ""
    yield "History"
    for event in reply.history:
        reason = f": {event.reason}" if event.reason else ""
        what = _EVENTS.get(event.event, event.event)
        yield f"  {local_time(event.created_at)}  {what} by {event.changed_by}{reason}"
        if event.event in {"updated", "modified"}:
            yield from _differences(event)


def _differences(event: HistoryEvent) -> Iterator[str]:
    if event.old_content is not None and event.new_content is not None:
        yield paragraph(f"- {event.old_content}", " " * 20)
        yield paragraph(f"+ {event.new_content}", " " * 20)
    for name, change in (event.metadata or {}).items():
        with contextlib.suppress(msgspec.ValidationError):
            before, after = msgspec.convert(change, tuple[_Value, _Value])
            yield f"{'':<20}{name}: {_written(name, before)} → {_written(name, after)}"


def _written(name: str, value: _Value) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(value) or "none"
        case None | "":
            return ANY_PROJECT if name == "project" else "none"
        case str():
            return _NAMED.get(name, str)(value)
        case _:
            return str(value)
