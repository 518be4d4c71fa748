"""Names say what a thing is: none of the words that say nothing."""

import ast
import re

from structure.source import ROOT, files, modules, nodes, refuse

EMPTY = frozenset({"util", "utils", "helper", "helpers", "manager", "managers", "common", "misc"})


def words(name: str) -> set[str]:
    """Split a name in any of the usual spellings into its words, in lower case."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return {part.lower() for part in parts}


def test_identifiers_are_split_in_every_spelling() -> None:
    assert words("HTTPCommonThing") == {"http", "common", "thing"}
    assert words("session_utils") == {"session", "utils"}


def test_no_file_or_folder_has_an_empty_name() -> None:
    places = [path.relative_to(ROOT) for path in files()]
    refuse([str(path) for path in places if EMPTY & {w for p in path.parts for w in words(p)}])


def test_no_class_or_function_has_an_empty_name() -> None:
    refuse(
        f"{module.name}:{node.lineno} {node.name}"
        for module in modules("app")
        for node in nodes(module.tree)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and EMPTY & words(node.name)
    )


def public_types(tree: ast.Module) -> list[str]:
    """Name the public classes and type aliases of a module."""
    found: list[str] = []
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name):
                found.append(name)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")):
                found.append(name)
            case ast.Assign(targets=[ast.Name(id=name)]) if re.fullmatch(r"[A-Z]+[a-z]\w*", name):
                found.append(name)
            case _:
                pass
    return [name for name in found if not name.startswith("_")]


def test_public_types_are_seen_in_every_form() -> None:
    source = "class Ab: ...\nclass _B: ...\nCd: TypeAlias = int\nEf = Annotated[int, 0]\nGH = 1"
    assert public_types(ast.parse(source)) == ["Ab", "Cd", "Ef"]


def test_public_types_have_unique_names() -> None:
    homes: dict[str, list[str]] = {}
    for module in modules("app/intaglio"):
        for name in public_types(module.tree):
            homes.setdefault(name, []).append(module.name)
    refuse(f"{name}: {', '.join(places)}" for name, places in homes.items() if len(places) > 1)
