"""Tells which open suggestion of a session says what a note says, and joins the two."""

from collections.abc import Sequence
from typing import Final

from intaglio.base.text import clip, content_hash
from intaglio.capture.dependence import points_at_start
from intaglio.capture.evidence import stands_in, tokens
from intaglio.capture.worded_evidence import names_new_values
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import MAX_SENTENCE_CHARS, Evidence, InboxItem
from intaglio.language.detection import language_of
from intaglio.language.negation import is_negated
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import Wording, relate
from intaglio.memory.operations import ChangeContext
from intaglio.session_notes.known_texts import open_items
from intaglio.session_notes.values import PendingNote, SessionPart
from intaglio.sessions.statements import rows as statements
from intaglio.store.tx import ReadTx, WriteTx

_SAME_SHARE: Final = 0.6
_QUOTED_SHARE: Final = 0.5
_TAKEN_IN: Final = 0.8


def is_same(text: str, other: str) -> bool:
    """Whether two texts are about the same in much the same words; one may deny the other."""
    return (
        content_hash(text) == content_hash(other)
        or topic_overlap(text, other).share_of_all >= _SAME_SHARE
    )


def asked_already(tx: ReadTx, part: SessionPart, note: PendingNote) -> InboxItem | None:
    """Return the session's open suggestion that says what a note says, or quotes the same words."""
    found = open_items(tx, part)
    return next((item for item in found if says_the_same(note, item)), None)


def says_the_same(note: PendingNote, item: InboxItem) -> bool:
    """Whether a note says what was suggested, or quotes it and words it."""
    if is_negated(note.content) != is_negated(item.content):
        return False
    # "Port 9090" isn't said by a note of port 8080, nor "tabs, not spaces" by one of the reverse.
    if names_new_values(item.content, (note.content, note.evidence, note.accepted)):
        return False
    if relate(Wording(note.content), Wording(item.content)) == "replaces":
        return False
    return is_same(note.content, item.content) or _is_quoted(note, item)


def _is_quoted(note: PendingNote, item: InboxItem) -> bool:
    """Whether the note's quote is what was suggested: most of the quote, and about the note.

    Of two sentences that a note quotes, it may word only one.
    """
    both = topic_overlap(item.content, note.content)
    leans = points_at_start(item.content, language_of(item.content))
    if not both.shared or (both.share_of_left < _QUOTED_SHARE and not leans):
        return False
    if note.accepted:
        return stands_in(note.accepted, item.content) or stands_in(item.content, note.accepted)
    quoted, suggested = tokens(note.evidence), tokens(item.content)
    said = [each.sentence for each in item.evidence if each.by == "user"]
    if stands_in(item.content, note.evidence):
        return len(suggested) >= _QUOTED_SHARE * len(quoted)
    is_of_it = stands_in(note.evidence, item.content) and any(
        stands_in(note.evidence, each) for each in said
    )
    return is_of_it and len(quoted) >= _QUOTED_SHARE * len(suggested)


def join_item(tx: WriteTx, part: SessionPart, note: PendingNote, item_id: str) -> bool:
    """Add a note's words to an open suggestion, which keeps the better wording; False if it's gone.

    Better is what takes in all that rules suggested, or what stands alone instead of "that should".
    """
    item = inbox_rows.get(tx, item_id)
    if item is None or item.status != "open":
        return False
    evidence = Evidence(quoted_words(note), part.session.harness, part.session.id)
    inbox.add_evidence(tx, item_id, evidence)
    if not item.source.is_agent and _is_better(note, item):
        inbox.reword(tx, item_id, note.content)
    return True


def _is_better(note: PendingNote, item: InboxItem) -> bool:
    if topic_overlap(item.content, note.content).share_of_left >= _TAKEN_IN:
        return True
    return points_at_start(item.content, language_of(item.content)) and _is_quoted(note, item)


def close_asked(
    tx: WriteTx, part: SessionPart, note: PendingNote, memory_id: str, context: ChangeContext
) -> None:
    """Close the session's open suggestions that say what a note says, which is a memory now."""
    for item in open_items(tx, part):
        if says_the_same(note, item):
            statements.attach_item(tx, item.id, memory_id)
            inbox.close(tx, item.id, "said_again", context, memory_id=memory_id)


def quoted_words(note: PendingNote) -> str:
    """Return what a note quotes, as evidence in the inbox."""
    quotes: Sequence[str] = [each for each in (note.accepted, note.evidence) if each]
    return clip(" ".join(f"\u201c{each}\u201d" for each in quotes), MAX_SENTENCE_CHARS)
