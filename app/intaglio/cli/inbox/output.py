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
from intaglio.fence.characters import visible
from intaglio.wire.inbox import InboxRow

_GAP: Final = "  "
_DATE_CHARS: Final = 10
_LABEL: Final = 12
_CLAIM: Final = "agent's claim"
_ACTIONS: Final = {
    "keep": "kept",
    "drop": "dropped",
    "keep_both": "both kept",
    "newer_wins": "newer one kept",
    "older_wins": "older one kept",
    "merge": "merged",
    "keep_apart": "kept apart",
    "all_projects": "for all projects",
    "this_project": "this project only",
    "apply": "applied",
    "reject": "left as it is",
    "keep_changes": "changes kept",
    "undo_changes": "changes undone",
    "said_again": "kept, said again",
    "withdrawn": "taken back by you",
    "expired": "expired",
    "memory_gone": "a memory of it is forgotten",
    "memory_changed": "the memory was changed",
}


def item_lines(items: Sequence[InboxRow]) -> Iterator[str]:
    """Write each item in one line: id, kind, type, project, day and as much text as fits."""
    ids = short_ids([item.id for item in items])
    kinds = [_CLAIM if _is_claim(item) else shown_kind(item) for item in items]
    projects = project_names(item.project for item in items)
    widths = (
        max(map(len, ids.values()), default=0),
        column(kinds),
        column(item.type for item in items),
        column(projects.values() if items else ()),
    )
    width = line_width(sum(widths) + _DATE_CHARS + 5 * len(_GAP))
    for item, kind in zip(items, kinds, strict=True):
        text = " ".join(visible(item.content).split())
        yield _GAP.join(
            (
                styled_id(f"{ids[item.id]:<{widths[0]}}"),
                cell(kind, widths[1]),
                cell(item.type, widths[2]),
                cell(projects[item.project], widths[3]),
                local_date(item.created),
                text if width is None else clipped(text, width),
            )
        )


def item_text(item: InboxRow) -> Iterator[str]:
    """Write an item in full: the proposal, what is known of it, and who said so in which words."""
    yield paragraph(item.content, indent="")
    yield ""
    yield f"{'ID':<{_LABEL}}{styled_id(item.id)}"
    for label, value in (*_details(item), *_wanted(item)):
        yield f"{label:<{_LABEL}}{visible(value)}"
    for number, memory in enumerate(item.memories):
        age = "Memory"
        if item.kind == "contradiction":
            age = "Newer memory" if number else "Older memory"
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
        place = " ".join(filter(None, (local_time(evidence.said_at), evidence.harness)))
        session = f", session {evidence.session_id}" if evidence.session_id else ""
        heading = (
            "The agent's reason"
            if item.change
            else "The agent's words"
            if evidence.by == "agent"
            else "You said"
        )
        yield visible(f"{heading} ({place}{session}):")
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
        yield "New type", change.type
    if change.importance is not None:
        yield "Importance", f"{change.importance:g}"
    if change.tags is not None:
        yield "New tags", ", ".join(change.tags) or "none"


def _is_claim(item: InboxRow) -> bool:
    return item.kind == "suggestion" and item.origin == "agent"


def _details(item: InboxRow) -> Iterator[tuple[str, str]]:
    kind = shown_kind(item)
    yield "Kind", f"{kind}, claimed by the agent" if _is_claim(item) else kind
    yield "Type", item.type
    yield "Project", item.project or ANY_PROJECT
    yield "Agent", item.agent
    # An agent's claim is never saved without asking, however sure it is.
    if not _is_claim(item) and item.change is None and item.kind != "agent_changes":
        label = "Similarity" if item.kind == "possible_merge" else "Confidence"
        yield label, f"{item.confidence:.2f}"
    yield "Created", local_time(item.created)
    if item.expires:
        yield "Expires", local_time(item.expires)
    if item.decided:
        # What drops the newer memory keeps the older one.
        is_older = item.kind == "contradiction" and item.action == "drop"
        action = _ACTIONS.get("older_wins" if is_older else item.action or "", "closed")
        yield "Decided", f"{local_time(item.decided)}: {action}"
    if item.memory_id:
        yield "Memory", item.memory_id
