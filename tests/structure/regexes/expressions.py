"""The regular expressions of the package: what is compiled, where, and how it is used."""

import ast
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from structure.source import PACKAGE, ROOT, modules, nodes

# Records what each module compiles while all are imported, and what a few calls compile later.
_RECORD = """
import importlib, json, os, pkgutil, re, sys
import re._compiler as compiler

found, original = {}, compiler.compile

def record(pattern, flags=0):
    made = original(pattern, flags)
    frame = sys._getframe(1)
    while frame and (f"{os.sep}re{os.sep}" in frame.f_code.co_filename
                     or frame.f_code.co_filename.endswith("functools.py")):
        frame = frame.f_back
    if frame and frame.f_code.co_filename.startswith(sys.argv[1]):
        text = made.pattern if isinstance(made.pattern, str) else made.pattern.decode("latin-1")
        key = (text, made.flags, isinstance(made.pattern, bytes))
        file, lines = frame.f_code.co_filename, []
        while frame:
            if frame.f_code.co_filename == file:
                lines.append(frame.f_lineno)
            frame = frame.f_back
        found.setdefault(key, (file, lines))
    return made

compiler.compile = record
import intaglio
for module in pkgutil.walk_packages(intaglio.__path__, "intaglio."):
    importlib.import_module(module.name)
from intaglio.capture.judge import read_turn
from intaglio.capture.phrases import phrase_table
for language in ("en", "de", "es", "fr", "zh", "ja", "other"):
    phrase_table(language)
read_turn("We use tabs.", "")
print(json.dumps([[*key, *place] for key, place in found.items()]))
"""
_COMPILES = frozenset(
    {"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
)
_FROM_THE_START = frozenset({"match", "fullmatch"})
# What these make is tried at the start of each token only; tokens share no characters.
_TOKEN_MAKERS = frozenset({("app/intaglio/redaction/formats/table.py", "_token")})


@dataclass(frozen=True, slots=True)
class Expression:
    """A regular expression, where it is compiled, and whether texts are searched with it.

    Otherwise it is only ever tried at one place of a text; ``whole`` has to match all of it.
    """

    pattern: str | bytes
    flags: int
    file: str
    line: int
    searched: bool
    whole: bool

    @property
    def place(self) -> str:
        """Its place, as in a list of what is allowed."""
        return f"{self.file}:{self.line}"


@cache
def expressions() -> tuple[Expression, ...]:
    """Import the whole package in a process of its own, and return what it compiles."""
    done = subprocess.run(
        [sys.executable, "-c", _RECORD, str(PACKAGE)],
        cwd=PACKAGE.parent,
        check=True,
        capture_output=True,
        text=True,
    )
    tried = _tried_at_one_place()
    found: list[Expression] = []
    for text, flags, is_bytes, file, lines in json.loads(done.stdout):
        methods = [
            used
            for first, last, used in tried.get(Path(file), ())
            if any(first <= line <= last for line in lines)
        ]
        found.append(
            Expression(
                text.encode("latin-1") if is_bytes else text,
                flags,
                Path(file).relative_to(ROOT).as_posix(),
                lines[-1],
                searched=not methods,
                whole=any("fullmatch" in used for used in methods),
            )
        )
    return tuple(found)


def _tried_at_one_place() -> dict[Path, list[tuple[int, int, frozenset[str]]]]:
    """Return the lines of the expressions of which only ``match`` and ``fullmatch`` are used."""
    uses = _uses()
    found: dict[Path, list[tuple[int, int, frozenset[str]]]] = defaultdict(list)
    for module in modules():
        for node in nodes(module.tree):
            match node:
                case ast.Attribute(value=call, attr=method) if _compiles(call):
                    if method in _FROM_THE_START:
                        found[module.path].append(_lines(call, {method}))
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=call)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.Call() as call)
                ) if _compiles(call):
                    # What others import may be used otherwise there.
                    used = uses[module.path, name]
                    if name.startswith("_") and used and used <= _FROM_THE_START:
                        found[module.path].append(_lines(call, used))
                case ast.FunctionDef(name=name) if (module.name, name) in _TOKEN_MAKERS:
                    found[module.path].append(_lines(node, {"match"}))
                case _:
                    pass
    return found


def _lines(node: ast.expr | ast.stmt, used: set[str]) -> tuple[int, int, frozenset[str]]:
    return node.lineno, node.end_lineno or node.lineno, frozenset(used)


def _uses() -> dict[tuple[Path, str], set[str]]:
    """Return the methods that a module uses of each name; ``""`` for one that it passes on."""
    found: dict[tuple[Path, str], set[str]] = defaultdict(set)
    for module in modules():
        of_methods = {
            id(node.value): node.attr
            for node in nodes(module.tree)
            if isinstance(node, ast.Attribute)
        }
        for node in nodes(module.tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found[module.path, node.id].add(of_methods.get(id(node), ""))
    return found


def _compiles(node: ast.expr | None) -> bool:
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="re"), attr="compile") | ast.Name(id="_pattern")
        ):
            return True
        case _:
            return False


def compiled_in_functions() -> Iterator[tuple[str, str, ast.expr]]:
    """Yield the module, the function and the pattern of each expression made at run time."""
    for module in modules():
        for function in nodes(module.tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for node in ast.walk(function):
                match node:
                    case ast.Call(
                        func=ast.Attribute(value=ast.Name(id="re"), attr=name), args=[pattern, *_]
                    ) if name in _COMPILES:
                        yield module.name, function.name, pattern
                    case _:
                        pass
