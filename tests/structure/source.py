"""The source tree as the structure tests read it: its modules, its files, its literal strings."""

import ast
import gc
import subprocess
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "app" / "intaglio"


@dataclass(frozen=True, slots=True)
class Module:
    """A Python module: where it lies, which package it belongs to, and what stands in it."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def package(self) -> str:
        """The folder below the package, or nothing for what lies outside of the packages."""
        parts = self.path.relative_to(ROOT).parts
        return parts[2] if parts[:2] == ("app", "intaglio") and len(parts) > 3 else ""


@cache
def files() -> tuple[Path, ...]:
    """List the files that git has or would take, as they lie in the work tree."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return tuple(sorted(path for path in paths if path.is_file()))


@contextmanager
def _uncollected() -> Generator[None]:
    """Build what is kept without the collector, which would visit all of it many times."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        # Nor does it visit it while other tests run.
        gc.freeze()
        if enabled:
            gc.enable()


@cache
def _module(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    return Module(path, text, ast.parse(text))


@cache
def modules(folder: str = "app") -> tuple[Module, ...]:
    """Parse every Python module below a folder of the repository, each of them once."""
    paths = (path for path in files() if path.suffix == ".py")
    with _uncollected():
        return tuple(_module(path) for path in paths if path.is_relative_to(ROOT / folder))


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """List what stands in a tree as `ast.walk` yields it; a tree is walked once for all tests."""
    with _uncollected():
        return tuple(ast.walk(tree))


def _docstrings(tree: ast.Module) -> set[int]:
    return {
        id(node.body[0].value)
        for node in nodes(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }


@cache
def strings(tree: ast.Module) -> tuple[tuple[int, str], ...]:
    """List (line, text) of each literal string but docstrings; ``{}`` where a value goes in."""
    return tuple(_strings(tree))


def _strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    skipped = _docstrings(tree)
    for node in nodes(tree):
        if isinstance(node, ast.JoinedStr):
            skipped.update(id(part) for part in node.values)
            yield node.lineno, "".join(_part(part) for part in node.values)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in skipped
        ):
            yield node.lineno, node.value


def _part(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else "{}"


def refuse(found: Iterable[object]) -> None:
    """Fail with all that was found, one a line, if anything was."""
    lines = [str(entry) for entry in found]
    assert not lines, "\n".join(["", *lines])
