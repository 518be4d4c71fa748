"""First prompts of sessions, and the commits whose messages answer them.

A folder of repositories holds working clones and a `questions.json`:

    {"questions": [{"id": "…", "repository": "the clone's folder", "kind": "symptom",
                    "prompt": "…", "commits": ["hash"], "phrases": ["…"]}]}

`kind` is `symptom`, `files` (the prompt names files, functions and the like, not what the message
says) or `none`: nothing in the history answers it. `commits` are the one that does and, if there
are any, its copies on other branches. Of `phrases`, parts of its message that hold the reason, one
has to be told. People write them who read the history, not what the program shows.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FILE: Final = "questions.json"
KINDS: Final = ("symptom", "files", "none")
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class CommitTask:
    """A first prompt in a repository; ``commits`` are the hashes of those that answer it."""

    id: str
    repository: str
    kind: str
    prompt: str
    commits: frozenset[str]
    phrases: tuple[str, ...]

    @property
    def has_answer(self) -> bool:
        """Whether a commit answers it."""
        return bool(self.commits)

    def is_answered_by(self, text: str) -> bool:
        """Whether a text has one of the phrases, whatever its marks and line breaks."""
        told = _plain(text)
        return any(_plain(phrase) in told for phrase in self.phrases)


def read_tasks(folder: Path) -> list[CommitTask]:
    """Return the prompts of a folder of repositories."""
    data = json.loads((folder / FILE).read_text("utf-8"))
    return [_task(each) for each in data["questions"]]


def _task(data: dict[str, Any]) -> CommitTask:
    if data["kind"] not in KINDS or bool(data["commits"]) != (data["kind"] != "none"):
        raise ValueError(f"{data['id']}: kind and commits don't fit")
    return CommitTask(
        data["id"],
        data["repository"],
        data["kind"],
        data["prompt"],
        frozenset(data["commits"]),
        tuple(data["phrases"]),
    )


def repositories(tasks: Sequence[CommitTask]) -> list[str]:
    """Return the repositories of prompts, in their order."""
    return [*dict.fromkeys(each.repository for each in tasks)]


def _plain(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "
