"""Changes of one key in odd files of YAML: the lines that differ, or the reason why not."""

import difflib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeGuard

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fakes.odd_yaml import CHANGED, REFUSED, OddFile, RefusedFile, Value
from intaglio.base.agent_yaml.document import BOM
from intaglio.base.agent_yaml.editor import remove_value, set_value
from intaglio.base.agent_yaml.problems import SettingsFileError, UneditableError
from intaglio.base.agent_yaml.scalars import write_scalar
from intaglio.base.settings.settings_file import check

FORMS = ("as it is", "CRLF", "byte order mark", "no final line break", "both and CRLF")


def edited(text: str, key: str, value: Value) -> str:
    return edited_path(text, key.split("."), value)


def edited_path(text: str, path: list[str], value: Value) -> str:
    return remove_value(text, path) if value is None else set_value(text, path, value)


def formed(text: str, form: str) -> str:
    if form in {"CRLF", "both and CRLF"}:
        text = text.replace("\n", "\r\n")
    if form in {"byte order mark", "both and CRLF"}:
        text = BOM + text
    return text.rstrip("\r\n") if form in {"no final line break", "both and CRLF"} else text


def changed_lines(before: str, after: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    # Only what breaks a line in these files; a string may hold others.
    old, new = (re.split(r"\r\n|\n", text.removeprefix(BOM)) for text in (before, after))
    lines = [*difflib.unified_diff(old, new, n=0, lineterm="")][2:]
    goes = tuple(line[1:] for line in lines if line[0] == "-" and line != "-")
    comes = tuple(line[1:] for line in lines if line[0] == "+" and line != "+")
    return goes, comes


def keeps_blanks(text: str) -> bool:
    """Whether the blank lines at its end are part of a value."""
    return "|+" in text


def forms_of(file: OddFile) -> list[str]:
    # Without its last line break, a text that keeps those says something else.
    return [
        form
        for form in FORMS
        if not keeps_blanks(file.text) or ("final" not in form and "both" not in form)
    ]


def test_there_are_more_than_a_hundred_odd_files() -> None:
    files = {formed(file.text, form) for file in CHANGED for form in forms_of(file)}
    assert len(files) + len({file.data for file in REFUSED}) > 200


@pytest.mark.parametrize("file", CHANGED, ids=range(len(CHANGED)))
def test_a_change_of_one_value_changes_its_lines_only(file: OddFile) -> None:
    for form in forms_of(file):
        before = formed(file.text, form)
        after = edited(before, file.key, file.value)
        assert changed_lines(before, after) == (file.goes, file.comes), form
        assert after.startswith(BOM) == before.startswith(BOM), form
        if "\r\n" in before:
            assert "\n" not in after.replace("\r\n", ""), form
        elif "CRLF" not in form:
            assert "\r" not in after, form
        if before.removeprefix(BOM) and after.removeprefix(BOM):
            assert after.endswith("\n") == before.endswith("\n"), form


@pytest.mark.parametrize("file", REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_changed_safely_is_refused_with_its_place(file: RefusedFile) -> None:
    with pytest.raises(SettingsFileError) as refused:
        edited(check(file.data)[0], file.key, file.value)
    problem = refused.value.problem
    assert re.search(file.reason, problem.message), problem.message
    if file.line is not None:
        assert (problem.line, problem.column is not None) == (file.line, True), problem
        assert problem.excerpt is None or problem.excerpt in file.data.decode("utf-8", "replace")


def test_a_file_of_a_megabyte_changes_one_line() -> None:
    text = "".join(f"key{number}:\n  value: {number} # {number}\n" for number in range(30_000))
    assert 900_000 < len(text) < 1_000_000
    after = edited(text, "key29999.value", 0.5)
    assert after == text.replace("value: 29999 #", "value: 0.5 #")


def test_setting_and_removing_gives_the_text_back() -> None:
    for file in CHANGED:
        if file.goes or file.value is None:
            continue
        added = edited(file.text, file.key, file.value)
        again = edited(added, file.key, None)
        if again != file.text:
            # A heading that stood there without anything isn't told from ours.
            assert len(again) < len(file.text), file


KEYS = st.sampled_from(["a", "b", "keepAt", "max_hops", "off", "1", "größe", "two words"])
SCALARS = (
    st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    | st.sampled_from(["off", "null", "1e3", "- a", "a: b", "x #y", "2026-01-31", "{", "*a"])
)
TREES = st.dictionaries(
    KEYS, st.recursive(SCALARS, lambda inner: st.dictionaries(KEYS, inner, max_size=4)), max_size=4
)


def is_section(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


class Writer:
    """Writes a tree as people do: comments, gaps, both styles, any indentation."""

    def __init__(self, choose: Callable[[int], int]) -> None:
        self.choose = choose
        self.comments = 0
        self.step = 2 + choose(3)

    def comment(self) -> str:
        self.comments += 1
        return f"# c{self.comments}."

    def key(self, name: str) -> str:
        return json.dumps(name) if self.choose(3) == 0 else write_scalar(name)

    def flow(self, tree: Mapping[str, Any]) -> str:
        parts = (f"{self.key(name)}: {self.value(value)}" for name, value in tree.items())
        return f"{{{', '.join(parts)}}}"

    def value(self, value: Any) -> str:  # noqa: ANN401 - any tree
        return self.flow(value) if is_section(value) else write_scalar(value)

    def block(self, tree: Mapping[str, Any], depth: int = 0) -> Iterator[str]:
        for name, value in tree.items():
            indent = " " * (depth * self.step)
            if self.choose(3) == 0:
                yield f"{' ' * self.choose(9)}{self.comment()}"
            if self.choose(4) == 0:
                yield ""
            trailing = f" {self.comment()}" if self.choose(3) == 0 else ""
            if is_section(value) and value and self.choose(3):
                yield f"{indent}{self.key(name)}:{trailing}"
                yield from self.block(value, depth + 1)
            else:
                yield f"{indent}{self.key(name)}: {self.value(value)}{trailing}"


def with_value(tree: dict[str, Any], path: list[str], value: Value) -> dict[str, Any]:
    """Return the tree with the value, or without the key."""
    name, *rest = path
    below = tree.get(name)
    if value is None and (not rest or name not in tree):
        return {key: each for key, each in tree.items() if key != name}
    if rest:
        return tree | {name: with_value(below if is_section(below) else {}, rest, value)}
    return tree | {name: value}


def is_in_the_way(tree: Any, path: list[str], value: Value) -> bool:  # noqa: ANN401 - any tree
    """Whether a value is where a section belongs, or a section where the value does."""
    for name in path:
        if not is_section(tree):
            return True
        if name not in tree:
            return False
        tree = tree[name]
    # An empty section may be removed, but no value can be set in its place.
    return is_section(tree) and (bool(tree) or value is not None)


def without_empty(tree: object) -> object:
    """Leave out sections that hold nothing: removing a key may take them along."""
    if not is_section(tree):
        return tree
    kept = {key: without_empty(value) for key, value in tree.items()}
    return {key: value for key, value in kept.items() if value not in ({}, None)}


@given(st.data(), TREES)
def test_only_the_key_differs_and_all_comments_survive(data: st.DataObject, tree: Any) -> None:  # noqa: ANN401 - any tree
    writer = Writer(lambda most: data.draw(st.integers(0, most - 1)))
    newline = data.draw(st.sampled_from(["\n", "\r\n"]))
    text = newline.join([*writer.block(tree), *([""] if data.draw(st.booleans()) else [])])
    path = data.draw(st.lists(KEYS, min_size=1, max_size=4))
    value = data.draw(st.none() | SCALARS)
    if is_in_the_way(tree, path, value):
        with pytest.raises(UneditableError, match=r"single value|section"):
            edited_path(text, path, value)
        return
    after = edited_path(text, path, value)
    wanted = with_value(tree, path, value)
    found: Any = yaml.safe_load(after) or {}
    assert without_empty(found) == without_empty(wanted)
    gone = {*re.findall(r"# c\d+\.", text)} - {*re.findall(r"# c\d+\.", after)}
    # A removed line takes the comment on it along.
    assert len(gone) <= (value is None)
    if newline == "\r\n" and newline in text:
        assert "\n" not in after.replace("\r\n", "")
