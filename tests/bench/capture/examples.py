"""Turns labelled sessions into clauses with what is wanted of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bench.capture.labelled import Label, LabelledSession
from intaglio.capture.judge import TurnClauses, read_turn

_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of the user, read, and its labels."""

    session: LabelledSession
    index: int
    text: str
    before: str
    labels: tuple[Label, ...]
    read: TurnClauses


def turns(sessions: Iterable[LabelledSession]) -> Iterator[Turn]:
    """Read each message of the user as the product does."""
    for session in sessions:
        before = ""
        for index, message in enumerate(session.messages):
            if message.role == "user":
                read = read_turn(message.text, before)
                yield Turn(session, index, message.text, before, message.labels, read)
                before = ""
            else:
                before = message.text


def overlaps(start: int, end: int, label: Label) -> bool:
    """Whether they share at least half of the shorter one's characters."""
    shared = min(end, label.end) - max(start, label.start)
    return shared >= _SHARE * min(end - start, label.end - label.start) and shared > 0


def wanted_of(start: int, end: int, labels: Iterable[Label]) -> Label | None:
    """Return the label that decides about these characters: the best one that overlaps."""
    order = {"kept": 0, "withdrawn": 1, "either": 2, "none": 3}
    found = [label for label in labels if overlaps(start, end, label)]
    return min(
        found,
        key=lambda label: (order[label.wanted], -min(end, label.end) + max(start, label.start)),
        default=None,
    )
