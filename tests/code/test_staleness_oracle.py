"""Two hundred generated changes of a repository against an oracle that knows only the changes."""

import random
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fakes.code_bench import CodeBench
from fakes.git import git, repository
from fakes.store import bench

FILES, STEPS, FOLLOWED_EVERY = 16, 200, 20
KINDS = ("both", "symbol", "file")
CHANGES = ("small edit", "big edit", "delete symbol", "delete", "rename", "rename", "revert")


@dataclass
class Modelled:
    """A file: where it is, which functions it has, and both as they were at first.

    ``known`` is where the background last saw it, if that wasn't its first path.
    """

    number: int
    first_path: str
    functions: dict[str, list[str]]
    path: str | None = ""
    known: str | None = None
    first: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def __post_init__(self) -> None:
        self.path = self.first_path
        self.first = {name: list(lines) for name, lines in self.functions.items()}

    @property
    def text(self) -> str:
        """What is in the file."""
        return "\n\n\n".join("\n".join(lines) for lines in self.functions.values()) + "\n"

    @property
    def symbol(self) -> str:
        """The function that memories name."""
        return f"work_{self.number}_a"

    def said(self, kind: str) -> str:
        """Return the memory about it."""
        match kind:
            case "both":
                return f"{self.first_path}: {self.symbol} must not be called twice"
            case "symbol":
                return f"`{self.symbol}` is called once a day"
            case _:
                return f"{self.first_path} belongs to team {self.number}"

    def expected(self, kind: str) -> str:
        """Return what is to be said of the memory: the oracle."""
        is_home = self.path == self.first_path
        if not is_home and (self.path is None or self.path != self.known):
            return "symbol gone since" if kind == "symbol" else "file gone since"
        if kind == "file":
            first, now = self._lines(self.first), self._lines(self.functions)
        else:
            if self.symbol not in self.functions:
                return "symbol gone since"
            first, now = self.first[self.symbol], self.functions[self.symbol]
        left = sum((Counter(first) & Counter(now)).values())
        if 2 * left < len(first):
            return "code changed since"
        return "" if is_home or kind == "symbol" else "file renamed since"

    @staticmethod
    def _lines(functions: dict[str, list[str]]) -> list[str]:
        return [line for lines in functions.values() for line in lines]


def made(number: int) -> Modelled:
    """Return a file with two functions of ten lines."""
    functions = {
        name: [f"def {name}(value):", *(f"    step_{name}_{n}(value)" for n in range(9))]
        for name in (f"work_{number}_a", f"work_{number}_b")
    }
    return Modelled(number, f"src/part{number:02}/module_{number}.py", functions)


def change(file: Modelled, what: str, step: int, draw: random.Random) -> None:
    """Change a file; what isn't possible does nothing."""
    if what == "revert":
        file.path = file.first_path
        file.functions = {name: list(lines) for name, lines in file.first.items()}
    elif file.path is None:
        return
    elif what == "delete":
        file.path = None
    elif what == "rename":
        file.path = f"src/part{file.number:02}/renamed_{file.number}_{step}.py"
    elif what == "delete symbol":
        file.functions.pop(file.symbol, None)
    else:
        for name, lines in file.functions.items():
            for line in draw.sample(range(1, 10), 2 if what == "small edit" else 8):
                lines[line] = f"    other_{name}_{step}_{line}(value)"


def commits(states: Sequence[dict[str, str]]) -> Iterator[bytes]:
    """Yield what `git fast-import` reads: one commit for each state, whole."""
    for number, state in enumerate(states, 1):
        yield f"commit refs/heads/made\nmark :{number}\n".encode()
        yield f"committer a <a@example.org> {1_700_000_000 + number} +0000\n".encode()
        yield b"data 4\nstep\n"
        if number > 1:
            yield f"from :{number - 1}\n".encode()
        yield b"deleteall\n"
        for path, text in state.items():
            yield f"M 100644 inline {path}\ndata {len(text)}\n{text}\n".encode()


def imported(root: Path, states: Sequence[dict[str, str]]) -> list[str]:
    """Write the commits and return their hashes in order."""
    marks = root.parent / "marks"
    arguments = ["git", "fast-import", "--quiet", f"--export-marks={marks}"]
    subprocess.run(arguments, cwd=root, input=b"".join(commits(states)), check=True)
    lines = (line.split() for line in marks.read_text().splitlines())
    hashes = {int(mark[1:]): name for mark, name in lines}
    return [hashes[number] for number in sorted(hashes)]


def lay_out(root: Path, state: dict[str, str], commit: str) -> None:
    """Check a commit out: its files, and what HEAD names."""
    (root / ".git/refs/heads/main").write_text(f"{commit}\n")
    for file in root.glob("src/*/*.py"):
        if str(file.relative_to(root)) not in state:
            file.unlink()
    for path, text in state.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text() != text:
            file.write_text(text)


async def test_marks_agree_with_an_oracle_after_each_of_200_changes(tmp_path: Path) -> None:
    draw = random.Random(33)  # noqa: S311 - the same changes each time
    files = [made(number) for number in range(FILES)]
    plan = [(draw.randrange(FILES), draw.choice(CHANGES)) for _ in range(STEPS)]
    seen = list[dict[str, str]]()

    def state() -> dict[str, str]:
        return {file.path: file.text for file in files if file.path is not None}

    seen.append(state())
    edits = random.Random(34)  # noqa: S311 - the same changes each time
    for step, (number, what) in enumerate(plan):
        change(files[number], what, step, edits)
        seen.append(state())
    root = repository(tmp_path / "repository")
    git(root, "config", "gc.auto", "0")
    hashes = imported(root, seen)
    lay_out(root, seen[0], hashes[0])

    files = [made(number) for number in range(FILES)]
    edits = random.Random(34)  # noqa: S311 - the same changes each time
    said = Counter[str]()
    async with bench(tmp_path) as opened:
        code = CodeBench(opened, root)
        await code.follow()
        ids = {
            await code.remember(file.said(kind)): (file.number, kind)
            for file in files
            for kind in KINDS
        }
        marks = code.marks()
        for step, (number, what) in enumerate(plan):
            change(files[number], what, step, edits)
            lay_out(root, seen[step + 1], hashes[step + 1])
            if step % FOLLOWED_EVERY == 0:
                await code.follow()
                for file in files:
                    file.known = file.path
            found = await marks.of(ids, code.project)
            told = {ids[each]: found[each].text if each in found else "" for each in ids}
            expected = {(n, kind): files[n].expected(kind) for n, kind in ids.values()}
            assert told == expected, (step, number, what)
            said.update(expected.values())
    # All of them were put to the test.
    assert min(said[each] for each in ("", "file gone since", "file renamed since")) > STEPS
    assert min(said[each] for each in ("symbol gone since", "code changed since")) > STEPS
