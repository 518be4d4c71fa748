"""Two months of two projects, and twenty questions with what they should find."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_FILE: Final = Path(__file__).with_name("scenario.json")


@dataclass(frozen=True, slots=True)
class WantedItem:
    """An item that answers: its kind, and its id in the scenario or words of its title."""

    kind: str
    mark: str


@dataclass(frozen=True, slots=True)
class FindingQuestion:
    """What is typed; ``shares`` says whether the wanted items share a word with it."""

    ask: str
    shares: bool
    wanted: tuple[WantedItem, ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    """What happened, and what is asked; see the file.

    ``short`` are single words and pairs, some of which commands and settings have, too.
    """

    projects: Sequence[str]
    sessions: Sequence[dict[str, Any]]
    memories: Sequence[dict[str, Any]]
    claims: Sequence[dict[str, Any]]
    commits: Sequence[dict[str, Any]]
    questions: Sequence[FindingQuestion]
    short: Sequence[FindingQuestion]

    def text_of(self, item: WantedItem) -> str:
        """Return how the title of a wanted item begins, or words that are in it."""
        for listed, name in (
            (self.memories, "content"),
            (self.claims, "content"),
            (self.commits, "subject"),
        ):
            for each in listed:
                if each["id"] == item.mark:
                    return str(each[name])[:60]
        return item.mark


def read_scenario() -> Scenario:
    """Read the scenario."""
    data = json.loads(_FILE.read_text(encoding="utf-8"))
    questions, short = _questions(data.pop("questions")), _questions(data.pop("short"))
    return Scenario(questions=questions, short=short, **data)


def _questions(listed: Sequence[Mapping[str, Any]]) -> tuple[FindingQuestion, ...]:
    return tuple(
        FindingQuestion(
            each["ask"], each["shares"], tuple(WantedItem(*one) for one in each["wanted"])
        )
        for each in listed
    )
