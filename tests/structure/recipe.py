"""The recipes of `assets/docs/recipes.md`, read as they are written and followed in a copy.

A fenced block after "`path`:" is a new file; one after "In `path`, after `start`:" goes in below
the first line that begins so; one after "before `start`:" goes in above it.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from structure.source import ROOT, files

PAGE = ROOT / "assets" / "docs" / "recipes.md"
_STEP = re.compile(
    r"^(?:In )?`(?P<path>[^`]+)`(?:, (?P<side>after|before) (?P<ticks>`+) ?"
    r"(?P<start>.+?) ?(?P=ticks))?:\n\n?"
    r"```\w*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Step:
    """A file to write, or lines to add after the first line that begins with ``start``.

    With ``is_before``, before it.
    """

    path: str
    start: str | None
    text: str
    is_before: bool = False

    def follow(self, root: Path) -> None:
        """Do it in a copy of the repository."""
        file = root / self.path
        if self.start is None:
            assert not file.exists(), f"{self.path} is there already"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.text, encoding="utf-8")
            return
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        places = [n for n, line in enumerate(lines) if line.strip().startswith(self.start)]
        assert places, f"{self.path} has no line that begins with {self.start}"
        lines.insert(places[0] + (not self.is_before), self.text)
        # A link of the copy must not lead to the file itself.
        file.unlink()
        file.write_text("".join(lines), encoding="utf-8")


def steps(title: str) -> list[Step]:
    """Return the steps of the recipe below the heading ``## title``."""
    text = PAGE.read_text(encoding="utf-8")
    section = text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    found = [
        Step(m["path"], m["start"], m["text"], is_before=m["side"] == "before")
        for m in _STEP.finditer(section)
    ]
    assert found, f"recipes.md has no recipe {title!r}"
    return found


# What rules about the whole package look at: SQL, and the declarations of settings.
_OF_ALL = re.compile(r"app/intaglio/(?:store/.*|(?:.*/)?(?:\w+_rows|rows|migrations|settings)\.py)")


def copy(target: Path) -> Path:
    """Copy what git has or would take, and what set-up built; return the copy's top.

    Its git ignores what no recipe changes, but SQL and settings: what isn't changed was held
    against the rules in the repository.
    """
    ignored: list[str] = []
    recipes_change = changed()
    for file in files():
        name = file.relative_to(ROOT).as_posix()
        if name not in recipes_change and not _OF_ALL.fullmatch(name):
            ignored.append(f"/{name}")
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        # With its time, by which Python knows what it has compiled.
        shutil.copy2(file, place)
    for folder in ("app", "tests"):
        # Another worker's half-written file has another suffix.
        for compiled in (ROOT / folder).rglob("__pycache__/*.pyc"):
            place = target / compiled.relative_to(ROOT)
            if place.parent.parent.is_dir():
                place.parent.mkdir(exist_ok=True)
                shutil.copyfile(compiled, place)
    built = Path("app/intaglio/_built")
    (target / built).symlink_to(ROOT / built)
    (target / "ui/node_modules").symlink_to(ROOT / "ui/node_modules")
    (target / ".venv").symlink_to(ROOT / ".venv")
    subprocess.run(["git", "init", "--quiet"], cwd=target, check=True)
    (target / ".git/info/exclude").write_text("\n".join(ignored), encoding="utf-8")
    return target


def command(title: str) -> str:
    """Return the shell commands of the recipe below the heading ``## title``."""
    section = PAGE.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2]
    return section.partition("```sh\n")[2].partition("```")[0]


def changed() -> set[str]:
    """Name the files of the repository that the recipes change."""
    text = PAGE.read_text(encoding="utf-8")
    return {m["path"] for m in _STEP.finditer(text) if m["start"] is not None} - written()


def written() -> set[str]:
    """Name the files that the recipes write, which are nowhere but in a copy."""
    text = PAGE.read_text(encoding="utf-8")
    return {m["path"] for m in _STEP.finditer(text) if m["start"] is None}
