"""Conversations in which rules are settled, and later tasks that hang on one of them.

Authors wrote them who had not seen the program. Those in `KEPT_APART` are kept apart: nothing was
chosen by what they show, and their conversations and tasks aren't read.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

DATA: Final = Path(__file__).with_name("data")
KEPT_APART: Final = frozenset({"fred", "gina", "hana"})


@dataclass(frozen=True, slots=True)
class SettledRule:
    """A rule and the sentences that settled it; of each group of values, one has to be told."""

    id: str
    said: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    replaces: str | None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A session of a project: role (user or agent) and text of each message, on an ISO day."""

    id: str
    day: str
    turns: tuple[tuple[str, str], ...]
    rules: tuple[SettledRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """A first prompt, and the rule that its session has to know; None if no rule bears on it."""

    id: str
    day: str
    prompt: str
    needs: str | None


@dataclass(frozen=True, slots=True)
class ToldProject:
    """A project of an author: its conversations in their order, and its tasks."""

    author: str
    name: str
    conversations: tuple[Conversation, ...]
    tasks: tuple[Task, ...]

    @property
    def rules(self) -> Mapping[str, SettledRule]:
        """The rules by id."""
        return {rule.id: rule for each in self.conversations for rule in each.rules}

    def conversation_of(self, rule: str) -> str:
        """Return the id of the conversation that settled a rule."""
        return next(
            each.id for each in self.conversations if any(own.id == rule for own in each.rules)
        )

    def chain(self, rule: str) -> tuple[str, ...]:
        """Return the ids of a rule and of all that it replaces, directly or not; newest first."""
        found = [rule]
        while (older := self.rules[found[-1]].replaces) is not None:
            found.append(older)
        return tuple(found)

    @property
    def replaced(self) -> frozenset[str]:
        """The ids of the rules that a later one replaces."""
        return frozenset(each.replaces for each in self.rules.values() if each.replaces)


def read_projects(authors: Sequence[str] = ()) -> Iterator[ToldProject]:
    """Yield the projects of these authors, or of all."""
    for file in sorted(DATA.glob("*-told.json")):
        data = json.loads(file.read_text("utf-8"))
        if not authors or data["author"] in authors:
            for project in data["projects"]:
                yield _project(data["author"], project)


def _project(author: str, data: Mapping[str, Any]) -> ToldProject:
    conversations = tuple(
        Conversation(
            each["id"],
            each["day"],
            tuple((role, text) for role, text in each["turns"]),
            tuple(_rule(rule) for rule in each["rules"]),
        )
        for each in data["conversations"]
    )
    tasks = tuple(
        Task(each["id"], each["day"], each["prompt"], each["needs"]) for each in data["tasks"]
    )
    return ToldProject(author, data["name"], conversations, tasks)


def _rule(data: Mapping[str, Any]) -> SettledRule:
    values = tuple(tuple(group) for group in data["values"])
    return SettledRule(data["id"], tuple(data["said"]), values, data["replaces"])
