"""Import contracts catch what they forbid; standalone programs import only the standard library."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.connect_home import make_home
from structure.source import PACKAGE, ROOT, Module, modules, nodes, refuse

# A module that breaks a contract, what it says, and the contract's name.
PLANTED = (
    ("memory/planted.py", "import intaglio.recall", "packages import downward only"),
    ("newpackage/__init__.py", "", "packages import downward only"),
    ("harness/planted_too/connector.py", "import intaglio.sessions", "a harness's connector"),
    ("cli/planted.py", "import intaglio.store", "the command line, the desktop app and the client"),
    ("desktop/planted.py", "import apsw", "the command line, the desktop app and the client"),
    ("desktop/planted_too.py", "import intaglio.wire", "only api, client and cli import the wire"),
    ("jobs/planted.py", "import asyncio", "what takes a write transaction never reaches"),
    ("projects/planted.py", "import intaglio.inference", "what takes a write transaction never"),
    ("sessions/planted.py", "import httpx", "what a hook waits for calls no model"),
    ("agents/planted.py", "import intaglio.store.database", "a package that owns tables takes"),
    ("recall/planted.py", "import intaglio.wire", "only api, client and cli import the wire"),
    ("harness/planted.py", "import apsw", "apsw and sqlite_vec only in store"),
    ("daemon/planted.py", "import litestar", "litestar only in api"),
    ("recall/planted_too.py", "import tokenizers", "onnxruntime and tokenizers only in"),
    ("api/planted.py", "import webview", "tray, window and image libraries only"),
    ("recall/planted_three.py", "import umapers", "umapers behind one module"),
    (
        "daemon/planted_too.py",
        "import intaglio.projection.compute.worker",
        "umapers only in the process",
    ),
    ("base/planted.py", "import intaglio.base.planted_too", "no cycles between packages"),
)

# Parts of the bootstrap that run inside the virtual environment.
WITH_PACKAGES = (
    "docs.py",
    "filter_table.py",
    "icons.py",
    "inbox_kinds.py",
    "man_page.py",
    "minilm.py",
    "cross_encoder.py",
    "token_table.py",
)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Check a copy of the package that breaks every contract; returns what the checker says."""
    copy = tmp_path_factory.mktemp("planted") / "app" / "intaglio"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("_built", "__pycache__"))
    for name, line, _ in PLANTED:
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).with_name("__init__.py").touch()
        (copy / name).write_text(f"{line}\n", encoding="utf-8")
    (copy / "base" / "planted_too.py").write_text("import intaglio.base.planted\n")
    checker = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [checker, "--no-cache", "--config", ROOT / "pyproject.toml"],
        cwd=copy.parent,
        env=os.environ | {"PYTHONPATH": str(copy.parent), "COLUMNS": "200"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("planted", "contract"), [(name, told) for name, _, told in PLANTED])
def test_a_forbidden_import_is_found(verdicts: str, planted: str, contract: str) -> None:
    verdict = [line for line in verdicts.splitlines() if line.startswith(contract)]
    assert any("BROKEN" in line for line in verdict)
    named = f"intaglio.{planted.removesuffix('.py').replace('/', '.').removesuffix('.__init__')}"
    assert named in verdicts or planted.startswith(("newpackage", "base"))


def imported(module: Module) -> set[str]:
    """Name the top-level packages that a module imports, anywhere in it."""
    names: set[str] = set()
    for node in nodes(module.tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add("." if node.level else (node.module or "").split(".")[0])
    return names


def test_the_programs_of_harnesses_need_nothing_but_python(tmp_path: Path) -> None:
    home = make_home(tmp_path)
    home.refresh()
    programs = list(home.paths.hooks.glob("*.py"))
    assert len(programs) == 2
    for file in programs:
        source = file.read_text()
        program = Module(file, source, ast.parse(source))
        refuse(imported(program) - sys.stdlib_module_names)


def test_the_bootstrap_needs_nothing_but_python() -> None:
    lone = [
        module
        for module in modules("app")
        if not module.path.is_relative_to(PACKAGE) and module.path.name not in WITH_PACKAGES
    ]
    assert lone
    strange = {name for module in lone for name in imported(module)} - sys.stdlib_module_names
    assert strange == {"boot"}


def test_nothing_in_the_package_imports_the_bootstrap() -> None:
    refuse([module.name for module in modules("app/intaglio") if "boot" in imported(module)])


def named(module: Module) -> set[str]:
    """Name the modules that a module imports, with what it takes from them."""
    names: set[str] = set()
    for node in nodes(module.tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def imports_a_part(module: Module) -> bool:
    """Tell whether a module imports a package's `part`, which only the list of packages may."""
    return any(re.fullmatch(r"intaglio\.\w+\.part", name) for name in named(module))


def test_an_import_of_a_part_is_seen_in_either_form() -> None:
    for line in ("from intaglio.agents import part", "from intaglio.agents.part import part"):
        assert imports_a_part(Module(PACKAGE / "planted.py", line, ast.parse(line)))


def test_only_the_list_of_packages_imports_the_parts() -> None:
    importing = [module.name for module in modules("app") if imports_a_part(module)]
    assert importing == ["app/intaglio/daemon/packages.py"]


def test_only_parts_the_api_and_the_daemon_are_handed_the_kernel() -> None:
    refuse(
        module.name
        for module in modules("app/intaglio")
        if "intaglio.kernel" in named(module)
        and module.package not in {"api", "daemon"}
        and module.path.name != "part.py"
        and module.path != PACKAGE / "package.py"
    )
