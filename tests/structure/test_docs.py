"""The documentation says what is there: generated pages are fresh, named files exist."""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import intaglio
from boot.docs import pages
from boot.filter_table import FILE as FILTER_TABLE
from boot.filter_table import filter_table
from fakes.api import described
from intaglio.base.settings.values import all_settings
from structure.recipe import written
from structure.source import ROOT, files, refuse
from structure.test_tables import OWNERS

DOCS = ROOT / "assets" / "docs"
SCHEMA = ROOT / "ui" / "src" / "lib" / "api" / "schema.d.ts"

_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")
# Inline code is taken for a path of the repository when it starts with one of its own names.
_OWN = ("app/", "assets/", "installers/", "tests/", "ui/", ".ci/", "./")


def documents() -> list[Path]:
    return [path for path in files() if path.suffix == ".md"]


def named_paths(document: Path) -> list[tuple[str, Path]]:
    """List what a document names: links from its own folder, paths from the top or a room."""
    text = document.read_text(encoding="utf-8")
    links = [(name, document.parent / name) for name in _LINK.findall(text)]
    codes = [name for name in _CODE.findall(text) if name.startswith(_OWN) and " " not in name]
    return links + [(name, ROOT / name) for name in codes if not set(name) & set("*<>{…")]


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_document_names_exists(document: Path) -> None:
    made = (ROOT / "app" / "intaglio" / "_built", ROOT / "ui" / "node_modules")
    gone = [
        name
        for name, path in named_paths(document)
        if not path.exists()
        and not any(path.is_relative_to(place) for place in made)
        and name not in written()
    ]
    refuse(gone)


# One description of the API serves all pages.
generated = cache(pages)


@pytest.mark.parametrize("page", ["settings.md", "cli.md", "api.md"])
def test_a_generated_page_is_as_fresh_as_its_source(page: str) -> None:
    told = (DOCS / page).read_text(encoding="utf-8")
    assert told == generated()[DOCS / page], "run: python3 app docs"


def test_the_dashboards_api_types_are_as_fresh_as_the_api(tmp_path: Path) -> None:
    # What `intaglio openapi` prints (tests/api/test_openapi.py).
    description, typed = tmp_path / "openapi.json", tmp_path / "schema.d.ts"
    description.write_bytes(described())
    node = Path(sys.executable).with_name("node")
    generator = ROOT / "ui" / "build" / "api-types.ts"
    subprocess.run([node, generator, description, typed], check=True, capture_output=True)
    assert SCHEMA.read_text(encoding="utf-8") == typed.read_text(encoding="utf-8"), (
        "run: python3 app ui"
    )


def test_the_dashboards_filters_are_as_fresh_as_the_table() -> None:
    assert FILTER_TABLE.read_text(encoding="utf-8") == filter_table(), "run: python3 app ui"


def test_the_dashboards_api_types_hold_answers_of_success_alone() -> None:
    text = SCHEMA.read_text(encoding="utf-8")
    refusals = re.findall(r"^ +[^2\s]\d\d: \{|application/problem\+json", text, re.MULTILINE)
    assert "        Problem: {" in text
    refuse(refusals)


def test_the_storage_page_names_every_table_with_its_owner() -> None:
    told = (DOCS / "storage.md").read_text(encoding="utf-8")
    rows = [line for line in told.splitlines() if line.startswith("|")]
    missing = [
        f"{room}: {table}"
        for room, tables in OWNERS.items()
        for table in tables
        if not any(f"`{table}`" in row and room in row for row in rows)
    ]
    refuse(missing)


def test_the_storage_page_says_of_every_table_how_long_it_is_kept() -> None:
    told = (DOCS / "storage.md").read_text(encoding="utf-8")
    windows = told.partition("\n## What is kept how long\n")[2]
    rows = [line for line in windows.splitlines() if line.startswith("|")]
    tables = [table for owned in OWNERS.values() for table in owned]
    refuse([table for table in tables if not any(f"`{table}`" in row for row in rows)])


def test_the_storage_page_names_every_setting_of_retention() -> None:
    told = (DOCS / "storage.md").read_text(encoding="utf-8")
    keys = [info.key for info in all_settings() if info.key.startswith("retention.")]
    refuse([key for key in keys if f"`{key}`" not in told])


def test_the_changelog_has_a_place_for_what_comes_next() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = text.partition("\n## Unreleased\n")[2].partition("\n## ")[0]
    assert re.search(r"^- \S", unreleased, re.MULTILINE)


def test_package_and_dashboard_have_one_version() -> None:
    dashboard = json.loads((ROOT / "ui" / "package.json").read_text(encoding="utf-8"))
    assert dashboard["version"] == intaglio.__version__


def test_the_readme_lists_every_word() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    words = subprocess.run(
        [sys.executable, ROOT / "app", "help"], check=True, capture_output=True, text=True
    )
    listed = re.findall(r"^  (\w+) ", words.stdout, re.MULTILINE)
    assert len(listed) <= 12
    refuse([word for word in listed if word not in readme])
