"""Reads what a user says in a tool's result: answers to the agent's questions, and rejections."""

from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Struct

from intaglio.base.json.tolerant import REFUSED, TolerantDecoder

QUESTIONS: Final = "AskUserQuestion"
"""The name of the tool by which the agent asks."""

_RECOMMENDED: Final = "(Recommended)"
# What the client stands for an answer that consists of notes alone.
_NOTES_ONLY: Final = "(notes only)"
# How it tells the agent that the user rejected a tool's use, and what they said.
_NOT_RUN: Final = (
    "The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the "
    "file)."
)
_BY_USER: Final = (
    f"The user doesn't want to proceed with this tool use. {_NOT_RUN} To tell you how to proceed, "
    "the user said:"
)
_IN_SUBAGENT: Final = f"Permission for this tool use was denied. {_NOT_RUN} The user said:"
_CLIENTS_NOTE: Final = "\n\nNote: The user's next message may contain a correction or preference."


@dataclass(frozen=True, slots=True)
class UserReply:
    """What the user said; ``question`` and ``is_choice`` are those of a transcript's message."""

    text: str
    question: str = ""
    is_choice: bool = False


class _Option(Struct):
    label: str


class _Question(Struct):
    question: str
    options: list[_Option] = []


class _Annotation(Struct):
    notes: str | None = None


class _Result(Struct, rename="camel"):
    questions: list[_Question]
    answers: dict[str, str | list[str]] = {}
    annotations: dict[str, _Annotation] = {}
    response: str | None = None
    afk_timeout_ms: float | None = None


class _Text(Struct):
    text: str = ""


_RESULT: Final = TolerantDecoder(_Result)
_CONTENT: Final = msgspec.json.Decoder(str | list[_Text])


def read_answers(result: bytes) -> list[UserReply]:
    """Return the answers in the result of the agent's questions, in the order of the questions."""
    try:
        found = _RESULT.decode(result)
    except REFUSED:
        return []
    # The client answered by itself: the user was away.
    if found.afk_timeout_ms is not None:
        return []
    answers: list[UserReply] = []
    for asked in found.questions:
        chosen = found.answers.get(asked.question, "")
        notes = found.annotations.get(asked.question, _Annotation()).notes or ""
        answers += _answers(asked, chosen, notes.strip())
    if found.response and found.response.strip():
        answers.append(UserReply(found.response.strip()))
    return answers


def _answers(asked: _Question, chosen: str | list[str], notes: str) -> list[UserReply]:
    question = " ".join(asked.question.split())
    labels = [option.label for option in asked.options]
    parts = _chosen_labels(chosen, labels)
    if parts:
        text = ", ".join(part.replace(_RECOMMENDED, "").strip() for part in parts)
        found = [UserReply(text, question, is_choice=True)]
    else:
        typed = ", ".join(chosen) if isinstance(chosen, list) else chosen.strip()
        found = [UserReply(typed, question)] if typed not in {"", _NOTES_ONLY} else []
    return [*found, UserReply(notes, question)] if notes else found


def _chosen_labels(chosen: str | list[str], labels: list[str]) -> list[str]:
    """Return the labels that were picked; none if the user typed something of their own."""
    if isinstance(chosen, list):
        return chosen if chosen and set(chosen) <= set(labels) else []
    if chosen in labels:
        return [chosen]
    # Several are joined by commas, which a label may contain too.
    rest, found = chosen.strip(), list[str]()
    for label in sorted(labels, key=len, reverse=True):
        if label and label in rest:
            rest = rest.replace(label, "", 1)
            found.append(label)
    return sorted(found, key=chosen.find) if found and not rest.strip(" ,") else []


def read_rejection(content: bytes) -> str:
    """Return what the user said when they rejected a tool's use; empty if they said nothing."""
    try:
        found = _CONTENT.decode(content)
    except REFUSED:
        return ""
    text = found if isinstance(found, str) else "\n".join(part.text for part in found)
    for beginning in (_BY_USER, _IN_SUBAGENT):
        if text.startswith(beginning):
            return text.removeprefix(beginning).partition(_CLIENTS_NOTE)[0].strip()
    return ""
