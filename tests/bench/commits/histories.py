"""Writes histories of invented projects as git repositories, the same on each run."""

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

# How a function that returns a number is written, by the ending of its file.
_FUNCTIONS: Final = {
    "py": "def {name}(value):\n    limit = {number}\n    return value + limit\n",
    "c": "int {name}(int value)\n{{\n    int limit = {number};\n    return value + limit;\n}}\n",
    "go": "func {name}(value int) int {{\n\tlimit := {number}\n\treturn value + limit\n}}\n",
    "ts": "export function {name}(value: number) {{\n  const limit = {number};\n"
    "  return value + limit;\n}}\n",
    "rs": "pub fn {name}(value: i64) -> i64 {{\n    let limit = {number};\n    value + limit\n}}\n",
    "php": "function {name}(int $value): int\n{{\n    $limit = {number};\n"
    "    return $value + $limit;\n}}\n",
    "java": "    int {name}(int value) {{\n        int limit = {number};\n"
    "        return value + limit;\n    }}\n",
    "rb": "def {name}(value)\n  limit = {number}\n  value + limit\nend\n",
}
_FRAMES: Final = {"php": ("<?php\n\n", ""), "java": ("class {stem} {{\n\n", "\n}}\n")}
_EXAMPLE: Final = 'it "{name}" do\n  expect({number}).to eq {number}\nend\n'
_ENDINGS: Final = {"tsx": "ts"}


@dataclass(frozen=True, slots=True)
class WrittenCommit:
    """A commit to write; ``changed`` are the functions that it changes, by path."""

    at: datetime
    subject: str
    body: str
    changed: Mapping[str, Sequence[str]]

    @property
    def message(self) -> str:
        """The whole message."""
        return f"{self.subject}\n\n{self.body}\n" if self.body else f"{self.subject}\n"


def write_repository(
    folder: Path, files: Mapping[str, Sequence[str]], commits: Iterable[WrittenCommit]
) -> None:
    """Make a repository whose files have these functions; each change counts a number up."""
    numbers = {path: dict.fromkeys(names, 1) for path, names in files.items()}
    folder.mkdir(parents=True)
    subprocess.run(("git", "init", "-q", "-b", "main", str(folder)), check=True)
    parts: list[bytes] = []
    for count, commit in enumerate(commits):
        for path, names in commit.changed.items():
            for name in names:
                numbers[path][name] += 1
        parts.append(_head(commit))
        for path in commit.changed if count else files:
            data = source_of(path, numbers[path]).encode()
            parts.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
    importing = ("git", "-C", str(folder), "fast-import", "--quiet")
    subprocess.run(importing, input=b"".join(parts), check=True)
    subprocess.run(("git", "-C", str(folder), "reset", "-q", "--hard", "main"), check=True)


def _head(commit: WrittenCommit) -> bytes:
    message = commit.message.encode()
    who = b"Ann Example <ann@example.org> %d +0000" % int(commit.at.timestamp())
    return (
        b"commit refs/heads/main\nauthor "
        + who
        + b"\ncommitter "
        + who
        + b"\ndata %d\n%s\n" % (len(message), message)
    )


def source_of(path: str, numbers: Mapping[str, int]) -> str:
    """Return the source of a file whose functions return these numbers."""
    stem, _, ending = path.rpartition("/")[2].rpartition(".")
    kind = _ENDINGS.get(ending, ending)
    before, after = _FRAMES.get(kind, ("", ""))
    functions = [
        (_EXAMPLE if " " in name else _FUNCTIONS[kind]).format(name=name, number=number)
        for name, number in numbers.items()
    ]
    return before.format(stem=stem) + "\n".join(functions) + after.format()


def hashes(folder: Path) -> dict[str, str]:
    """Return the hash of each commit by its subject."""
    command = ("git", "-C", str(folder), "log", "--format=%H %s")
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {subject: digits for digits, _, subject in (line.partition(" ") for line in lines)}
