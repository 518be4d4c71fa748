"""Takes beginnings of labelled real sessions, which lie outside the repository, as decoys."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.capture.labelled import LabelledSession, read_sessions
from bench.told.cases import Conversation

_MESSAGES: Final = 4
_MAX_CHARS: Final = 3_000
_MIN_CHARS: Final = 25


def read_decoys(folder: Path) -> list[Conversation]:
    """Return the sessions, each shortened to some of its messages, in an order that never varies.

    Their days are filled in where they are played.
    """
    found = [
        decoy
        for file in sorted(folder.glob("*.txt"))
        if "SOURCES" not in file.name
        for session in read_sessions(file, lambda _: None)
        if (decoy := _shortened(session)) is not None
    ]
    random.Random(32).shuffle(found)  # noqa: S311 - the same order on each run
    return found


def _shortened(session: LabelledSession) -> Conversation | None:
    turns: list[tuple[str, str]] = []
    for message in session.messages:
        if sum(role == "user" for role, _ in turns) >= _MESSAGES and message.role == "user":
            break
        role = "user" if message.role == "user" else "agent"
        turns.append((role, message.text[:_MAX_CHARS]))
    return Conversation(f"decoy-{session.id}", "", tuple(turns)) if _says(turns) else None


def _says(turns: Sequence[tuple[str, str]]) -> bool:
    return sum(len(text) for role, text in turns if role == "user") >= _MIN_CHARS
