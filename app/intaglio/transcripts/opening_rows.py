"""SQL that reads how sessions began: their first prompts, as far as they are stored."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from intaglio.store.tx import ReadTx
from intaglio.transcripts.removal import REMOVED
from intaglio.transcripts.rows import rows_of

_PROMPTS: Final = 3
_CHARS: Final = 800


@dataclass(frozen=True, slots=True)
class SessionOpening:
    """The beginnings of a session's first prompts, and how many messages are stored of it.

    ``title`` is the one that its harness or the user gave it, empty without one.
    """

    prompts: tuple[str, ...]
    messages: int
    title: str = ""


def openings(
    tx: ReadTx, sessions: Collection[tuple[str, str]]
) -> Mapping[tuple[str, str], SessionOpening]:
    """Return how sessions (harness and id) began; those without a transcript are left out.

    A prompt out of which something was taken isn't read.
    """
    parts = tx.rows(
        tuple[str, str, int, int, str],
        "SELECT t.harness, t.session_id, t.seq, t.messages, t.title FROM json_each(?) w "
        "CROSS JOIN transcripts t ON t.session_id = w.value ->> 1 AND t.harness = w.value ->> 0 "
        "WHERE t.agent_id <> '' ORDER BY t.started_at, t.seq",
        (json.dumps([*map(list, sessions)], ensure_ascii=False),),
    )
    prompts: dict[tuple[str, str], list[str]] = {}
    messages: dict[tuple[str, str], int] = {}
    titles: dict[tuple[str, str], str] = {}
    for harness, session_id, transcript, count, title in parts:
        key = harness, session_id
        messages[key] = messages.get(key, 0) + count
        titles[key] = title or titles.get(key, "")
        own = prompts.setdefault(key, [])
        if len(own) < _PROMPTS:
            own += _first_prompts(tx, transcript, _PROMPTS - len(own))
    return {
        key: SessionOpening(tuple(own), messages[key], titles[key]) for key, own in prompts.items()
    }


def _first_prompts(tx: ReadTx, transcript: int, limit: int) -> list[str]:
    return tx.column(
        str,
        "SELECT substr(text, 1, ?) FROM transcript_messages "
        "WHERE seq BETWEEN ? AND ? "
        "AND role = 'user' AND text <> '' AND instr(text, ?) = 0 ORDER BY seq LIMIT ?",
        (_CHARS, *rows_of(transcript), REMOVED, limit),
    )
