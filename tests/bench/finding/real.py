"""Asks notes and later prompts of real sessions of everything that was said in them.

The sessions are in two halves by a hash of their ids. The weights of what was said were chosen on
all of them, once; from then on, figures of the second half are of sessions held out.
"""

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from bench.capture.labelled import LabelledSession, read_sessions
from bench.finding.played import settle
from bench.hook_caller import Caller
from bench.told.cases import Conversation
from bench.told.play import HookSession, connect_client, make_project, play_conversation
from fakes.daemon import Daemon

_NOTES: Final = 120
_WORDS: Final = 4
_READ_CHARS: Final = 400
_LISTED: Final = (1, 3, 10)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked, and the session that it is about."""

    session: str
    text: str

    @property
    def is_held_out(self) -> bool:
        return hashlib.sha256(self.session.encode()).digest()[0] % 2 == 1

    def cut(self) -> "_Asked":
        """Return its first words."""
        return _Asked(self.session, " ".join(self.text.split()[:_WORDS]))

    def longest(self, count: int) -> "_Asked":
        """Return its longest words in their order, as who remembers what is most telling."""
        words = self.text[:_READ_CHARS].split()
        chosen = sorted(range(len(words)), key=lambda at: -len(words[at]))[:count]
        return _Asked(self.session, " ".join(words[at] for at in sorted(chosen)))


def measure_real(daemon: Daemon, home: Path, folder: Path) -> None:
    """Report how often a session is found by a note about it and by a later prompt of it."""
    connect_client(daemon, home)
    caller = Caller(daemon.port)
    sessions = [
        session
        for file in sorted(folder.glob("*.txt"))
        if "SOURCES" not in file.name
        for session in read_sessions(file, lambda _: None)
    ]
    later = _play(daemon, home, sessions)
    settle(caller)
    numbers = _numbers(caller)
    notes = [json.loads(line) for line in (folder / "notes.jsonl").read_text().splitlines()]
    random.Random(34).shuffle(notes)  # noqa: S311 - the same order on each run
    asked = [_Asked(each["session"], str(each.get("note") or each.get("text"))) for each in notes]
    known = [each for each in asked if each.session in numbers][:_NOTES]
    prompts = [each for each in later if each.session in numbers]
    print(f"{len(sessions)} real sessions in one project; found among the first 1, 3 and 10")
    print(f"{'asked':<42}{'of':>5}{'all':>15}{'of':>5}{'first half':>15}{'of':>5}{'second':>15}")
    for label, own in (("a note about the session", known), ("a prompt not stored", prompts)):
        _report(label, own, numbers, caller)
        _report("its first four words", [each.cut() for each in own], numbers, caller)
        _report("its two longest words", [each.longest(2) for each in own], numbers, caller)
        _report("its longest word", [each.longest(1) for each in own], numbers, caller)


def _report(label: str, own: Sequence[_Asked], numbers: Mapping[str, str], caller: Caller) -> None:
    places = [(each, _place(each, numbers, caller)) for each in own]
    halves = [
        [place for _, place in places],
        [place for each, place in places if not each.is_held_out],
        [place for each, place in places if each.is_held_out],
    ]
    print(f"{label:<42}" + "".join(map(_counts, halves)), flush=True)


def _play(daemon: Daemon, home: Path, sessions: Sequence[LabelledSession]) -> list[_Asked]:
    """Play the sessions without the last long prompt of each, and return these."""
    now, project = datetime.now(UTC), make_project(home / "code" / "real")
    later: list[_Asked] = []
    with daemon.client() as http:
        for number, session in enumerate(sessions):
            turns = [
                ("user" if each.role == "user" else "agent", each.text[:3_000])
                for each in session.messages
            ]
            asked = [
                at for at, (role, text) in enumerate(turns) if role == "user" and len(text) > 40
            ]
            if len(asked) > 3:
                later.append(_Asked(session.id, turns.pop(asked[-1])[1]))
            at = now - timedelta(hours=12 * (len(sessions) - number))
            play_conversation(
                HookSession(http, home, project, session.id, at),
                Conversation(session.id, "", tuple(turns)),
            )
    return later


def _numbers(caller: Caller) -> Mapping[str, str]:
    """Return the id of each session's page, by its key."""
    numbers: dict[str, str] = {}
    cursor: str | None = None
    while True:
        query = urlencode({"limit": 200, **({"cursor": cursor} if cursor else {})})
        page: dict[str, Any] = json.loads(caller.get(f"/api/sessions?{query}"))
        numbers |= {each["key"]: each["id"] for each in page["sessions"]}
        cursor = page["cursor"]
        if cursor is None:
            return numbers


def _place(asked: _Asked, numbers: Mapping[str, str], caller: Caller) -> int | None:
    """Return the place of the session among those found, from 1; None for none of ten."""
    query = urlencode({"q": asked.text[:_READ_CHARS], "limit": max(_LISTED)})
    groups = json.loads(caller.get(f"/api/find?{query}"))["groups"]
    ids = [each["id"] for group in groups if group["kind"] == "session" for each in group["items"]]
    wanted = numbers[asked.session]
    return ids.index(wanted) + 1 if wanted in ids else None


def _counts(places: Sequence[int | None]) -> str:
    found = [sum(place is not None and place <= most for place in places) for most in _LISTED]
    return f"{len(places):>5}" + "".join(f"{each:>5}" for each in found)
