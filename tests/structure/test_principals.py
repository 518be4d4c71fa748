"""Every operation that reads or changes memories declares for which agent it acts."""

import ast
import inspect
from collections.abc import Iterator
from typing import Final

from intaglio.api.app import Application
from intaglio.api.gate.declaration import Principal
from intaglio.api.gate.routes import Route
from structure.source import Module, modules, nodes, refuse

# What reads or changes memories: whoever uses one of these acts for an agent.
OF_MEMORIES: Final = (
    "intaglio.api.routes.memory.filters",
    "intaglio.embedding.export",
    "intaglio.graph",
    "intaglio.harness.dispatch",
    "intaglio.inbox",
    "intaglio.lifecycle.decisions.inbox_decisions",
    "intaglio.lifecycle.removal",
    "intaglio.lifecycle.session_removal",
    "intaglio.memory",
    "intaglio.memory.facet_index",
    "intaglio.memory.history_rows",
    "intaglio.memory.operations",
    "intaglio.memory.rows",
    "intaglio.memory.timeline.timeline_rows",
    "intaglio.pipeline",
    "intaglio.recall",
    "intaglio.sessions.feedback",
    "intaglio.sessions.prompt",
    "intaglio.sessions.session_end",
    "intaglio.sessions.session_start",
)
ASKS: Final = frozenset(
    {
        "agent_of",
        "agent_of_session",
        "named_agent_of",
        "reader_of",
        # It asks who reads the map.
        "requested_map",
        # It asks for the agent of a hook's call.
        "session_of_call",
        "session_reader_of",
    }
)
# What counts memories, or shows none of them.
COUNTS_ONLY: Final = frozenset({"AgentsController", "HealthController", "PipelineStatusController"})
REQUEST_CONTEXT: Final = "app/intaglio/api/request_context.py"
# Only the request's context turns a request into a reader.
READERS: Final = frozenset(
    {"DEFAULT_READER", "USER", "GroupReader", "IsolatedReader", "SharedReader", "UserReader"}
)


def routes() -> Iterator[Route]:
    seen: set[object] = set()
    for _, _, route in Application().routes.all():
        if route.handler.fn not in seen:
            seen.add(route.handler.fn)
            yield route


def imports(module: Module) -> dict[str, str]:
    """Map each imported name of a module to what it stands for."""
    found: dict[str, str] = {}
    for node in nodes(module.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                found[each.asname or each.name] = f"{node.module}.{each.name}"
    return found


def used(function: ast.AST, module: Module) -> set[str]:
    """Return the names that a function uses, with those of the functions of its module it calls."""
    local = {
        node.name: node
        for node in nodes(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    names: set[str] = set()
    todo = [function]
    while todo:
        for node in ast.walk(todo.pop()):
            name = node.id if isinstance(node, ast.Name) else None
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                # ``self._read`` is a function of the module too.
                name = node.attr if node.value.id == "self" else None
            if name and name not in names:
                names.add(name)
                if name in local:
                    todo.append(local[name])
    return names


def touches_memories(names: set[str], imported: dict[str, str]) -> set[str]:
    origins = {imported[name] for name in names if name in imported}
    return {
        each
        for each in origins
        if any(each.startswith(f"{of}.") or each == of for of in OF_MEMORIES)
        # Types and declarations alone read nothing.
        and not each.startswith(
            ("intaglio.memory.values", "intaglio.memory.parsing", "intaglio.inbox.kinds")
        )
    }


def function_of(route: Route) -> tuple[ast.AST, Module]:
    """Return a handler's function in its module."""
    file, first = inspect.getsourcefile(route.handler.fn), inspect.getsourcelines(route.handler.fn)
    (module,) = [each for each in modules() if str(each.path) == file]
    (function,) = [
        node
        for node in nodes(module.tree)
        if isinstance(node, ast.AsyncFunctionDef) and node.decorator_list[:1]
        # Python counts a function from its first decorator on.
        if node.decorator_list[0].lineno == first[1]
    ]
    return function, module


def test_operations_on_memories_declare_their_principal() -> None:
    wrong: list[str] = []
    acting = 0
    for route in routes():
        function, module = function_of(route)
        names = used(function, module)
        touched = touches_memories(names, imports(module))
        is_counting = route.handler.fn.__qualname__.partition(".")[0] in COUNTS_ONLY
        acts = bool(touched or names & ASKS) and not is_counting
        declares = route.declaration.principal is not Principal.NOBODY
        acting += acts
        if acts != declares:
            wrong.append(f"{route.handler.fn.__qualname__}: {declares=}, uses {sorted(touched)}")
    assert acting > 25
    refuse(wrong)


def test_only_the_context_of_a_request_makes_readers() -> None:
    refuse(
        f"{module.name}:{node.lineno} names {node.id}"
        for module in modules()
        if module.package == "api" and module.name != REQUEST_CONTEXT
        for node in nodes(module.tree)
        if isinstance(node, ast.Name) and node.id in READERS
    )


def test_no_handler_leaves_the_reader_to_a_default() -> None:
    refuse(
        f"{module.name}:{node.lineno} gives no reader"
        for module in modules()
        if module.package == "api"
        for node in nodes(module.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"Audit", "Filter"}
        and "reader" not in {each.arg for each in node.keywords}
        and len(node.args) < 4  # the reader is the fourth of an Audit
    )
