"""Describes sessions in lists, so that two of one project can be told apart.

A title is the harness's own, else it comes from the first prompts; of a session whose transcript
isn't stored from what capture judged, from what was kept, or from the words that were searched.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.clock import local_day
from intaglio.base.text import clip, storage_form
from intaglio.domain.reader import Reader
from intaglio.fence.characters import visible
from intaglio.projects.names import display_name
from intaglio.sessions.overview import description_rows as rows
from intaglio.sessions.overview.titles import (
    shown_prompt,
    shown_title,
    title_of_prompts,
    title_of_text,
)
from intaglio.sessions.overview.values import SessionOverview
from intaglio.sessions.values import SessionKey
from intaglio.store.tx import ReadTx
from intaglio.transcripts.opening_rows import SessionOpening, openings

_KEPT_CHARS: Final = 160
_WORDS: Final = 6
_NOTHING_STORED: Final = SessionOpening((), 0)


@dataclass(frozen=True, slots=True)
class SessionDescription:
    """What tells a session apart: see `SessionRow` of the API; only ``title`` is never empty."""

    title: str
    first_prompt: str = ""
    messages: int = 0
    kept: tuple[str, ...] = ()


def describe(
    tx: ReadTx, sessions: Sequence[SessionOverview], reader: Reader
) -> dict[int, SessionDescription]:
    """Return the descriptions of sessions, by number."""
    keys = [(each.harness, each.id) for each in sessions]
    opened = openings(tx, keys)
    kept = rows.kept(tx, keys, reader, _KEPT_CHARS + 1)
    titles = _titles(opened)
    silent = [key for key in keys if not titles.get(key)]
    titles |= _titles_without_transcript(tx, silent, kept)
    found: dict[int, SessionDescription] = {}
    for session, key in zip(sessions, keys, strict=True):
        opening = opened.get(key, _NOTHING_STORED)
        found[session.number] = SessionDescription(
            title=titles.get(key) or _place_and_day(session),
            first_prompt=shown_prompt(opening.prompts),
            messages=opening.messages,
            kept=tuple(
                clip(storage_form(visible(each)), _KEPT_CHARS) for each in kept.get(key, ())
            ),
        )
    return found


def titles_of(tx: ReadTx, sessions: Collection[SessionKey]) -> dict[SessionKey, str]:
    """Return the titles of those sessions whose transcripts are stored."""
    return _titles(openings(tx, sessions))


def _titles(opened: Mapping[SessionKey, SessionOpening]) -> dict[SessionKey, str]:
    return {
        key: shown_title(each.title) or title_of_prompts(each.prompts)
        for key, each in opened.items()
    }


def _titles_without_transcript(
    tx: ReadTx, sessions: Sequence[SessionKey], kept: Mapping[SessionKey, Sequence[str]]
) -> dict[SessionKey, str]:
    """Return what titles can be made of; a session of which nothing is known has none."""
    if not sessions:
        return {}
    said = rows.first_said(tx, sessions)
    words = rows.first_words(tx, [key for key in sessions if key not in said])
    found: dict[SessionKey, str] = {}
    for key in sessions:
        if key in said:
            found[key] = title_of_text(said[key])
        elif kept.get(key):
            found[key] = title_of_text(kept[key][0])
        elif words.get(key):
            found[key] = title_of_text(f"About {', '.join(words[key][:_WORDS])}")
    return found


def _place_and_day(session: SessionOverview) -> str:
    day = local_day(session.started_at)
    return (
        f"Session in {display_name(session.project)}, {day}"
        if session.project
        else (f"Session without a project, {day}")
    )
