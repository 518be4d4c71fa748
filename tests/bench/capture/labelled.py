"""Reads the labelled sessions: conversations whose statements are marked in the text.

A file holds sessions; each begins with a line ``# <id> | <style>`` (``#`` and a blank). A line that
begins with ``U: `` is a message of the user, ``A: `` one of the agent; the lines below it belong to
it until the next message or session. A line that would look like the start of one is written with a
backslash before it. Marks, which must not nest:

- ``[[TYPE: text]]``: to be kept for the project; ``[[TYPE@global: text]]``: for all projects.
  TYPE is decision, preference, rule, fact or procedure.
- ``[[?TYPE: text]]``: a person may or may not want it; counts neither way if it is suggested or
  dropped.
- ``[[-TYPE: text]]``: said like a statement, but withdrawn or replaced later in the session.
- ``{{KIND: text}}``: not to be kept, a hard negative of that kind.

Everything else isn't to be kept. `python3 tests/bench/capture/labelled.py FILE...` checks files.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

Role: TypeAlias = Literal["user", "assistant"]
Wanted: TypeAlias = Literal["kept", "either", "withdrawn", "none"]

TYPES: Final = ("decision", "preference", "rule", "fact", "procedure")
NEGATIVE_KINDS: Final = (
    "pasted_document",  # text of a file, page, ticket or mail, pasted without any fence
    "pasted_log",  # output of a program, pasted without any fence
    "other_team",  # rules and habits of other teams, companies or projects
    "hypothetical",  # a condition or a thought experiment
    "question",
    "third_party",  # what somebody else said, wants or prefers
    "sarcasm",
    "task",  # an order for this once
    "tentative",  # not decided yet
    "past",  # how it was once, a story
    "quote",  # words quoted to talk about them
    "echo",  # the agent's own words, repeated
    "talk",  # small talk, praise, status, observations about the code at hand
)
_WANTED: Final[dict[str, Wanted]] = {"": "kept", "?": "either", "-": "withdrawn"}
_HEADER: Final = re.compile(r"# ([a-z]{2}-[a-z0-9-]+) \| ([a-z0-9-]+)")
_OPEN_MARK: Final = re.compile(
    rf"\[\[[?-]?(?:{'|'.join(TYPES)})(?:@global)?:|\{{\{{(?:{'|'.join(NEGATIVE_KINDS)}):"
)
_MARK: Final = re.compile(
    r"\[\[(?P<doubt>[?-]?)(?P<type>[a-z]+)(?P<everywhere>@global)?: (?P<text>.+?)\]\]"
    r"|\{\{(?P<kind>[a-z_]+): (?P<negative>.+?)\}\}",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Label:
    """A marked part of a message: characters ``start`` to ``end`` of its text.

    ``type`` is set for what may be kept, ``kind`` for a hard negative.
    """

    start: int
    end: int
    wanted: Wanted
    type: str = ""
    everywhere: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class LabelledMessage:
    """A message without its marks, and the labels of its parts."""

    role: Role
    text: str
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class LabelledSession:
    """A conversation; its id is its language, its writer and a number: ``en-a-001``."""

    id: str
    style: str
    messages: tuple[LabelledMessage, ...]

    @property
    def language(self) -> str:
        """The language of what the user writes."""
        return self.id[:2]

    @property
    def writer(self) -> str:
        """Whose wording it is: the writers of the sessions kept apart train nothing."""
        return self.id.split("-")[1]


def read_sessions(file: Path, skip: Callable[[str], None] | None = None) -> list[LabelledSession]:
    """Return a file's sessions.

    Raises ValueError for a malformed one, unless it is to be reported to ``skip`` and left out.
    """
    found: list[LabelledSession] = []
    for number, lines in _by_session(file.read_text("utf-8")):
        try:
            found += _session(lines)
        except ValueError as error:
            if skip is None:
                raise ValueError(f"{file.name}:{number}: {error}") from error
            skip(f"{file.name}:{number}: {error}")
    return found


def _by_session(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of each session, and the number of the first one."""
    first, lines = 1, list[str]()
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("# "):
            yield first, lines
            first, lines = number, []
        lines.append(line)
    yield first, lines


def _session(lines: Sequence[str]) -> Iterator[LabelledSession]:
    if not any(line.strip() for line in lines):
        return
    header = _HEADER.fullmatch(lines[0].strip())
    if header is None:
        raise ValueError(f"not a session's header: {lines[0]}")
    messages: list[tuple[Role, list[str]]] = []
    for line in lines[1:]:
        if line.startswith(("U: ", "A: ")):
            messages.append(("user" if line[0] == "U" else "assistant", [line[3:]]))
        elif messages:
            messages[-1][1].append(line.removeprefix("\\"))
        elif line.strip():
            raise ValueError("text before the first message")
    parsed = tuple(_message(role, "\n".join(parts)) for role, parts in messages)
    yield LabelledSession(header[1], header[2], parsed)


def _message(role: Role, marked: str) -> LabelledMessage:
    if role == "assistant":
        if _OPEN_MARK.search(marked):
            raise ValueError(f"marks in an agent's message: {marked[:60]}")
        return LabelledMessage(role, marked.rstrip(), ())
    text = ""
    labels: list[Label] = []
    last = 0
    for mark in _MARK.finditer(marked):
        text += marked[last : mark.start()]
        inner = mark["text"] or mark["negative"]
        labels.append(_label(mark, len(text), len(text) + len(inner)))
        text += inner
        last = mark.end()
    text += marked[last:]
    leftover = _OPEN_MARK.search(text)
    if leftover:
        raise ValueError(f"an open or nested mark: {text[leftover.start() :][:60]}")
    return LabelledMessage(role, text.rstrip(), tuple(labels))


def _label(mark: re.Match[str], start: int, end: int) -> Label:
    if mark["kind"]:
        if mark["kind"] not in NEGATIVE_KINDS:
            raise ValueError(f"unknown kind: {mark.group()[:60]}")
        return Label(start, end, "none", kind=mark["kind"])
    if mark["type"] not in TYPES:
        raise ValueError(f"unknown type: {mark.group()[:60]}")
    wanted = _WANTED[mark["doubt"]]
    return Label(start, end, wanted, mark["type"], everywhere=bool(mark["everywhere"]))


def all_sessions(folder: Path) -> Iterator[LabelledSession]:
    """Yield the sessions of all files below a folder, in the order of their names.

    Raises ValueError if two have the same id.
    """
    seen: set[str] = set()
    for file in sorted(folder.rglob("*.txt")):
        for session in read_sessions(file):
            if session.id in seen:
                raise ValueError(f"{file.name}: two sessions are called {session.id}")
            seen.add(session.id)
            yield session


def _report(files: list[str]) -> None:
    for name in files:
        sessions = read_sessions(Path(name))
        labels = [label for session in sessions for one in session.messages for label in one.labels]
        wanted = Counter(f"{label.wanted} {label.type or label.kind}" for label in labels)
        turns = sum(one.role == "user" for session in sessions for one in session.messages)
        print(f"{name}: {len(sessions)} sessions, {turns} user messages, {len(labels)} marks")
        print("  " + ", ".join(f"{what} {count}" for what, count in sorted(wanted.items())))


if __name__ == "__main__":
    _report(sys.argv[1:])
