"""The recipes of recipes.md work as they are written: each is followed in a copy."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from boot.process import digest, set_stamp, stamp
from structure.recipe import PAGE, changed, command, copy, steps
from structure.source import ROOT

NOTES = "A package with a table, an endpoint and a setting"
JOB = "A job type"
INBOX = "An inbox kind"
VIEW = "A view of the dashboard"
LIST = "A list view of the dashboard"
FILTER = "A filter of memories"
RETRIEVER = "A retriever of recall"
HARNESS = "A harness"
HOOK_JSON = "A harness with hook JSON"
# In the order in which a copy follows them.
SERVER = (NOTES, JOB, INBOX, FILTER, RETRIEVER, HOOK_JSON)

# What a stranger would run first: its own test, and the rules that hold a new package.
RULES = ("tables", "names", "sizes", "habits", "harnesses", "tree", "imports", "settings")

# What the copy says of itself: its pages, its OpenAPI document, and what it can connect to.
DESCRIBE = """
import sys
from boot.docs import pages
from intaglio.__main__ import main
print(*pages().values())
for word in ("openapi", "connect"):
    sys.argv = ["intaglio", word]
    main()
"""


# What following the recipes depends on most. All of it passed when it had this digest.
INPUTS = digest(
    {
        PAGE,
        Path(__file__),
        *(ROOT / path for path in changed()),
        *(ROOT / "tests/fakes/harnesses/sqlite_agent").glob("*.py"),
        *(ROOT / "app/intaglio" / each for each in ("kernel.py", "jobs/job_type.py")),
        ROOT / "app/intaglio/inbox/kinds.py",
        ROOT / "app/intaglio/connect/hook_json.py",
        ROOT / "app/intaglio/harness/hook_json.py",
    }
)
# Half a minute that tells nothing new where nothing of that changed since.
minutes = pytest.mark.slow if stamp("recipes") == INPUTS else pytest.mark.timeout(1_800)


def run(tree: Path, arguments: Sequence[str]) -> str:
    """Run Python in a copy, on that copy's code, and return what it says."""
    env = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env=env | {"PYTHONPATH": f"{tree / 'app'}{os.pathsep}{tree / 'tests'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-3_000:]
    return done.stdout


def pytest_in(tree: Path, *arguments: str) -> str:
    # What nothing here asks for, and what takes a second to import.
    without = ("cacheprovider", "randomly", "schemathesis", "xdist")
    options = [word for name in without for word in ("-p", f"no:{name}")]
    return run(tree, ["-m", "pytest", "-q", *options, *arguments])


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy in which the recipes of the server's side were followed."""
    tree = copy(tmp_path_factory.mktemp("recipes"))
    for title in SERVER:
        for step in steps(title):
            step.follow(tree)
    subprocess.run(["sh", "-ec", command(HARNESS)], cwd=tree, check=True)
    return tree


@minutes
def test_code_from_the_recipes_passes_its_tests_and_the_rules(notes: Path) -> None:
    """One run for all recipes of the server's side, each by its entry alone."""
    found = (
        "tests/api/test_notes.py",
        "tests/api/test_open_questions.py",
        "tests/unit/memory/test_filters.py",
        "tests/api/test_pinned.py",
        "tests/harness/test_json_agent.py",
        "tests/harness/test_contract.py",
    )
    rules = [f"tests/structure/test_{name}.py" for name in RULES]
    new = "(not test_contract or my-agent or json-agent) and not bootstrap and not forbidden_import"
    said = pytest_in(notes, "-rp", "-k", new, *found, *rules)
    for file in found:
        assert re.search(rf"^PASSED {file}::", said, re.MULTILINE), file
    assert "[my-agent]" in said
    assert "[json-agent]" in said
    set_stamp("recipes", INPUTS)


def test_code_from_the_recipes_passes_the_linter(notes: Path) -> None:
    written = {step.path for title in SERVER for step in steps(title)}
    python = sorted(path for path in written if path.endswith(".py"))
    python.append("app/intaglio/harness/my_agent")
    run(notes, ["-m", "ruff", "check", *python])
    run(notes, ["-m", "ruff", "format", "--check", *python])


def test_code_from_the_recipes_is_documented_and_listed(notes: Path) -> None:
    said = run(notes, ["-c", DESCRIBE])
    texts = ("| `notes` | notes |", "`listNotes`", "`notes.most`", "/api/notes", '"runtimePath"')
    assert [text for text in texts if text not in said] == []
    assert re.search(r"^Not found on this computer: .*\bmy-agent\b", said, re.MULTILINE)


@minutes
def test_the_dashboard_shows_an_inbox_kind_by_its_declaration(notes: Path) -> None:
    run(notes, ["-m", "boot.inbox_kinds"])
    vitest = ("node_modules/vitest/vitest.mjs", "run", "src/views/inbox/kinds")
    node = Path(sys.executable).with_name("node")
    subprocess.run([node, *vitest], cwd=notes / "ui", check=True)


@pytest.mark.slow
@pytest.mark.browser
def test_a_view_passes_the_tests_of_its_entry(notes: Path) -> None:
    for title in (VIEW, LIST):
        for step in steps(title):
            step.follow(notes)
    # What is built is this copy's own from here on.
    built = notes / "app" / "intaglio" / "_built"
    built.unlink()
    shutil.copytree(ROOT / "app" / "intaglio" / "_built", built)
    run(notes, ["-m", "boot.inbox_kinds"])
    described = notes / "openapi.json"
    described.write_text(run(notes, ["-m", "intaglio", "openapi"]), encoding="utf-8")
    npm = Path(sys.executable).with_name("npm")
    # The checkout's own Node, not one that the machine may have.
    env = os.environ | {"PATH": f"{npm.parent}{os.pathsep}{os.environ['PATH']}"}
    generate = ["generate", "--", str(described), "src/lib/api/schema.d.ts"]
    for script in (generate, ["build"], ["check"], ["lint"]):
        subprocess.run([npm, "run", "--silent", *script], cwd=notes / "ui", env=env, check=True)
    described.unlink()
    assert " passed" in pytest_in(notes, "tests/browser/test_views.py", "-k", "note or entries")


def test_every_recipe_is_followed_here() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    titles = [line[3:] for line in lines if line.startswith("## ")]
    assert titles == [NOTES, JOB, INBOX, VIEW, LIST, HARNESS, HOOK_JSON, FILTER, RETRIEVER]
