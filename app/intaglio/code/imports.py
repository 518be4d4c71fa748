"""Finds which modules of a project a test file imports, as paths without their ending.

A target is a path from the project's root, or the end of one: ``intaglio/code/lookup``.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final

MOST_IMPORTS: Final = 60

_FROM: Final = re.compile(
    r"[ \t]{0,20}+from[ \t]{1,9}+(\.{0,4}+)([\w.]{0,200}+)[ \t]{1,9}+import[ \t]{1,9}+"
    r"([^\n]{1,500}+)"
)
_IMPORT: Final = re.compile(r"import[ \t]{1,9}+([\w., \t]{1,500}+)")
_MOST_LINES: Final = 60
_SCRIPT: Final = re.compile(
    r"(?:from|import|require|mock)[ \t]{0,3}+\(?[ \t]{0,3}+[\"'](\.{1,2}/[^\"'\n]{1,200}+)[\"']"
)
_JVM: Final = re.compile(r"^import[ \t]{1,9}+(?:static[ \t]{1,9}+)?([\w.]{3,200}+)", re.MULTILINE)
_RUST: Final = re.compile(r"^[ \t]{0,20}+use[ \t]{1,9}+([\w:]{3,200}+)", re.MULTILINE)
_C: Final = re.compile(r"^#[ \t]{0,9}+include[ \t]{0,9}+\"([^\"\n]{1,200}+)\"", re.MULTILINE)
_RUBY: Final = re.compile(
    r"^[ \t]{0,20}+require(_relative)?[ \t(]{1,3}+[\"']([^\"'\n]{1,200}+)[\"']", re.MULTILINE
)
_ENDINGS: Final = frozenset(
    {".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".vue", ".svelte"}
)


def imported_modules(path: str, text: str) -> tuple[str, ...]:
    """Return the targets of a test file's imports, each once."""
    find = _BY_ENDING.get(PurePosixPath(path).suffix)
    if find is None:
        return ()
    folder = path.rpartition("/")[0]
    found: dict[str, None] = {}
    for target in find(folder, text):
        if target and not target.startswith(("/", "..")):
            found[target] = None
        if len(found) >= MOST_IMPORTS:
            break
    return tuple(found)


def _python(folder: str, text: str) -> Iterator[str]:
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if (plain := _IMPORT.match(line)) is not None:
            names = [each.split() for each in plain.group(1).split(",")]
            yield from (_module(each[0]) for each in names if each)
        elif (match := _FROM.match(line)) is not None:
            dots, module, listed = match.groups()
            base = module.replace(".", "/") if dots else _module(module)
            if dots:
                base = _joined(folder, "/".join([*([".."] * (len(dots) - 1)), base]))
            elif not base:
                continue
            if listed.startswith("(") and ")" not in listed:
                listed += "".join(_until_closed(lines[number + 1 : number + _MOST_LINES]))
            yield base
            for each in listed.strip("() ").split(","):
                name = each.split()
                if name and name[0].isidentifier():
                    yield f"{base}/{name[0]}".lstrip("/")


def _module(name: str) -> str:
    """Return the path of a module; nothing for one of Python itself."""
    return "" if name.partition(".")[0] in sys.stdlib_module_names else name.replace(".", "/")


def _until_closed(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield line.partition("#")[0].partition(")")[0]
        if ")" in line:
            return


def _script(folder: str, text: str) -> Iterator[str]:
    for match in _SCRIPT.finditer(text):
        path = _joined(folder, match.group(1))
        ending = PurePosixPath(path).suffix
        yield path.removesuffix(ending) if ending in _ENDINGS else path
        if ending not in _ENDINGS:
            yield f"{path}/index"


def _jvm(_: str, text: str) -> Iterator[str]:
    for match in _JVM.finditer(text):
        parts = match.group(1).strip(".").split(".")
        yield "/".join(parts)
        # A static import, or one of a nested class.
        yield "/".join(parts[:-1]) if len(parts) > 2 else ""  # noqa: PLR2004 - a package and a class


def _rust(_: str, text: str) -> Iterator[str]:
    for match in _RUST.finditer(text):
        parts = [each for each in match.group(1).split("::") if each]
        own = parts[1:]
        for length in range(len(own), 0, -1):
            yield "/".join(own[:length])


def _c(_: str, text: str) -> Iterator[str]:
    for match in _C.finditer(text):
        path = normpath(match.group(1))
        yield str(PurePosixPath(path).with_suffix("")).lstrip("./")


def _ruby(folder: str, text: str) -> Iterator[str]:
    for match in _RUBY.finditer(text):
        relative, path = match.groups()
        yield _joined(folder, path) if relative else path


def _joined(folder: str, path: str) -> str:
    joined = normpath(f"{folder}/{path}") if folder else normpath(path)
    return "" if joined == "." else joined


_BY_ENDING: Final[dict[str, Callable[[str, str], Iterator[str]]]] = {
    **dict.fromkeys((".py", ".pyi"), _python),
    **dict.fromkeys(_ENDINGS, _script),
    **dict.fromkeys((".java", ".kt", ".scala", ".groovy"), _jvm),
    ".rs": _rust,
    **dict.fromkeys((".c", ".h", ".cc", ".cpp", ".hpp", ".cxx"), _c),
    **dict.fromkeys((".rb", ".rake"), _ruby),
}
