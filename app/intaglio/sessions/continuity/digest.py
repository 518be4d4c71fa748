"""Writes the digest of a session by rules: what was asked, saved, edited, left open, said last."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final

from intaglio.base.text import normal_form
from intaglio.language.tokens import count_words
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.sessions.asked.words import asked_words
from intaglio.sessions.continuity import rows
from intaglio.sessions.continuity.rows import LastMessage
from intaglio.sessions.continuity.values import DigestKind, DigestLine, beginning, kept_text
from intaglio.sessions.past_sessions.plain_sentences import plain_sentences
from intaglio.sessions.past_sessions.speakers import may_be_told
from intaglio.sessions.selection.open_ends import open_ends
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.values import SessionKey
from intaglio.store.tx import ReadTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.values import TranscriptFilter

DIGEST_CHARS: Final = 2_000
_MESSAGES: Final = 60
_PROMPTS: Final = 3
_PROMPT_CHARS: Final = 240
_LONGEST_PROMPT: Final = 400
# "Go on" says nothing of what is gone on with.
_FEWEST_WORDS: Final = 3
_KEPT: Final = 6
_MOST_KEPT: Final = 50
_FILES: Final = 8
_AGENT_CHARS: Final = 320
_COURTESY: Final = re.compile(
    r"(?:please )?let me know|is there anything else|anything else\b|feel free|"
    r"if you(?:'d like| want| need| have| find| would like)\b|sag bescheid|lass mich wissen",
    re.IGNORECASE,
)
# What is added first while there is room; a digest's lines stand in the order of `_PLACES`.
_WORTH: Final[Sequence[DigestKind]] = ("asked", "open", "agent", "kept", "file")
_PLACES: Final[Sequence[DigestKind]] = ("asked", "kept", "file", "agent", "open")


def digest_lines(
    tx: ReadTx, session: SessionKey, filters: Filter, files: Sequence[str], chars: int
) -> tuple[DigestLine, ...]:
    """Return what a digest says, whole lines within a number of characters.

    ``filters`` select what the session's agent may be shown in its project; ``files`` are those
    that were edited, the latest last. What was said is read from the stored transcript alone.
    """
    said = _last_messages(tx, session, filters)
    asked = _asked(said)
    lines = (*asked, *_of_agent(said), *_kept(tx, session, filters, asked), *_edited(files))
    return _fitting(lines, chars)


def _last_messages(tx: ReadTx, session: SessionKey, filters: Filter) -> list[LastMessage]:
    wanted = TranscriptFilter(
        reader=filters.reader, projects=(filters.project, *filters.project_aliases)
    )
    return [
        message
        for transcript in transcripts.of_session(tx, wanted, *session)
        for message in rows.last_messages(tx, transcript, _MESSAGES)
    ]


def _asked(said: Sequence[LastMessage]) -> list[DigestLine]:
    """Return the beginnings of the user's last prompts, the earliest first."""
    found: list[DigestLine] = []
    for message in reversed(said):
        if message.role != "user":
            continue
        typed = asked_words(message.text)
        text = "" if typed.is_paste else beginning(typed.typed, _PROMPT_CHARS, _LONGEST_PROMPT)
        is_known = normal_form(text) in {normal_form(each.text) for each in found}
        if count_words(text) >= _FEWEST_WORDS and not is_known:
            found.insert(0, DigestLine("asked", text, messages=(message.id,)))
        if len(found) == _PROMPTS:
            break
    return found


def _of_agent(said: Sequence[LastMessage]) -> list[DigestLine]:
    """Return what the agent said last, and what of it is open."""
    at = next((n for n in reversed(range(len(said))) if said[n].role == "agent"), None)
    if at is None:
        return []
    last = said[at]
    answered = next((each.id for each in reversed(said[:at]) if each.role == "user"), None)
    source = (last.id, *([answered] if answered else []))
    points = open_ends(last.text)
    lines = [DigestLine("open", point, messages=source) for point in points]
    closing = _closing([each for each in _sentences(last.text) if each not in points])
    if count_words(closing) >= _FEWEST_WORDS:
        lines.append(DigestLine("agent", closing, messages=source))
    return lines


def _sentences(text: str) -> list[str]:
    """Return the sentences of an agent that say something.

    What introduces a list says nothing without it, nor does a courtesy.
    """
    found = plain_sentences(text.replace("**", ""))
    return [
        each
        for each in found
        # The number of an item of a list stands alone.
        if count_words(each) > 1
        and not each.endswith((":", "\uff1a"))
        and not _COURTESY.match(each)
    ]


def _closing(sentences: Sequence[str]) -> str:
    """Return the last sentences that may be told: what was reached stands at the end."""
    taken: list[str] = []
    left = _AGENT_CHARS
    for each in reversed(sentences):
        if len(each) > left:
            break
        if may_be_told(each):
            taken.insert(0, each)
            left -= len(each) + 1
    return " ".join(taken)


def _kept(
    tx: ReadTx, session: SessionKey, filters: Filter, asked: Sequence[DigestLine]
) -> list[DigestLine]:
    """Return the latest memories that the session led to and that still hold, oldest first."""
    found = kept_memories(tx, session, replace(filters, vouched=True))
    texts = [(each.id, kept_text(each.content)) for each in found[:_KEPT]]
    return [
        DigestLine("kept", text, memory_id)
        for memory_id, text in reversed(texts)
        if text and not any(text in each.text for each in asked)
    ]


def kept_memories(tx: ReadTx, session: SessionKey, filters: Filter) -> list[Memory]:
    """Return the memories that a session led to, latest first, as far as they are selected."""
    said = statements.memories_said_in(tx, (session,))
    own = replace(filters, session_id=tx.as_stored(session[1]))
    found = {each.id: each for each in memories.page(tx, own, _MOST_KEPT, None).memories}
    if said:
        found |= {each.id: each for each in memories.select(tx, filters, [*said], _MOST_KEPT)}
    return sorted(found.values(), key=lambda each: (each.created_at, each.seq), reverse=True)


def edited_files(before: Iterable[DigestLine], since: Iterable[str]) -> list[str]:
    """Return the files of an earlier digest, and those that were edited since, latest last."""
    later = list(since)
    return [each.text for each in before if each.kind == "file" and each.text not in later] + later


def _edited(files: Sequence[str]) -> list[DigestLine]:
    return [DigestLine("file", each) for each in files[-_FILES:]]


def _fitting(lines: Sequence[DigestLine], chars: int) -> tuple[DigestLine, ...]:
    # Of the same worth, the later one first.
    ranked = sorted(enumerate(lines), key=lambda each: (_WORTH.index(each[1].kind), -each[0]))
    chosen: list[tuple[int, int, DigestLine]] = []
    for number, line in ranked:
        if len(line.text) < chars:
            chosen.append((_PLACES.index(line.kind), number, line))
            chars -= len(line.text) + 1
    return tuple(line for *_, line in sorted(chosen, key=itemgetter(0, 1)))
