"""A job type is known by name only in the module that declares it."""

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from structure.source import PACKAGE, ROOT, Module, files, modules, nodes, refuse, strings

UI = ROOT / "ui" / "src"
GENERATED = UI / "lib" / "api" / "schema.d.ts"


def declared(module: Module) -> list[str]:
    """Name the job types that a module declares."""
    return [
        keyword.value.value
        for node in nodes(module.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "JobType"
        for keyword in node.keywords
        if keyword.arg == "name"
        and isinstance(keyword.value, ast.Constant)
        and isinstance(keyword.value.value, str)
    ]


def named(tree: ast.Module, names: Collection[str]) -> list[int]:
    """List the lines with a string that is one of these names, or quotes one as SQL does."""
    quoted = [f"'{name}'" for name in names]
    return [
        line
        for line, text in strings(tree)
        if text in names or any(name in text for name in quoted)
    ]


def named_in_ui(text: str, names: Collection[str]) -> list[int]:
    """List the lines of TypeScript with one of these names as a string or as a key."""
    known = "|".join(map(re.escape, names))
    pattern = re.compile(rf"""["'`](?:{known})["'`]|^\s*(?:{known})\??:""")
    return [number for number, line in enumerate(text.splitlines(), 1) if pattern.search(line)]


def declarations() -> dict[str, list[Module]]:
    found: dict[str, list[Module]] = {}
    for module in modules("app/intaglio"):
        for name in declared(module):
            found.setdefault(name, []).append(module)
    return found


def ui_sources() -> Iterator[Path]:
    for path in files():
        is_source = path.suffix in {".ts", ".svelte"} and ".test." not in path.name
        if is_source and path.is_relative_to(UI) and path != GENERATED:
            yield path


def test_each_job_type_is_declared_once() -> None:
    found = declarations()
    assert found
    refuse(name for name, places in found.items() if len(places) > 1)


def test_a_job_type_is_named_only_where_it_is_declared() -> None:
    own = {name: places[0].name for name, places in declarations().items()}
    refuse(
        f"{module.name}:{line}"
        for module in modules("app/intaglio")
        for line in named(module.tree, [name for name in own if own[name] != module.name])
    )


def test_the_dashboard_names_no_job_type() -> None:
    names = declarations()
    refuse(
        f"{path.relative_to(ROOT)}:{line}"
        for path in ui_sources()
        for line in named_in_ui(path.read_text(encoding="utf-8"), names)
    )


def test_a_planted_name_is_seen() -> None:
    def lines(source: str) -> list[int]:
        return named(ast.parse(source), ["tidy"])

    assert lines('enqueue(tx, "tidy", subject)') == [1]
    assert lines("SQL = \"SELECT 1 FROM jobs WHERE type IN ('tidy', 'sort')\"") == [1]
    assert lines('"""Jobs of type tidy."""\nword = "tidying"') == []
    assert named_in_ui('  tidy: "Tidying",', ["tidy"]) == [1]
    assert named_in_ui('if (job.type === "tidy") return;', ["tidy"]) == [1]
    assert named_in_ui("tidyUp(jobs);", ["tidy"]) == []


def test_a_planted_declaration_is_seen() -> None:
    source = 'TIDY = JobType(name="tidy", label="Tidying")'
    module = Module(PACKAGE / "jobs" / "planted.py", source, ast.parse(source))
    assert declared(module) == ["tidy"]
