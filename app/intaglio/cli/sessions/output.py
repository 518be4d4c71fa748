"""How sessions are shown in a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from intaglio.base.installation import command
from intaglio.cli.output import (
    INDENT,
    cell,
    clipped,
    column,
    joined,
    line_width,
    local_date,
    local_time,
    paragraph,
    project_names,
    short_ids,
    styled_id,
)
from intaglio.domain.memory_types import shown_type
from intaglio.domain.short_hash import SHORT_HASH
from intaglio.fence.characters import visible
from intaglio.wire.checkpoints import CheckpointCause, CheckpointRow
from intaglio.wire.sessions import (
    ComparedCommit,
    ComparedSession,
    InjectionLine,
    ReplacedMemory,
    SavedMemory,
    SessionClaim,
    SessionDetail,
    SessionInjection,
    SessionReminder,
    SessionRow,
    SessionStatement,
    StatementResult,
    ToldMemory,
)

_GAP: Final = "  "
_LABEL: Final = 12
_NO_PROJECT: Final = "no project"
_DEEPER: Final = INDENT * 2
_VERBS: Final = {"recall": "Read", "edit": "Edited a file: told"}
_STARTS: Final = {
    "resume": "Resumed",
    "clear": "Context cleared",
    "compact": "Context compacted",
    "fork": "Forked",
}
_NO_WORDS: Final = {
    "missing": "The transcript is gone: what you asked can't be shown.",
    "unreadable": "The transcript couldn't be read: what you asked can't be shown.",
    "none": "The agent doesn't say where its transcript is: what you asked can't be shown.",
}
_TRIGGERS: Final[Mapping[CheckpointCause, str]] = MappingProxyType(
    {
        "periodic": "during the session",
        "pre_compaction": "before a compaction",
        "compaction": "after a compaction",
        "session_end": "at the end",
    }
)
_NO_TEXT: Final = {
    "expired": "The exact text is no longer kept.",
    "erased": "The exact text was deleted because one of its memories was erased.",
}
_RESULTS: Final[Mapping[StatementResult, str]] = MappingProxyType(
    {
        "captured": "captured",
        "suggested": "suggested",
        "suggestion_kept": "suggested, kept",
        "suggestion_said_again": "suggested, kept: said again",
        "suggestion_dropped": "suggested, dropped",
        "suggestion_withdrawn": "suggested, taken back",
        "suggestion_expired": "suggested, expired",
        "withdrawal": "took something back",
        "withdrawn": "taken back later",
        "replaced": "replaced by something said later",
        "forgotten": "captured, forgotten since",
        "erased": "erased",
    }
)


_REMINDED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "waiting": "the turn goes on",
        "saved": "saved",
        "known": "known already",
        "suggested": "suggested",
        "nothing": "nothing to save",
    }
)


def session_lines(rows: Sequence[SessionRow]) -> Iterator[str]:
    """Write each session in two lines: id, when, project, harness and its numbers; its title.

    What a search found has a third one, with the passage that matches.
    """
    names = _projects(rows)
    numbers = [(row.told, row.asked, row.captured, row.suggested) for row in rows]
    widths = [max((len(f"{each[place]:,}") for each in numbers), default=0) for place in range(4)]
    id_width = max((len(row.id) for row in rows), default=0)
    project_width = column(names[row.project] for row in rows)
    harness_width = column(row.harness for row in rows)
    labels = ("told", "asked", "captured", "suggested")
    for row, counts in zip(rows, numbers, strict=True):
        shown = (
            f"{count:>{width},} {label}"
            for count, width, label in zip(counts, widths, labels, strict=True)
        )
        yield _GAP.join(
            (
                styled_id(f"{row.id:>{id_width}}"),
                local_time(row.last_active),
                cell(names[row.project], project_width),
                cell(row.harness, harness_width),
                *shown,
                *(("off",) if row.bypassed else ("open",) if row.open else ()),
            )
        )
        margin = " " * (id_width + len(_GAP))
        width = line_width(len(margin))
        for text in (row.title, row.passage):
            if text:
                yield margin + (clipped(text, width) if width else visible(text))


def session_text(session: SessionDetail, *, left_out: bool) -> Iterator[str]:
    """Write one session as a timeline: what it was told, asked and led to."""
    for label, value in _details(session):
        yield f"{label:<{_LABEL}}{visible(value)}"
    yield from _summary(session)
    if session.transcript in _NO_WORDS and session.asked:
        yield ""
        yield _NO_WORDS[session.transcript]
    ids = short_ids(_memory_ids(session))
    for _, lines in sorted(_events(session, ids, left_out=left_out), key=lambda event: event[0]):
        yield ""
        yield from lines
    yield from _considered(session)
    yield from _limits(session)


def checkpoint_lines(checkpoints: Sequence[CheckpointRow]) -> Iterator[str]:
    """Write where a session stood: when and why each was noted, and what."""
    for each in checkpoints:
        at, why = local_time(each.created_at), _TRIGGERS[each.trigger]
        prompts = "1 prompt" if each.prompt_count == 1 else f"{each.prompt_count:,} prompts"
        yield f"{at}{_GAP}{why}, {prompts}"
        if each.digest:
            yield paragraph(each.digest)


def _summary(session: SessionDetail) -> Iterator[str]:
    """Write what a language model says of it."""
    if session.summary:
        yield ""
        yield paragraph(session.summary, "")
    for decision in session.decisions:
        yield paragraph(f"- {decision}", "")
    if session.topics:
        yield visible(f"Topics: {', '.join(session.topics)}")


def _considered(session: SessionDetail) -> Iterator[str]:
    """Write what was neither kept nor offered."""
    if session.considered:
        yield ""
        yield "Also said, neither kept nor offered:"
    for said in session.considered:
        yield f"{INDENT}{visible(said.content)} ({shown_type(said.type)}, {said.confidence:.0%})"


def _limits(session: SessionDetail) -> Iterator[str]:
    """Say which lists have only their first events."""
    cut = (
        (session.more_injections, "what it was told the first {:,} times", session.injections),
        (session.more_prompts, "the first {:,} prompts", session.prompts),
        (session.more_statements, "the first {:,} captured sentences", session.statements),
        (session.more_saved, "the first {:,} saved memories", session.saved),
        (session.more_claims, "the first {:,} suggestions of the agent", session.claims),
    )
    shown = [text.format(len(events)) for more, text, events in cut if more]
    if shown:
        yield ""
    for text in shown:
        yield f"Only {text} {'is' if text.startswith('what') else 'are'} shown."


def _projects(rows: Sequence[SessionRow]) -> dict[str | None, str]:
    return {**project_names(row.project for row in rows), None: _NO_PROJECT}


def _details(session: SessionDetail) -> Iterator[tuple[str, str]]:
    yield "Session", f"{session.id} ({session.key})"
    yield "Title", session.title
    yield "Harness", session.harness
    yield "Agent", session.agent
    yield "Project", session.project or _NO_PROJECT
    yield "Started", local_time(session.start)
    if session.end is None:
        still = ", still open" if session.open else ""
        yield "Active", f"{local_time(session.last_active)}{still}"
    else:
        reason = f" ({session.end_reason})" if session.end_reason else ""
        yield "Ended", f"{local_time(session.end)}{reason}"
    if session.bypassed:
        yield "Memory", "switched off"
    totals = (
        f"{session.told:,} told",
        f"{session.asked:,} asked",
        f"{session.captured:,} captured",
        f"{session.suggested:,} suggested",
        f"{session.tokens:,} tokens sent",
    )
    yield "Totals", ", ".join(totals)
    if session.reminders:
        count = f"{len(session.reminders):,}, {session.reminder_tokens:,} tokens"
        yield "Reminders", count


def _memory_ids(session: SessionDetail) -> set[str]:
    said = {said.memory_id for said in session.statements if said.memory_id}
    noted = {
        each.memory_id for given in session.reminders for each in given.results if each.memory_id
    }
    replaced = {each.memory_id for each in session.replaced}
    saved = {saved.memory_id for saved in session.saved}
    return set(session.memories) | said | noted | saved | replaced


def _events(
    session: SessionDetail, ids: Mapping[str, str], *, left_out: bool
) -> Iterator[tuple[str, list[str]]]:
    """Yield each event's time and lines, in no order."""
    prompts = {prompt.message_id: prompt for prompt in session.prompts}
    for prompt in session.prompts:
        at = prompt.at or session.start
        yield at, [_head(at, "Your prompt"), paragraph(prompt.text)]
    for told in session.injections:
        yield told.at, list(_told(told, session.memories, ids, left_out=left_out))
    for said in session.statements:
        asked = prompts.get(said.message_id)
        at = said.at or (asked.at if asked else None) or session.start
        yield at, list(_said(said, at, ids, asked.text if asked else ""))
    for saved in session.saved:
        yield saved.at, _saved(saved, ids)
    for replaced in session.replaced:
        yield replaced.at, list(_replaced(replaced, ids))
    items = short_ids([claim.inbox_id for claim in session.claims])
    for claim in session.claims:
        yield claim.at, _claimed(claim, items)
    for reminder in session.reminders:
        yield reminder.at, list(_reminded(reminder, ids))


def _reminded(reminder: SessionReminder, ids: Mapping[str, str]) -> Iterator[str]:
    what = f"Reminded the agent to save: {_REMINDED[reminder.outcome]}"
    yield _head(reminder.at, f"{what} ({reminder.tokens:,} tokens)")
    noted = [each.memory_id for each in reminder.results if each.memory_id is not None]
    known = [ids[each] for each in noted if each in ids]
    if known:
        yield f"{INDENT}{', '.join(map(styled_id, known))}"


def _head(at: str, what: str) -> str:
    return f"{local_time(at, '%Y-%m-%d %H:%M:%S')}{_GAP}{what}"


def _told(
    told: SessionInjection,
    memories: Mapping[str, ToldMemory],
    ids: Mapping[str, str],
    *,
    left_out: bool,
) -> Iterator[str]:
    shown = [line for line in told.lines if line.shown]
    left = [line for line in told.lines if not line.shown]
    commits = [commit for commit in told.commits if commit.shown]
    others = [commit for commit in told.commits if not commit.shown]
    sessions = [session for session in told.sessions if session.shown]
    further = [session for session in told.sessions if not session.shown]
    count = _count(len(sessions), len(shown), len(commits))
    words = visible(", ".join(told.words))
    match told.event:
        case "session_start":
            what = f"{_STARTS.get(told.source or '', 'Started')}: told {count}"
        case "recall" if words:
            what = f"Searched for {words}: found {count}"
        case event:
            what = f"{_VERBS.get(event, 'Told')} {count}"
    yield _head(
        told.at, f"{what} ({told.tokens:,} tokens)" if shown or commits or sessions else what
    )
    if words and told.event != "recall":
        yield f"{INDENT}searched for {words}"
    yield from _sessions(sessions)
    yield from _commits(commits)
    for line in shown:
        yield from _line(line, memories[line.memory_id], ids)
    if told.text_state in _NO_TEXT:
        yield f"{INDENT}{_NO_TEXT[told.text_state]}"
    hidden = len(left) + len(others) + len(further) + told.more
    if hidden and left_out:
        yield f"{INDENT}Left out: {hidden:,}"
        yield from _sessions(further)
        yield from _commits(others)
        for line in left:
            yield from _line(line, memories[line.memory_id], ids)
    elif hidden:
        yield f"{INDENT}{hidden:,} left out. Use --left-out to see why."


def _count(sessions: int, memories: int, commits: int) -> str:
    parts: list[str] = []
    if sessions:
        parts.append("1 past session" if sessions == 1 else f"{sessions:,} past sessions")
    if commits:
        parts.append("1 commit" if commits == 1 else f"{commits:,} commits")
    if memories:
        parts.append("1 memory" if memories == 1 else f"{memories:,} memories")
    return joined(parts) or "nothing"


def _sessions(sessions: Sequence[ComparedSession]) -> Iterator[str]:
    for each in sessions:
        name = "session" if each.id == "0" else f"session {each.id}"
        yield f"{INDENT}{name}{_GAP}{visible(each.reason)}{_GAP}{_score(each)}".rstrip()
        yield paragraph(f"{local_date(each.at)} {each.title}", _DEEPER)


def _score(each: ComparedSession | ComparedCommit) -> str:
    """Return how well it matches; one that is told for another's sake need not."""
    return f"{each.score:.2f}, needs {each.floor:.2f}" if each.score else ""


def _commits(commits: Sequence[ComparedCommit]) -> Iterator[str]:
    for each in commits:
        score = _score(each)
        head = f"{styled_id(each.hash[:SHORT_HASH])}{_GAP}{visible(each.reason)}{_GAP}{score}"
        yield f"{INDENT}{head}"
        yield paragraph(f"{local_date(each.at)} {each.subject}", _DEEPER)


def _line(line: InjectionLine, memory: ToldMemory, ids: Mapping[str, str]) -> Iterator[str]:
    state = "" if memory.state == "live" else f"{_GAP}({memory.state})"
    score = "" if line.score is None else f"{_GAP}{line.score:.2f}"
    kind = (
        "" if memory.type is None else f"{shown_type(memory.type, always_told=line.constraint)}: "
    )
    why = visible(f"{kind}{line.reason}")
    yield f"{INDENT}{styled_id(ids[line.memory_id])}{_GAP}{why}{score}{state}"
    if memory.content is not None:
        yield paragraph(memory.content, _DEEPER)


def _said(said: SessionStatement, at: str, ids: Mapping[str, str], prompt: str) -> Iterator[str]:
    memory = f"{_GAP}{styled_id(ids[said.memory_id])}" if said.memory_id else ""
    yield _head(at, f"You said: {_RESULTS[said.result]}{memory}")
    # A prompt of one sentence stands above already.
    if said.sentence and said.sentence.strip() != prompt.strip():
        yield paragraph(said.sentence)


def _replaced(replaced: ReplacedMemory, ids: Mapping[str, str]) -> Iterator[str]:
    short = ids[replaced.memory_id]
    yield _head(replaced.at, f"Replaced{_GAP}{styled_id(short)}")
    yield paragraph(replaced.content)
    yield paragraph(f"→ {replaced.by_content}")
    yield f"{INDENT}Undo with: {command(f'reinstate {short}')}"


def _saved(saved: SavedMemory, ids: Mapping[str, str]) -> list[str]:
    state = "" if saved.state == "live" else f" ({saved.state})"
    who = " by the agent" if saved.by_agent else " by your language model" if saved.by_model else ""
    head = _head(saved.at, f"Saved{who}{_GAP}{styled_id(ids[saved.memory_id])}{state}")
    return [head, paragraph(saved.content)]


def _claimed(claim: SessionClaim, items: Mapping[str, str]) -> list[str]:
    what = _RESULTS[claim.result].replace("suggested", "Suggested by the agent")
    return [
        _head(claim.at, f"{what}{_GAP}inbox item {styled_id(items[claim.inbox_id])}"),
        paragraph(claim.content),
    ]
