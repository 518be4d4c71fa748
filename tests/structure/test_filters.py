"""A filter of memories stands in the table of `memory/filters.py` and nowhere else."""

import ast
import re

import msgspec
import pytest

from intaglio.memory.filters import ENTRIES, SWITCHES
from intaglio.wire.memory import RecallRequest
from structure.source import PACKAGE, Module, modules, nodes, refuse, strings

TABLE = PACKAGE / "memory" / "filters.py"
# The values of visibility, and the rule of who may read what, are said here.
RULE = PACKAGE / "domain" / "reader.py"
VALUES = frozenset({"global", "private"})
# The same words with another meaning: names on the wire, and the reach of a reason.
OTHER_MEANING = frozenset(
    {
        "app/intaglio/api/routes/projects.py",
        "app/intaglio/sessions/selection.py",
        "app/intaglio/wire/agents.py",
        "app/intaglio/wire/projects.py",
    }
)
_COLUMNS = sorted({name for entry in ENTRIES for name in entry.reads} - {"forgotten"})
_CONDITION = re.compile(rf"\bm\.(?:{'|'.join(_COLUMNS)})\s*(?:=|<=|>=|IN\b|NOT IN\b)\s*[\[(?'{{]")
_VALUE_IN_SQL = re.compile(r"'(?:global|private)'")
# A range of time that ends before a moment, which no filter asks; and a fixed threshold.
_NO_FILTER = re.compile(r"m\.created_at >= \? AND m\.created_at < \?|m\.importance >= \{\}")


def conditions(module: Module) -> list[str]:
    """Name the conditions in SQL that a filter could be."""
    return [
        f"{module.name}:{line} {found.group()}"
        for line, text in strings(module.tree)
        if (found := _CONDITION.search(_NO_FILTER.sub("", text)))
    ]


def visibilities(module: Module) -> list[str]:
    """Name the places where a value of visibility is written out."""
    return [
        f"{module.name}:{line} {text!r}"
        for line, text in strings(module.tree)
        if text in VALUES or _VALUE_IN_SQL.search(text)
    ]


def readings(module: Module) -> list[str]:
    """Name the places that apply a filter by hand: that compare a field of a `Filter`."""
    fields = {entry.name for entry in ENTRIES} - {"reader", "project", "forgotten"}
    return [
        f"{module.name}:{node.lineno} {each.attr}"
        for node in nodes(module.tree)
        if isinstance(node, ast.Compare)
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute)
        and isinstance(each.value, ast.Name)
        and each.value.id in {"wanted", "filters"}
        and each.attr in fields
    ]


def others() -> list[Module]:
    return [
        module
        for module in modules("app/intaglio")
        if module.path != TABLE and "migrations" not in module.path.parts
    ]


def test_filter_conditions_stand_only_in_the_table() -> None:
    refuse(line for module in others() for line in conditions(module))


def test_no_filter_is_applied_by_hand() -> None:
    refuse(line for module in others() for line in readings(module))


def test_the_values_of_visibility_are_written_once() -> None:
    refuse(
        line
        for module in others()
        if module.path != RULE and module.name not in OTHER_MEANING
        for line in visibilities(module)
    )


def test_a_question_can_ask_every_filter_of_the_table() -> None:
    fields = {field.name: field.encode_name for field in msgspec.structs.fields(RecallRequest)}
    asked = {
        entry.name: entry.parameter.name or entry.name for entry in ENTRIES if entry.parameter
    } | dict(SWITCHES)
    assert {name: fields.get(name) for name in asked} == asked


@pytest.mark.parametrize(
    "planted",
    [
        'WHERE = "m.visibility = ?"',
        "SQL = \"SELECT 1 FROM memories m WHERE m.who = 'ann'\"",
        'SQL = "m.importance >= ?"',
        'SQL = "m.type IN (SELECT value FROM json_each(?))"',
        'VISIBLE = "private"',
        "SQL = \"ifnull(visibility, 'global')\"",
        "def passes(wanted, memory):\n    return wanted.type in (None, memory.type)\n",
    ],
)
def test_a_filter_outside_the_table_is_seen(planted: str) -> None:
    module = Module(PACKAGE / "recall" / "planted.py", planted, ast.parse(planted))
    assert conditions(module) or visibilities(module) or readings(module)
