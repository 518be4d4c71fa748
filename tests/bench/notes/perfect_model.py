"""A scripted model that answers from notes that a person took, quoting what bears each."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bench.capture.labelled import LabelledSession
from intaglio.capture.evidence import tokens
from intaglio.inference.completion.ports import CompletionRequest
from intaglio.language.topics import topic_words

_TYPES: Final = {"cause": "learning", "procedure": "procedural", "open": "fact"}
_SHOWN: Final = re.compile(r"^\[(\d+)\] (user|agent): (.{0,60})", re.MULTILINE)
_CAPTURED: Final = re.compile(r'^S(\d+) \[\d+\] "(.{1,80})', re.MULTILINE)
_SENTENCE: Final = re.compile("(?<=[.!?])\\s+|\n+|(?<=[\u3002\uff01\uff1f])")
_QUOTE_CHARS: Final = 240
_BEGINNING: Final = 40


@dataclass(frozen=True, slots=True)
class WantedNote:
    """A note that a person took: ``source`` is user, agent or accepted."""

    session: str
    note: str
    type: str
    source: str
    message: int
    proposal: str = ""


def read_wanted(file: Path) -> list[WantedNote]:
    """Return the notes of a file of JSON lines."""
    return [WantedNote(**json.loads(line)) for line in file.read_text("utf-8").splitlines()]


@dataclass(slots=True)
class PerfectModel:
    """Answers the requests of one session; ``tasks`` are sentences that only ask for something."""

    session: LabelledSession
    wanted: Sequence[WantedNote]
    tasks: Sequence[str] = ()
    noted: set[str] = field(default_factory=set[str])

    def answer(self, request: CompletionRequest) -> str:
        """Return all notes of the messages that are to be read."""
        new = request.user.partition("Read these messages:\n")[2]
        shown, _, captured = new.partition("\n\nSaved already:\n")
        numbers = [(int(number), role, start) for number, role, start in _SHOWN.findall(shown)]
        notes: list[dict[str, Any]] = []
        for wanted in self.wanted:
            number = self._number_of(wanted.message, numbers)
            if number is not None and wanted.note not in self.noted:
                self.noted.add(wanted.note)
                notes.append(self._note(wanted, number))
        one_off = [
            int(number)
            for number, text in _CAPTURED.findall(captured)
            if any(text[:_BEGINNING] in task for task in self.tasks)
        ]
        none: list[str] = []
        summary = {"text": "A session was held.", "topics": none, "decisions": none}
        return json.dumps({"notes": notes, "one_off": one_off, "summary": summary})

    def _number_of(self, index: int, numbers: Sequence[tuple[int, str, str]]) -> int | None:
        message = self.session.messages[index]
        role = "user" if message.role == "user" else "agent"
        lines = message.text.strip().splitlines()
        start = lines[0][:_BEGINNING].strip() if lines else ""
        found = [
            number for number, shown, text in numbers if shown == role and text.startswith(start)
        ]
        # "yes" is said more than once: the place among the messages tells which one.
        return min(found, key=lambda number: abs(number - 1 - index), default=None)

    def _note(self, wanted: WantedNote, number: int) -> dict[str, Any]:
        text = self.session.messages[wanted.message].text
        accepted = ""
        if wanted.source == "accepted":
            accepted = closest_sentence(wanted.proposal, self._said_before(wanted.message))
            quote = text.strip()[:_QUOTE_CHARS] if len(text) < _QUOTE_CHARS else ""
        else:
            quote = ""
        return {
            "content": wanted.note,
            "type": _TYPES.get(wanted.type, wanted.type),
            "message": number,
            "evidence": quote or bearing_sentence(wanted.note, text),
            "accepted": accepted,
            "reason": "",
        }

    def _said_before(self, index: int) -> str:
        """Return all that the agent said since the user's last message."""
        run: list[str] = []
        for message in reversed(self.session.messages[:index]):
            if message.role == "user":
                break
            run.append(message.text)
        return "\n\n".join(reversed(run))


def bearing_sentence(note: str, text: str) -> str:
    """Return the sentence of a message that shares most with a note, shortened."""
    wanted = topic_words(note)
    parts = _sentences(text)
    best = max(parts, key=lambda part: len(wanted & topic_words(part)), default=text.strip())
    return _clipped(best)


def closest_sentence(proposal: str, said: str) -> str:
    """Return the sentence of the agent's that a proposal, often told shortened, is taken from."""
    if proposal in said:
        return proposal
    wanted = set(tokens(proposal))

    def nearness(part: str) -> float:
        words = tokens(part)
        return len(wanted & set(words)) / (1 + 0.02 * len(words))

    return _clipped(max(_sentences(said), key=nearness, default=""))


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE.split(text) if part.strip()]


def _clipped(text: str) -> str:
    if len(text) <= _QUOTE_CHARS:
        return text
    return text[:_QUOTE_CHARS].rpartition(" ")[0]
