"""Finds the files of a project that a text names: by definitions, paths, imports and messages.

Each function reads the index of the checked-out commit with a few indexed statements. A project
without an index has no files. What too many files have says nothing, and is left out.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from intaglio.code import rows
from intaglio.code.terms import asked_shingles, stem_of, term
from intaglio.store.tx import ReadTx

MOST_FILES: Final = 8
"""What more files than this define, or are named, says nothing."""

_MOST_WITH_MESSAGE: Final = 5
# Files of one name that are compared with a longer path.
_MOST_OF_NAME: Final = 200
_MOST_ASKED: Final = 200
_SEPARATORS: Final = re.compile(r"::|->|[.#\\]")
_LINE: Final = re.compile(r"(?::\d{1,7}){1,2}:?$|#L\d{1,7}$")
_TEST_AFFIXES: Final = re.compile(r"^(?:tests?_|spec_)|(?:_tests?|_spec|Tests?|Spec|IT|TestCase)$")


def files_defining(tx: ReadTx, project: str, names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return, of each name, the paths of the files that define it.

    Of a qualified name (``Class.method``, ``module::function``), the files that define its last
    part and define, or are named like, an earlier one; where none does, those of the last part.
    """
    number = rows.number_of(tx, project)
    if number is None:
        return {}
    asked = {name: _parts(name) for name in _some(names)}
    lasts = {each[-1] for each in asked.values() if each}
    before = {part for each in asked.values() for part in each[:-1]}
    terms = {term(number, "definition", each) for each in lasts | before}
    terms |= {term(number, "stem", each) for each in before}
    found = rows.files_of(tx, sorted(terms), MOST_FILES + 1)
    numbers: dict[str, list[int]] = {}
    for name, parts in asked.items():
        files = _defining(tx, number, parts, found)
        if 0 < len(files) <= MOST_FILES:
            numbers[name] = files
    return _with_paths(tx, number, numbers)


def _defining(
    tx: ReadTx, number: int, parts: Sequence[str], found: Mapping[int, list[int]]
) -> list[int]:
    if not parts:
        return []
    last = term(number, "definition", parts[-1])
    files = found.get(last, [])
    near: set[int] = set()
    for part in parts[:-1]:
        for kind in ("definition", "stem"):
            listed = found.get(term(number, kind, part), [])
            if len(listed) <= MOST_FILES:
                near.update(listed)
    if near and files:
        both = rows.have(tx, last, sorted(near))
        return both or files
    return files


def files_named(tx: ReadTx, project: str, names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return, of each path, suffix of a path or file name, the paths of the files that it names.

    A line number behind it is ignored; an absolute path is one below the project, or one whose end
    is a path of the project.
    """
    number = rows.number_of(tx, project)
    if number is None:
        return {}
    asked = {name: plain for name in _some(names) if (plain := _plain(name, project))}
    terms = {plain: term(number, "name", plain.rpartition("/")[2]) for plain in asked.values()}
    alone = [key for plain, key in terms.items() if "/" not in plain]
    deep = [key for plain, key in terms.items() if "/" in plain]
    found = rows.files_of(tx, alone, MOST_FILES + 1) | rows.files_of(tx, deep, _MOST_OF_NAME)
    paths = rows.paths_of(tx, number, {each for files in found.values() for each in files})
    named: dict[str, tuple[str, ...]] = {}
    for name, plain in asked.items():
        of_name = [paths[each] for each in found.get(terms[plain], ()) if each in paths]
        matching = _matching(plain, of_name)
        if 0 < len(matching) <= MOST_FILES:
            named[name] = tuple(sorted(matching))
    return named


def _matching(asked: str, paths: Sequence[str]) -> list[str]:
    if asked in paths and "/" in asked:
        return [asked]
    if not asked.startswith("/"):
        return [each for each in paths if each == asked or each.endswith(f"/{asked}")]
    # The path of another machine or a container, as in a stack trace.
    ends = [each for each in paths if "/" in each and asked.endswith(f"/{each}")]
    return [max(ends, key=len)] if ends else []


def _plain(name: str, project: str) -> str:
    """Return a path with slashes, below the project, without a line number."""
    path = _LINE.sub("", name.strip()).replace("\\", "/")
    root = project.replace("\\", "/").rstrip("/") + "/"
    path = path.removeprefix(root).removeprefix("./")
    if re.match(r"[A-Za-z]:/", path):
        path = path[2:]
    return path


def files_imported_by(
    tx: ReadTx, project: str, paths: Iterable[str]
) -> Mapping[str, tuple[str, ...]]:
    """Return, of each test's path, the files that it imports, then those it is named after."""
    number = rows.number_of(tx, project)
    if number is None:
        return {}
    tests = _some(paths)
    targets: dict[str, list[str]] = {each: [] for each in tests}
    for path, target in rows.targets_of(tx, number, tests):
        if path in targets:
            targets[path].append(target)
    subjects = {path: subject for path in tests if (subject := tested_stem(path))}
    modules = {each for some in targets.values() for each in some}
    known = _read_known(tx, number, modules, set(subjects.values()), tests)
    imported: dict[str, tuple[str, ...]] = {}
    for path in tests:
        listed: dict[str, None] = {}
        for target in targets[path]:
            listed.update(dict.fromkeys(_few(known.of_module(target))))
        listed.update(dict.fromkeys(_few(known.of_subject(subjects.get(path, ""), path))))
        listed.update(dict.fromkeys(_few(known.beside(path))))
        listed.pop(path, None)
        if listed:
            imported[path] = tuple(listed)
    return imported


@dataclass(frozen=True, slots=True)
class _KnownFiles:
    """The files that tests may mean: paths by stem, and Go files by folder."""

    by_stem: Mapping[str, Sequence[str]]
    by_folder: Mapping[str, Sequence[str]]

    def of_module(self, target: str) -> list[str]:
        """Return the files of a module, whose path is given without a root and an ending."""
        listed = self.by_stem.get(target.rpartition("/")[2], ())
        bare = ((path, str(PurePosixPath(path).with_suffix(""))) for path in listed)
        return [path for path, each in bare if each == target or each.endswith(f"/{target}")]

    def of_subject(self, stem: str, test: str) -> list[str]:
        """Return the files that a test is named after: of its language, and no tests."""
        ending = PurePosixPath(test).suffix
        named = (
            each for each in self.by_stem.get(stem, ()) if PurePosixPath(each).suffix == ending
        )
        return [each for each in named if not is_test(each)]

    def beside(self, test: str) -> list[str]:
        """Return the other files of a Go test's package."""
        return [each for each in self.by_folder.get(_folder(test), ()) if not tested_stem(each)]


def _read_known(
    tx: ReadTx, number: int, targets: set[str], subjects: set[str], tests: Sequence[str]
) -> _KnownFiles:
    stems = {each.rpartition("/")[2] for each in targets} | subjects
    folders = {_folder(each) for each in tests if each.endswith(".go")}
    of_stem = {term(number, "stem", each): each for each in stems}
    of_folder = {term(number, "folder", each): each for each in folders}
    found = rows.files_of(tx, sorted((*of_stem, *of_folder)), _MOST_OF_NAME)
    paths = rows.paths_of(tx, number, {each for files in found.values() for each in files})

    def listed(terms: Mapping[int, str]) -> dict[str, list[str]]:
        return {
            text: [paths[each] for each in found.get(key, ()) if each in paths]
            for key, text in terms.items()
        }

    return _KnownFiles(listed(of_stem), listed(of_folder))


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _few(paths: Sequence[str]) -> Sequence[str]:
    return paths if len(paths) <= MOST_FILES else ()


def files_with_message(tx: ReadTx, project: str, text: str) -> tuple[str, ...]:
    """Return the files that raise or log a message that stands in a text, likeliest first."""
    number = rows.number_of(tx, project)
    if number is None:
        return ()
    terms = {term(number, "message", each) for each in asked_shingles(text)}
    found = rows.files_of(tx, sorted(terms), _MOST_WITH_MESSAGE + 1)
    counts = Counter(
        each for files in found.values() if len(files) <= _MOST_WITH_MESSAGE for each in files
    )
    paths = rows.paths_of(tx, number, counts)
    ranked = sorted(paths, key=lambda each: (-counts[each], paths[each]))
    return tuple(paths[each] for each in ranked[:MOST_FILES])


def is_test(path: str) -> bool:
    """Tell whether a file is a test, by its name or one of its folders."""
    parts = PurePosixPath(path).parts
    folders = {"test", "tests", "spec", "specs", "__tests__"}
    return bool(folders & set(parts[:-1])) or bool(tested_stem(path))


def tested_stem(path: str) -> str:
    """Return what a test file is named after (``foo`` for ``test_foo.py``), else nothing."""
    name = PurePosixPath(path).name
    stem = stem_of(name)
    endings = name[len(stem) :].split(".")[1:-1]
    if {"test", "spec", "tests"} & set(endings):
        return stem
    subject = _TEST_AFFIXES.sub("", stem)
    return subject if subject != stem else ""


def _parts(name: str) -> list[str]:
    return [part for part in _SEPARATORS.split(name.strip().removesuffix("()")) if part]


def _some(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))[:_MOST_ASKED]


def _with_paths(
    tx: ReadTx, number: int, numbers: Mapping[str, Sequence[int]]
) -> dict[str, tuple[str, ...]]:
    paths = rows.paths_of(tx, number, {each for files in numbers.values() for each in files})
    found = {
        name: tuple(sorted(paths[each] for each in files if each in paths))
        for name, files in numbers.items()
    }
    return {name: each for name, each in found.items() if each}
