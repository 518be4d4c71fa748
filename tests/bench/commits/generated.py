"""Histories of invented projects, for where no real ones are at hand.

`data/` holds, of each project, its files with their functions, commits that settle something, and
the first prompts that these do and don't answer. Between them stand commits of ordinary work on the
same files, made of the phrases below.
"""

import json
import random
import textwrap
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bench.commits.histories import WrittenCommit, hashes, write_repository
from bench.commits.questions import CommitTask

DATA: Final = Path(__file__).with_name("data")
_ORDINARY: Final = 400
_SEED: Final = 33
_BEGINS: Final = datetime(2019, 3, 4, 9, tzinfo=UTC)
_HOURS: Final = (3, 200)
_COLUMNS: Final = 72

_SUBJECTS: Final = (
    "Split {name} in two",
    "{stem}: handle an empty {thing}",
    "Test {name} with a long {thing}",
    "Rename the arguments of {name}",
    "{stem}: log each {thing} once",
    "Speed up {name}",
    "Move the check of a {thing} into {name}",
    "{stem}: keep the {thing} and the {other} apart",
    "Document {name}",
    "Fix a crash when the {thing} is missing",
    "Let {name} take several at once",
    "{stem}: drop an unused parameter",
    "Make the error of {name} say which {thing} it was",
    "Prepare {stem} for a second {other}",
)
_SENTENCES: Final = (
    "The {thing} was built twice, once here and once by the caller.",
    "{name} did three things at once; what belongs to the {other} is a function of its own now.",
    "Nothing changes for callers.",
    "It takes {number} ms for a thousand of them, from {more} before.",
    "The {thing} can be empty after an import, which nobody had thought of.",
    "Both places had the same condition, and one of them was wrong by one.",
    "This comes before the change of the {other}, so that it stays small.",
    "The old name dates from a time when there was one {thing} only.",
    "A test with {number} of them covers it.",
    "Found while looking at ticket {number}.",
    "{name} returned early if the {other} was gone, without a word in the log.",
    "The message names the {thing} now, so that one needn't look it up.",
    "There were two ways to write it, and the style guide prefers this one.",
    "Reading the {thing} line by line keeps memory flat.",
    "The second argument was always the same.",
    "What remains is to do the same for the {other}, in a later step.",
    "The loop stops at the first {thing} that doesn't fit instead of going through all of them.",
    "No behaviour changes; the diff is large because of the indentation.",
    "The comment had been wrong since the {other} was added.",
    "Measured on the data of last month: {number} instead of {more} queries per page.",
    "It failed on the build server only, where the time zone is another one.",
    "{name} is called by tests as well, which is why it stays public.",
)


def write_generated(folder: Path) -> list[CommitTask]:
    """Write the repositories into a folder and return their prompts."""
    found: list[CommitTask] = []
    for file in sorted(DATA.glob("*.json")):
        data = json.loads(file.read_text("utf-8"))
        write_repository(folder / data["name"], data["files"], _commits(data))
        found += _tasks(data, hashes(folder / data["name"]))
    return found


def _commits(data: Mapping[str, Any]) -> Iterator[WrittenCommit]:
    """Yield a project's commits, oldest first: the one that adds all, then the others, mixed."""
    chance = random.Random(f"{_SEED} {data['name']}")  # noqa: S311 - the same on each run
    kinds: list[Mapping[str, Any] | None] = [*data["decisions"], *([None] * _ORDINARY)]
    chance.shuffle(kinds)
    at = _BEGINS
    yield WrittenCommit(at, f"Begin {data['name']}", f"It is for {data['about']}.", {})
    for settles in kinds:
        at += timedelta(hours=chance.randint(*_HOURS))
        yield _ordinary(chance, data, at) if settles is None else _settling(data, settles, at)


def _settling(data: Mapping[str, Any], settles: Mapping[str, Any], at: datetime) -> WrittenCommit:
    files = data["files"]
    changed = {
        path: [name for name in files[path] if name in settles["prompt"]] or files[path][:1]
        for path in settles["files"]
    }
    return WrittenCommit(at, settles["subject"], _wrapped(settles["body"]), changed)


def _ordinary(chance: random.Random, data: Mapping[str, Any], at: datetime) -> WrittenCommit:
    files = data["files"]
    paths = chance.sample([*files], chance.choice((1, 1, 1, 2, 3)))
    changed = {
        path: chance.sample(files[path], min(chance.choice((1, 1, 2)), len(files[path])))
        for path in paths
    }
    thing, other = chance.sample(data["things"], 2)

    def filled(text: str) -> str:
        return text.format(
            name=changed[paths[0]][0],
            stem=Path(paths[0]).stem,
            thing=thing,
            other=other,
            number=chance.randint(3, 90),
            more=chance.randint(100, 900),
        )

    sentences = chance.sample(_SENTENCES, chance.choice((0, 1, 2, 3, 4)))
    subject = filled(chance.choice(_SUBJECTS))
    return WrittenCommit(at, subject, _wrapped(" ".join(map(filled, sentences))), changed)


def _wrapped(body: str) -> str:
    return "\n\n".join(textwrap.fill(part, _COLUMNS) for part in body.split("\n\n"))


def _tasks(data: Mapping[str, Any], known: Mapping[str, str]) -> Iterator[CommitTask]:
    name = data["name"]
    for number, each in enumerate(data["decisions"], 1):
        yield CommitTask(
            f"{name}-{number:02d}",
            name,
            each["kind"],
            each["prompt"],
            frozenset({known[each["subject"]]}),
            tuple(each["phrases"]),
        )
    for number, prompt in enumerate(data["unanswered"], len(data["decisions"]) + 1):
        yield CommitTask(f"{name}-{number:02d}", name, "none", prompt, frozenset(), ())
