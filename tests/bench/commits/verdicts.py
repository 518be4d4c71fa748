"""Judges what a first prompt was told of commits. Pure functions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bench.commits.questions import CommitTask
from intaglio.base.text import estimate_tokens

# "- (12 Nov 2024) decided in commit 3fa21c7b: …", whatever stands in the brackets.
_TOLD: Final = re.compile(r"^- \([^)\n]{1,200}\) [a-z ]{1,40} in (?:commit )?([0-9a-f]{6,64})\b")


@dataclass(frozen=True, slots=True)
class ToldCommit:
    """A line that tells a commit; ``hash`` may be the first digits only."""

    hash: str
    line: str


@dataclass(frozen=True, slots=True)
class CommitVerdict:
    """What a prompt was told: the answer, the right commit, that one first; tokens of commits."""

    task: CommitTask
    answered: bool
    found: bool
    first: bool
    lines: int
    tokens: int

    @property
    def silent(self) -> bool:
        """Whether no commit was told."""
        return not self.lines


def told_commits(told: str) -> list[ToldCommit]:
    """Return the lines of a block that tell commits, in their order."""
    return [
        ToldCommit(match.group(1), line)
        for line in told.splitlines()
        if (match := _TOLD.match(line)) is not None
    ]


def judge(task: CommitTask, told: str) -> CommitVerdict:
    """Judge one prompt."""
    commits = told_commits(told)
    right = [_is_right(task, each) for each in commits]
    return CommitVerdict(
        task,
        answered=task.is_answered_by("\n".join(each.line for each in commits)),
        found=any(right),
        first=bool(right) and right[0],
        lines=len(commits),
        tokens=sum(estimate_tokens(each.line + "\n") for each in commits),
    )


def _is_right(task: CommitTask, told: ToldCommit) -> bool:
    return any(each.startswith(told.hash) for each in task.commits)


def share(count: int, total: int) -> str:
    """Format a share with the numbers that it comes from."""
    return f"{count}/{total} = {count / max(total, 1):.2f}"


def summary(title: str, verdicts: Sequence[CommitVerdict]) -> str:
    """Sum up in a line what prompts were told."""
    asked = [each for each in verdicts if each.task.has_answer]
    others = [each for each in verdicts if not each.task.has_answer]
    parts = [f"{title:<26}"]
    if asked:
        parts += [
            f"answer {share(sum(each.answered for each in asked), len(asked)):<15}",
            f"commit {share(sum(each.found for each in asked), len(asked)):<15}",
            f"first {share(sum(each.first for each in asked), len(asked)):<15}",
        ]
    if others:
        parts.append(f"silent {share(sum(each.silent for each in others), len(others))}")
    return "  ".join(parts).rstrip()
