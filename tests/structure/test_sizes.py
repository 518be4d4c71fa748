"""No module, function or component outgrows what a reader can hold in mind."""

import ast

from structure.source import ROOT, files, modules, nodes, refuse

MODULE_LINES = 600
FUNCTION_LINES = 80
COMPONENT_LINES = 400
DECISION_LINES = 60


def too_long(suffix: str, limit: int, folder: str = "") -> list[str]:
    lengths = {
        path: len(path.read_text(encoding="utf-8").splitlines())
        for path in files()
        if path.suffix == suffix and path.is_relative_to(ROOT / folder)
    }
    return [f"{path}: {lines} lines" for path, lines in lengths.items() if lines > limit]


def test_no_module_is_longer_than_its_limit() -> None:
    refuse(too_long(".py", MODULE_LINES))


def test_no_component_is_longer_than_its_limit() -> None:
    refuse(too_long(".svelte", COMPONENT_LINES))


def test_no_typescript_module_is_longer_than_its_limit() -> None:
    generated = ROOT / "ui" / "src" / "lib" / "api" / "schema.d.ts"
    long = too_long(".ts", MODULE_LINES)
    refuse([line for line in long if not line.startswith(str(generated))])


def test_no_decision_record_is_longer_than_its_limit() -> None:
    refuse(too_long(".md", DECISION_LINES, "assets/docs/decisions"))


def test_no_function_is_longer_than_its_limit() -> None:
    long = [
        f"{module.name}:{node.lineno} {node.name}"
        for folder in ("app", "tests")
        for module in modules(folder)
        for node in nodes(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno + 1 > FUNCTION_LINES
    ]
    refuse(long)
