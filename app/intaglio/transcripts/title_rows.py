"""SQL on the titles of sessions, which belong to their transcripts and go with them."""

import json
from collections.abc import Collection, Sequence
from typing import Final

from intaglio.store.like import LIKE, containing
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.terms.question_words import words_of
from intaglio.transcripts.values import SessionOwner

_MOST: Final = 50
_FEWEST_WORDS: Final = 2


def set_title(tx: WriteTx, owner: SessionOwner, title: str, *, by_user: bool) -> None:
    """Write a session's title; one by the user isn't replaced by the harness's.

    A session that was forgotten gets none any more, nor one whose title was taken out: the harness
    writes it again and again.
    """
    tx.execute(
        "UPDATE transcripts SET title = ?1, title_by = ?2 WHERE session_id = ?3 AND harness = ?4 "
        "AND agent_id <> '' AND title_by <> 'removed' AND (title_by <> 'user' OR ?2 = 'user') "
        "AND title <> ?1 AND NOT EXISTS (SELECT 1 FROM forgotten_transcripts f "
        "WHERE f.session_id = ?3 AND f.harness = ?4)",
        (title, "user" if by_user else "harness", owner.session_id, owner.harness),
    )


def take_out_titles(tx: WriteTx, transcripts: Collection[int], phrases: Collection[str]) -> None:
    """Remove the titles that say what is taken out of messages, for good.

    Of these transcripts, those that share a word with it; of any other, those with all its words.
    """
    words = [words_of(tx, phrase) for phrase in phrases]
    asked = {term for each in words for term in each}
    titled = tx.rows(
        tuple[int, str],
        "SELECT seq, title FROM transcripts WHERE seq IN (SELECT value FROM json_each(?)) "
        "AND title <> ''",
        (json.dumps([*transcripts]),),
    )
    gone = {seq for seq, title in titled if not asked.isdisjoint(words_of(tx, title))}
    for each in words:
        if len(each) >= _FEWEST_WORDS:
            gone.update(seq for seq, _, _ in titled_with(tx, [*each.values()], every=True))
    tx.execute(
        "UPDATE transcripts SET title = '', title_by = 'removed' "
        "WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(gone)),),
    )


def titled_with(
    tx: ReadTx, parts: Sequence[str], *, every: bool = False
) -> list[tuple[int, str, str]]:
    """Return transcript, harness and session of titles with any of these parts, or with every one.

    The latest first.
    """
    if not parts:
        return []
    joined = (" AND " if every else " OR ").join(f"title {LIKE}" for _ in parts)
    return tx.rows(
        tuple[int, str, str],
        "SELECT seq, harness, session_id FROM transcripts "  # noqa: S608 - marks for parameters
        f"WHERE title <> '' AND agent_id <> '' AND ({joined}) ORDER BY ended_at DESC LIMIT ?",
        (*map(containing, parts), _MOST),
    )
