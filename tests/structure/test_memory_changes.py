"""Memories change only through the operations of `memory`, each of which tells of its change.

No change of a memory are its use counts, the marks of its vectors, the purge of a tombstone, which
was told when the memory was forgotten, the path of the file that it was read in, and the move of a
whole project, which takes along all that a listener would follow. That a memory is replaced is
written and told by `memory/replacement.py`.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from structure.source import PACKAGE, Module, modules, nodes, refuse, strings
from structure.test_tables import written

REPLACEMENT = PACKAGE / "memory" / "replacement.py"
OPERATIONS = PACKAGE / "memory" / "operations.py"
# The functions that write the row of a memory; operations.py alone calls them.
WRITERS = frozenset({"insert", "update", "set_deleted", "delete"})
# What writes the table besides, and is no change of a memory.
NO_CHANGE = frozenset(
    {
        *("count_use", "note_embedded", "correct_models"),
        *("purge_tombstones", "raise_confidence", "give_memories", "set_source_path"),
    }
)


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in tree.body if isinstance(node, ast.FunctionDef))


def aliases(tree: ast.Module) -> set[str]:
    """Name what the rows of memories are called in a module."""
    return {
        alias.asname or alias.name
        for node in nodes(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "intaglio.memory"
        for alias in node.names
        if alias.name == "rows"
    }


def writes(tree: ast.AST, rows: set[str]) -> list[int]:
    """Give the lines in which a memory's row is written through ``memory.rows``."""
    return [
        node.lineno
        for node in nodes(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in WRITERS
        and isinstance(node.value, ast.Name)
        and node.value.id in rows
    ]


def imported(tree: ast.Module) -> list[int]:
    """Give the lines that import a writing function by its name."""
    return [
        node.lineno
        for node in nodes(tree)
        if isinstance(node, ast.ImportFrom)
        and node.module == "intaglio.memory.rows"
        and any(alias.name in WRITERS for alias in node.names)
    ]


def untold(tree: ast.Module) -> list[str]:
    """Name the functions that write a memory and do not return right after telling of it."""
    rows = aliases(tree)
    return [
        function.name
        for function in functions(tree)
        if writes(function, rows) and not _ends_in_publishing(function)
    ]


def _ends_in_publishing(function: ast.FunctionDef) -> bool:
    match function.body[-2:]:
        case [ast.Expr(value=ast.Call(func=ast.Name(id="publish_change"))), ast.Return()]:
            return True
        case _:
            return False


def strangers(module: Module) -> list[str]:
    """Name the functions outside of the known ones whose SQL writes the table."""
    return [
        f"{module.name}:{line} in {function.name}"
        for function in functions(module.tree)
        if function.name not in WRITERS | NO_CHANGE | {"set_replaced"}
        for line, text in strings(ast.Module([function], []))
        if "memories" in written(text)
    ]


def test_only_the_operations_write_a_memory() -> None:
    refuse(
        f"{module.name}:{line}"
        for module in modules("app/intaglio")
        if module.path != OPERATIONS
        for line in (*writes(module.tree, aliases(module.tree)), *imported(module.tree))
    )


def test_only_one_module_replaces_a_memory() -> None:
    calling = [m.path for m in modules("app/intaglio") if "set_replaced(" in m.text]
    assert sorted(calling) == [REPLACEMENT, PACKAGE / "memory" / "rows.py"]


def test_each_operation_announces_its_change() -> None:
    tree = ast.parse(OPERATIONS.read_text(encoding="utf-8"))
    telling = [each.name for each in functions(tree) if writes(each, aliases(tree))]
    assert telling == ["insert", "modify", "forget", "recover", "erase"]
    refuse(untold(tree))


def test_other_writers_of_the_table_change_no_memory() -> None:
    refuse(
        stranger
        for module in modules("app/intaglio")
        if "migrations" not in module.path.parts
        for stranger in strangers(module)
    )


@pytest.mark.parametrize(
    "planted",
    [
        "from intaglio.memory import rows\ndef tidy(tx):\n    rows.delete(tx, 'a')\n",
        "from intaglio.memory import rows as memories\nstep = memories.set_deleted\n",
        "from intaglio.memory.rows import update\n",
    ],
)
def test_a_write_past_the_operations_is_seen(planted: str) -> None:
    tree = ast.parse(planted)
    assert writes(tree, aliases(tree)) or imported(tree)


def test_an_operation_that_announces_nothing_is_found() -> None:
    planted = (
        "from intaglio.memory import rows\ndef hide(tx):\n    rows.delete(tx, 'a')\n    return 1\n"
    )
    assert untold(ast.parse(planted)) == ["hide"]


def test_sql_that_changes_memories_elsewhere_is_seen() -> None:
    planted = "def hide(tx):\n    tx.execute('UPDATE memories SET content = ?')\n"
    assert strangers(Module(PACKAGE / "hide_rows.py", planted, ast.parse(planted)))


def test_the_operations_are_where_they_are_looked_for() -> None:
    assert Path(OPERATIONS).is_file()
