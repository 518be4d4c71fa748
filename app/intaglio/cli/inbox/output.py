"""How inbox items are shown in a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from intaglio.cli.output import (
    ANY_PROJECT,
    INDENT,
    cell,
    clipped,
    column,
    line_width,
    local_date,
    local_time,
    paragraph,
    project_names,
    short_ids,
    styled_id,
)
from intaglio.domain.memory_types import shown_type
from intaglio.fence.characters import visible
from intaglio.wire.inbox import InboxKindRow, InboxRow

_GAP: Final = "  "
_DATE_CHARS: Final = 10
_LABEL: Final = 12
_CLAIM: Final = "agent's claim"
_FILE: Final = "file"
"""Stands in place of a harness where a file says it."""

_CLOSED: Final = {
    "said_again": "kept, said again",
    "withdrawn": "taken back by you",
    "obsolete": "no longer applies",
    "expired": "expired",
    "memory_gone": "a memory of it is forgotten",
    "memory_changed": "the memory was changed",
}


def item_lines(items: Sequence[InboxRow], known: Sequence[InboxKindRow]) -> Iterator[str]:
    """Write each item in one line: id, kind, type, project, day and as much text as fits."""
    ids = short_ids([item.id for item in items])
    kinds = [
        shown_kind(item)
        if not _is_claim(item, known)
        else "in a file"
        if _is_read(item)
        else _CLAIM
        for item in items
    ]
    projects = project_names(item.project for item in items)
    widths = (
        max(map(len, ids.values()), default=0),
        column(kinds),
        column(shown_type(item.type) for item in items),
        column(projects.values() if items else ()),
    )
    width = line_width(sum(widths) + _DATE_CHARS + 5 * len(_GAP))
    for item, kind in zip(items, kinds, strict=True):
        text = " ".join(visible(item.content).split())
        yield _GAP.join(
            (
                styled_id(f"{ids[item.id]:<{widths[0]}}"),
                cell(kind, widths[1]),
                cell(shown_type(item.type), widths[2]),
                cell(projects[item.project], widths[3]),
                local_date(_said_at(item)),
                text if width is None else clipped(text, width),
            )
        )


def _said_at(item: InboxRow) -> str:
    """Return when a suggestion was last said, which is long ago for an imported one."""
    said = [each.said_at for each in item.evidence if each.said_at]
    return max(said) if said and item.kind == "suggestion" else item.created


def item_text(item: InboxRow, known: Sequence[InboxKindRow]) -> Iterator[str]:
    """Write an item in full: the proposal, what is known of it, and who said so in which words."""
    yield paragraph(item.content, indent="")
    yield ""
    yield f"{'ID':<{_LABEL}}{styled_id(item.id)}"
    for label, value in (*_details(item, known), *_wanted(item)):
        yield f"{label:<{_LABEL}}{visible(value)}"
    kind = _kind(item, known)
    ages = kind.memories if kind else []
    for number, memory in enumerate(item.memories):
        age = ages[number] if number < len(ages) else "Memory"
        gone = ", forgotten" if memory.forgotten else ""
        yield ""
        yield f"{age} {styled_id(memory.id)} ({local_date(memory.created)}{gone})"
        yield paragraph(memory.content)
    for entity in item.entities:
        yield ""
        memories = "1 memory" if entity.mentions == 1 else f"{entity.mentions:,} memories"
        yield f"{visible(entity.name)} ({entity.entity_type}, in {memories})"
        for sample in entity.samples:
            yield paragraph(sample)
    for evidence in item.evidence:
        yield ""
        harness = None if evidence.harness == _FILE else evidence.harness
        session = f"session {evidence.session_id}" if evidence.session_id else None
        place = " ".join(filter(None, (local_time(evidence.said_at), harness)))
        about = ", ".join(filter(None, (place, session)))
        heading = (
            "The agent's reason"
            if item.change
            else "In the file"
            if evidence.harness == _FILE
            else "The agent's words"
            if evidence.by == "agent"
            else "You said"
        )
        yield visible(f"{heading} ({about}):" if about else f"{heading}:")
        yield paragraph(evidence.sentence, INDENT)


def shown_kind(item: InboxRow) -> str:
    """Return the kind of an item in words."""
    return item.kind.replace("_", " ")


def _wanted(item: InboxRow) -> Iterator[tuple[str, str]]:
    """Write what an agent proposes of a memory."""
    change = item.change
    if change is None:
        return
    if change.forget:
        yield "Proposal", "forget it"
    if change.content is not None:
        yield "New text", change.content
    if change.type is not None:
        yield "New type", shown_type(change.type)
    if change.importance is not None:
        yield "Importance", f"{change.importance:g}"
    if change.tags is not None:
        yield "New tags", ", ".join(change.tags) or "none"


def _kind(item: InboxRow, known: Sequence[InboxKindRow]) -> InboxKindRow | None:
    return next((kind for kind in known if kind.kind == item.kind), None)


def _is_read(item: InboxRow) -> bool:
    """Whether a file says it, and not an agent in a session."""
    return any(each.harness == _FILE for each in item.evidence)


def _is_claim(item: InboxRow, known: Sequence[InboxKindRow]) -> bool:
    kind = _kind(item, known)
    return kind is not None and kind.claimable and item.origin == "agent"


def _details(item: InboxRow, known: Sequence[InboxKindRow]) -> Iterator[tuple[str, str]]:
    kind, is_claim = _kind(item, known), _is_claim(item, known)
    name = shown_kind(item)
    origin = "read in a file" if _is_read(item) else "claimed by the agent"
    yield "Kind", f"{name}, {origin}" if is_claim else name
    yield "Type", shown_type(item.type)
    yield "Project", item.project or ANY_PROJECT
    yield "Agent", item.agent
    # An agent's claim is never saved without asking, however sure it is.
    if kind is not None and kind.confidence is not None and not is_claim:
        yield kind.confidence, f"{item.confidence:.2f}"
    yield "Created", local_time(item.created)
    if item.expires:
        yield "Expires", local_time(item.expires)
    if item.decided:
        outcomes = {each.action: each.outcome for each in kind.actions} if kind else {}
        action = (_CLOSED | outcomes).get(item.action or "", "closed")
        yield "Decided", f"{local_time(item.decided)}: {action}"
    if item.memory_id:
        yield "Memory", item.memory_id
