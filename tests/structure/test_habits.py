"""Habits that no linter knows: no state in modules, broad handlers only where they belong."""

import ast

from structure.source import Module, modules, nodes, refuse

# Where any failure has to end: each is the last frame before a thread, a client or a harness.
LAST_FRAMES = frozenset(
    {
        "app/intaglio/api/gate/middleware.py",
        "app/intaglio/code/staleness.py",
        "app/intaglio/connect/programs/hook_program.py",
        "app/intaglio/connect/programs/mcp_program.py",
        "app/intaglio/daemon/job_worker.py",
        "app/intaglio/daemon/lifespan.py",
        "app/intaglio/desktop/controller.py",
        "app/intaglio/graph/background/backfill.py",
        "app/intaglio/harness/dispatch.py",
        "app/intaglio/health/check_run.py",
        "app/intaglio/history_import/exports/uploads.py",
        "app/intaglio/history_import/overview.py",
        "app/intaglio/history_import/preview.py",
        "app/intaglio/history_import/runner.py",
        "app/intaglio/inference/guarded_embedder.py",
        "app/intaglio/lifecycle/sweep.py",
        "app/intaglio/mcp/server.py",
        "app/intaglio/store/writer.py",
    }
)
BROAD = frozenset({"Exception", "BaseException"})
EMPTY_CALLS = frozenset({"dict", "list", "set", "defaultdict", "deque", "OrderedDict", "Counter"})


def is_broad(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler catches everything and keeps it."""
    named = (
        {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)} & BROAD
        if (handler.type)
        else BROAD
    )
    last = handler.body[-1]
    return bool(named) and not (isinstance(last, ast.Raise) and last.exc is None)


def is_mutable(value: ast.expr | None) -> bool:
    """Tell whether a value is an empty container, which only makes sense when it is filled."""
    match value:
        case ast.List(elts=[]) | ast.Dict(keys=[]):
            return True
        case (
            ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Subscript(value=ast.Name(id=name)))
        ):
            return name in EMPTY_CALLS and not value.args
        case _:
            return False


def state(module: Module) -> list[int]:
    return [
        node.lineno
        for node in module.tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and is_mutable(node.value)
    ]


def test_a_broad_handler_is_seen_unless_it_raises_again() -> None:
    tree = ast.parse("try:\n  a\nexcept (ValueError, Exception):\n  b")
    again = ast.parse("try:\n  a\nexcept BaseException:\n  b\n  raise")
    found = [node for node in nodes(tree) if isinstance(node, ast.ExceptHandler)]
    passed_on = [node for node in ast.walk(again) if isinstance(node, ast.ExceptHandler)]
    assert [is_broad(handler) for handler in found] == [True]
    assert [is_broad(handler) for handler in passed_on] == [False]


def test_broad_handlers_stand_only_in_last_frames() -> None:
    refuse(
        f"{module.name}:{node.lineno}"
        for module in modules("app/intaglio")
        if module.name not in LAST_FRAMES
        for node in nodes(module.tree)
        if isinstance(node, ast.ExceptHandler) and is_broad(node)
    )


def test_no_module_holds_state() -> None:
    refuse(f"{module.name}:{line}" for module in modules("app/intaglio") for line in state(module))
