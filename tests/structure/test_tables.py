"""Every table has one owner, which alone writes it; SQL stands in rows.py modules and the store."""

import re
from collections.abc import Iterator

import pytest

from intaglio.daemon.packages import PACKAGES
from structure.source import Module, modules, refuse, strings

# What a package may write.
OWNERS = {package.name: frozenset(package.tables) for package in PACKAGES.all}

_NAME = r'["\[`]?(\w+|\{\})'
_WRITES = re.compile(
    rf"\b(?:(?:INSERT|REPLACE)\s+(?:OR\s+\w+\s+)?INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+{_NAME}",
    re.IGNORECASE,
)
_STATEMENT = re.compile(
    r"\s*(?:SELECT\s|INSERT\s+(?:OR\s+\w+\s+)?INTO\s|REPLACE\s+INTO\s|UPDATE\s+(?:OR\s+\w+\s+)?\S+\s+SET\s"
    r"|DELETE\s+FROM\s|WITH\s+(?:RECURSIVE\s+)?\w+\s*(?:\([^)]*\)\s*)?AS\s*\("
    r"|(?:CREATE|DROP|ALTER)\s+(?:TABLE|VIEW|TRIGGER|INDEX|UNIQUE|VIRTUAL|TEMP)"
    r"|PRAGMA\s|ATTACH\s|VACUUM\b|BEGIN\s+IMMEDIATE|SAVEPOINT\s)"
)
_LOWER = re.compile(
    r"\s*(?:select\s.+\sfrom\s|insert\s+(?:or\s+\w+\s+)?into\s|update\s+\w+\s+set\s|delete\s+from\s)",
    re.DOTALL,
)
_CREATES = re.compile(r"\bCREATE\s+(?:VIRTUAL\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)")
# The words that may follow UPDATE in a trigger or an upsert, where no table is named.
_NO_TABLE = frozenset({"of", "on", "set"})


def written(text: str) -> list[str]:
    """Name the tables that a piece of SQL writes; ``{}`` for one that is put in at run time."""
    return [name for name in _WRITES.findall(text) if name.lower() not in _NO_TABLE]


def is_sql(text: str) -> bool:
    return bool(_STATEMENT.match(text) or _LOWER.match(text))


def is_place_of_sql(module: Module) -> bool:
    name = module.path.name
    return (
        module.package == "store"
        or name in {"rows.py", "migrations.py"}
        or name.endswith("_rows.py")
    )


def writes() -> Iterator[tuple[Module, int, str]]:
    for module in modules("app/intaglio"):
        for line, text in strings(module.tree):
            if is_sql(text) or is_place_of_sql(module):
                yield from ((module, line, name) for name in written(text))


def test_a_package_writes_only_its_own_tables() -> None:
    foreign = [
        f"{module.name}:{line} writes {table}"
        for module, line, table in writes()
        # Migrations make every table and may move rows; the index of the store follows them. A
        # damaged index is built anew, and rows that refer to nothing are deleted, whose ever it is.
        if "migrations" not in module.path.parts
        and "index_repair" not in module.path.parts
        and module.path.name != "orphans.py"
        and table not in OWNERS.get(module.package, ())
    ]
    refuse(foreign)


def test_sql_stands_only_in_rows_modules_and_the_store() -> None:
    strays = [
        f"{module.name}:{line} {text.strip()[:60]!r}"
        for module in modules("app/intaglio")
        if not is_place_of_sql(module)
        for line, text in strings(module.tree)
        if is_sql(text)
    ]
    refuse(strays)


def test_every_table_has_exactly_one_owner() -> None:
    made = {
        table
        for module in modules("app/intaglio")
        if is_place_of_sql(module)
        for _, text in strings(module.tree)
        for table in _CREATES.findall(text)
    }
    owned = [table for tables in OWNERS.values() for table in tables]
    assert sorted(owned) == sorted(made)


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("INSERT INTO memories(id) VALUES (?)", ["memories"]),
        ("insert or ignore into jobs(id) values (?)", ["jobs"]),
        ("UPDATE OR REPLACE sessions SET a = 1", ["sessions"]),
        ("DELETE FROM memory_history WHERE 1", ["memory_history"]),
        ("INSERT INTO a(b) VALUES (1) ON CONFLICT DO UPDATE SET b = 2", ["a"]),
        ("UPDATE {} SET a = 1", ["{}"]),
        ("SELECT * FROM memories", []),
    ],
)
def test_the_tables_that_a_statement_writes_are_seen(sql: str, tables: list[str]) -> None:
    assert written(sql) == tables
    assert is_sql(sql)


@pytest.mark.parametrize(
    "text", ["Select a memory from the list.", "UPDATE", "Delete this memory?", "with care"]
)
def test_prose_is_not_taken_for_sql(text: str) -> None:
    assert not is_sql(text)
