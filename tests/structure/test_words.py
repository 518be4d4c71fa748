"""One name for one thing: types, scope and visibility are named by one table, in every place."""

import re
from collections.abc import Iterable, Iterator, Mapping

import pytest

from intaglio.domain.memory_types import (
    ALWAYS_TOLD,
    GIVEN_TYPES,
    MEMORY_TYPES,
    TYPE_LABELS,
    given_labels,
    shown_type,
    type_named,
)
from intaglio.domain.reader import VISIBILITY_LABELS
from structure.source import ROOT, files, modules, refuse, strings

UI = ROOT / "ui" / "src"
DOCS = ROOT / "assets" / "docs"
# Where the names stand.
TABLES = {"lib/memory/types.ts", "lib/memory/filter-table.ts"}
NAMES = (*TYPE_LABELS.values(), *VISIBILITY_LABELS.values(), "All projects")
# What a person reads as it stands: a whole text of the script, or of the page.
_SPELLED = re.compile(rf"""["'`>](?:{"|".join(map(re.escape, NAMES))})["'`<]""")
# A fact below an aspect is a statement, a constraint is always told; no scope is global.
_FORMER = re.compile(r"\b(?:[Cc]onstraints?|Global|[Gg]lobal (?:memor(?:y|ies)|ones?|scope))\b")
_TEXT = re.compile(r"\"[^\"\n]*\"|`[^`]*`|>[^<>{}\n]+<")
# Nobody reads a class; and people may search for a thing by its former name.
_UNREAD = re.compile(r"\b(?:words|class)[:=]\s*\"[^\"]*\"")


def spelled(texts: Mapping[str, str]) -> Iterator[str]:
    """Name the sources of the dashboard that write out what a table names."""
    for name, text in texts.items():
        for found in _SPELLED.findall(text):
            yield f"{name}: {found} stands in lib/memory/types.ts"


def former(texts: Mapping[str, str]) -> Iterator[str]:
    """Name the texts of the dashboard that use a former name."""
    for name, text in texts.items():
        for shown in _TEXT.findall(_UNREAD.sub("", text)):
            # A text of one small word is a value, not what a person reads.
            if _FORMER.search(shown) and re.search(r"[A-Z ]", shown[1:-1]):
                yield f"{name}: {shown}"


def former_in_prose(texts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Name the pages that use a former name outside of code."""
    for name, text in texts:
        for found in _FORMER.findall(re.sub(r"`[^`\n]*`|```.*?```", "", text, flags=re.DOTALL)):
            yield f"{name}: {found}"


def sources() -> dict[str, str]:
    return {
        path.relative_to(UI).as_posix(): path.read_text(encoding="utf-8")
        for path in files()
        if path.is_relative_to(UI)
        and path.suffix in {".ts", ".svelte"}
        and not path.name.endswith((".test.ts", ".d.ts"))
    }


def test_views_take_names_from_the_tables() -> None:
    texts = sources()
    assert texts.keys() >= TABLES
    refuse(spelled({name: text for name, text in texts.items() if name not in TABLES}))
    refuse(former(texts))


@pytest.mark.parametrize(
    "planted", ["<dd>All projects</dd>", 'label: "Decision"', "const type = `Fact`;"]
)
def test_a_name_that_a_view_spells_is_refused(planted: str) -> None:
    assert list(spelled({"View.svelte": planted}))


@pytest.mark.parametrize("planted", ["<h2>Constraints <a>", 'title: "Global memories"', '"Global"'])
def test_a_former_name_is_refused(planted: str) -> None:
    assert list(former({"View.svelte": planted}))


def test_the_terminal_uses_no_former_name() -> None:
    refuse(
        f"{module.name}:{line} {text!r}"
        for module in modules("app/intaglio/cli")
        for line, text in strings(module.tree)
        if _FORMER.search(text) or text in TYPE_LABELS.values()
    )


def test_help_and_glossary_use_the_names_of_the_tables() -> None:
    pages = sorted((DOCS / "help").glob("*.md"))
    refuse(
        former_in_prose(
            (page.name, page.read_text(encoding="utf-8")) for page in (*pages, ROOT / "README.md")
        )
    )
    for page in (DOCS / "help" / "memories.md", DOCS / "glossary.md"):
        text = page.read_text(encoding="utf-8")
        assert [name for name in NAMES if name.lower() not in text.lower()] == [], page.name
        assert ALWAYS_TOLD in text


def test_each_type_has_one_label_that_names_it() -> None:
    assert set(TYPE_LABELS) == set(MEMORY_TYPES)
    assert len(set(TYPE_LABELS.values())) == len(TYPE_LABELS)
    for value, label in TYPE_LABELS.items():
        assert shown_type(value) == label
        assert type_named(label) == type_named(label.upper()) == type_named(value) == value
    assert all(TYPE_LABELS[each].lower() in given_labels("or") for each in GIVEN_TYPES)
    assert shown_type("decision", always_told=True) == "Decision · always told"
    assert shown_type("of another program") == "of another program"
