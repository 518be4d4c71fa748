"""Reads the JSON in OpenCode's database: who said what in a message."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from msgspec import Struct

from intaglio.base.json.tolerant import TolerantDecoder
from intaglio.base.text import scrub
from intaglio.fence.marks import strip_injected
from intaglio.harness.opencode.user_text import unquoted

_QUESTIONS: Final = "question"
"""The name of the tool by which the agent asks the user."""


@dataclass(frozen=True, slots=True)
class SaidWords:
    """What the user or the agent said; ``question`` and ``is_choice`` are a message's."""

    role: Literal["user", "assistant"]
    text: str
    question: str = ""
    is_choice: bool = False


class _Time(Struct):
    completed: object = None


class _Mark(Struct):
    """What the plugin adds to a command's text: the user's own words of it."""

    words: str | None = None


class _Metadata(Struct):
    intaglio: _Mark | None = None


class _Option(Struct):
    label: str = ""


class _Question(Struct):
    question: str = ""
    options: list[_Option] = []


class _Asked(Struct):
    questions: list[_Question] = []


class _Given(Struct):
    answers: list[list[str]] = []


class _ToolState(Struct):
    status: str = ""
    input: _Asked | None = None
    metadata: _Given | None = None


class _Part(Struct):
    type: str = ""
    text: str = ""
    synthetic: bool = False
    ignored: bool = False
    metadata: _Metadata | None = None
    tool: str = ""
    state: _ToolState | None = None


class _Message(Struct):
    """A message of either version: version 1 says its role, version 2 its type and all it holds."""

    role: str = ""
    summary: object = None
    time: _Time | None = None
    type: str = ""
    text: str = ""
    content: list[_Part] = []

    @property
    def is_users(self) -> bool:
        """Whether the user sent it, or a program for the user."""
        return "user" in {self.role, self.type}


_MESSAGE: Final = TolerantDecoder(_Message)
_PART: Final = TolerantDecoder(_Part)


def is_unfinished(data: str) -> bool:
    """Whether the agent is still writing the message; raises one of `REFUSED` like `read_message`.

    It stays so if OpenCode is killed.
    """
    message = _MESSAGE.decode(data.encode())
    return not message.is_users and (message.time is None or message.time.completed is None)


def read_message(data: str, parts: Iterable[str]) -> Iterator[SaidWords]:
    """Yield what was said in a message; ``parts`` are the JSON of its parts in version 1.

    Raises one of `intaglio.base.json.tolerant.REFUSED` if it can't be read.
    """
    message = _MESSAGE.decode(data.encode())
    found = [*message.content, *(_PART.decode(part.encode()) for part in parts)]
    if message.is_users:
        text = _joined([message.text, *_words(found)])
        if text:
            yield SaidWords("user", text)
        return
    # A summary was written for the agent itself, of what was said before.
    text = "" if message.summary is True else _joined(each.text for each in _texts(found))
    if text:
        yield SaidWords("assistant", text)
    yield from _answers(found)


def _texts(parts: Iterable[_Part]) -> list[_Part]:
    return [part for part in parts if part.type == "text" and not (part.synthetic or part.ignored)]


def _words(parts: Iterable[_Part]) -> list[str]:
    """Return what the user wrote; the plugin has marked what a command adds."""
    found = [
        (part.text, part.metadata.intaglio if part.metadata else None) for part in _texts(parts)
    ]
    words = (mark.words if mark and mark.words is not None else text for text, mark in found)
    return [unquoted(text) for text in words]


def _answers(parts: Iterable[_Part]) -> Iterator[SaidWords]:
    """Yield the user's answers to the agent's questions."""
    for part in parts:
        state = part.state
        if part.tool != _QUESTIONS or state is None or state.status != "completed":
            continue
        asked = state.input.questions if state.input else []
        given = state.metadata.answers if state.metadata else []
        for question, answers in zip(asked, given, strict=False):
            text = _joined([", ".join(answers)])
            labels = {option.label for option in question.options}
            if text:
                yield SaidWords("user", text, question.question, labels.issuperset(answers))


def _joined(texts: Iterable[str]) -> str:
    cleaned = (strip_injected(scrub(text)).strip() for text in texts)
    return "\n\n".join(text for text in cleaned if text)
