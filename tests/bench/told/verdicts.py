"""Judges what a task's session was told: the deciding rule, stale rules, and what is beside it.

Lines are attributed to the conversation whose words they repeat, whatever their form, so that every
version of the program can be judged. Pure functions.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bench.told.cases import Conversation, SettledRule, Task, ToldProject
from intaglio.base.text import estimate_tokens

_WORD: Final = re.compile(r"[^\W_]+")
_PREFIX: Final = re.compile(
    r"^\s*[-*] (?:\((?:constraint|rule|decision|fact|preference|[a-z]+)(?:, [^)\n]{0,60})?\) )?"
)
_MARKED: Final = re.compile(
    r"\b(?:replaced|superseded|no longer valid|changed|outdated|amended) (?:on|by|later|since)\b",
    re.IGNORECASE,
)
_SHINGLE: Final = 3
_REPEATS: Final = 0.6
_SAID: Final = 0.5


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line that tells something; ``marked`` if it or its heading says that it was replaced."""

    text: str
    marked: bool


def told_lines(told: str) -> list[ToldLine]:
    """Return the lines of a block that tell something: those of its lists."""
    found: list[ToldLine] = []
    under_mark = False
    for line in told.splitlines():
        marked = bool(_MARKED.search(line))
        if line.lstrip().startswith(("- ", "* ")):
            found.append(ToldLine(line, under_mark or marked))
        else:
            under_mark = marked
    return found


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = [word.lower() for word in _WORD.findall(text)]
    size = min(_SHINGLE, len(words)) or 1
    return frozenset(tuple(words[at : at + size]) for at in range(max(0, len(words) - size + 1)))


class Attribution:
    """Finds the conversation of a project, decoys among them, that a told line repeats."""

    def __init__(self, conversations: Iterable[Conversation]) -> None:
        self._held = {
            each.id: frozenset[tuple[str, ...]]().union(
                *(_shingles(text) for _, text in each.turns)
            )
            for each in conversations
        }

    def of(self, line: str) -> str:
        """Return the conversation's id, or "" if no conversation holds most of the line."""
        asked = _shingles(_PREFIX.sub("", line))
        if not asked:
            return ""
        shares = {key: len(asked & held) / len(asked) for key, held in self._held.items()}
        best = max(shares, key=lambda key: shares[key], default="")
        return best if best and shares[best] >= _REPEATS / 2 else ""


@dataclass(frozen=True, slots=True)
class TaskSession:
    """What the session of a task was told: at its start, with its first prompt, with later ones."""

    task: Task
    start: str
    first: str
    later: tuple[str, ...]


@dataclass(slots=True)
class Verdict:
    """How a task's session was told; tokens as the daemon estimates them."""

    needs: bool
    session_told: bool = False
    in_full: bool = False
    by_start: bool = False
    amended: bool = False
    stale: list[str] = field(default_factory=list[str])
    start_tokens: int = 0
    first_tokens: int = 0
    line_tokens: int = 0
    beside_tokens: int = 0
    start_beside: int = 0
    later_lines: int = 0


def holds(rule: SettledRule, text: str) -> bool:
    """Whether a text has one of each group of the rule's values."""
    folded = " ".join(text.lower().split())
    return all(any(value.lower() in folded for value in group) for group in rule.values)


def _block(told: str) -> str:
    return told[max(0, told.find("<intaglio-memory")) :]


def _by_conversation(
    lines: Iterable[ToldLine], attribution: Attribution
) -> Mapping[str, Sequence[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for line in lines:
        found[attribution.of(line.text)].append(line.text)
    return found


def judge(project: ToldProject, attribution: Attribution, session: TaskSession) -> Verdict:
    """Judge one session."""
    task, rules = session.task, project.rules
    verdict = Verdict(task.needs is not None)
    start, first = told_lines(session.start), told_lines(session.first)
    later = [line for told in session.later for line in told_lines(told)]
    chain = project.chain(task.needs) if task.needs else ()
    fitting = {project.conversation_of(rule) for rule in chain}
    if task.needs:
        deciding = project.conversation_of(task.needs)
        rule = rules[task.needs]
        verdict.amended = rule.replaces is not None
        of_start = _by_conversation(start, attribution).get(deciding, ())
        of_both = _by_conversation([*start, *first], attribution).get(deciding, ())
        verdict.session_told = bool(of_both)
        verdict.by_start = holds(rule, "\n".join(of_start))
        verdict.in_full = holds(rule, "\n".join(of_both))
    verdict.stale = [
        f"{task.id}: {line.text}"
        for line in [*start, *first, *later]
        if not line.marked and _is_stale(line.text, project, attribution)
    ]
    verdict.start_tokens = estimate_tokens(session.start)
    # A save reminder stands before the block.
    verdict.first_tokens = estimate_tokens(_block(session.first)) if first else 0
    verdict.line_tokens = sum(estimate_tokens(line.text + "\n") for line in first)
    verdict.beside_tokens = _beside(first, fitting, attribution)
    verdict.start_beside = _beside(start, fitting, attribution)
    verdict.later_lines = len(later)
    return verdict


def _beside(lines: Sequence[ToldLine], fitting: set[str], attribution: Attribution) -> int:
    """Return the tokens of lines of other conversations than the task's own."""
    return sum(
        estimate_tokens(line.text + "\n")
        for line in lines
        if attribution.of(line.text) not in fitting
    )


def _is_stale(line: str, project: ToldProject, attribution: Attribution) -> bool:
    """Whether a line tells a replaced rule without saying that it is replaced."""
    conversation = attribution.of(line)
    told = _shingles(_PREFIX.sub("", line))
    for key in project.replaced:
        if project.conversation_of(key) != conversation:
            continue
        rule = project.rules[key]
        if holds(rule, line) or any(_repeats(told, said) for said in rule.said):
            return True
    return False


def _repeats(told: frozenset[tuple[str, ...]], said: str) -> bool:
    own = _shingles(said)
    return bool(own) and len(own & told) / len(own) >= _SAID
