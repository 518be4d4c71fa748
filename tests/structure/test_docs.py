"""The documentation matches the code: generated pages are current, named files exist."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

import intaglio
from bench.attack.command import PROBES
from boot.docs import pages
from boot.filter_table import FILE as FILTER_TABLE
from boot.filter_table import filter_table
from boot.inbox_kinds import FILE as INBOX_KINDS
from boot.inbox_kinds import declared_kinds
from fakes.api import described
from intaglio.base.settings.listing import all_settings
from intaglio.cli.main import intaglio as command_line
from intaglio.daemon.packages import PACKAGES
from intaglio.sections import SECTIONS
from structure.recipe import written
from structure.source import ROOT, files, refuse

DOCS = ROOT / "assets" / "docs"
HELP = DOCS / "help"
GENERATED = ("help/settings.md", "help/cli.md", "api.md", "storage.md")
PAGE_LINES = 80
CHANGELOG_LINES = 45
GLOSSARY_ENTRIES = 45
SCHEMA = ROOT / "ui" / "src" / "lib" / "api" / "schema.d.ts"

_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")
_PICTURE = re.compile(r'<(?:img|source)\b[^>]*\bsrc(?:set)?="(?!\w+:)([^"]+)"')
# On a line of its own, or as inline code.
_COMMAND = re.compile(r"(?:^|`)(?:\.venv/bin/)?intaglio ([a-z][^`\n]*)", re.MULTILINE)
# Inline code is taken for a path of the repository when it starts with one of its own names.
_OWN = ("app/", "assets/", "installers/", "tests/", "ui/", ".ci/", "./")


def documents() -> list[Path]:
    return [path for path in files() if path.suffix == ".md"]


def named_paths(document: Path) -> list[tuple[str, Path]]:
    """List what a document names: links from its own folder, paths from the repository's root."""
    text = document.read_text(encoding="utf-8")
    links = [
        (name, document.parent / name) for name in (*_LINK.findall(text), *_PICTURE.findall(text))
    ]
    codes = [name for name in _CODE.findall(text) if name.startswith(_OWN) and " " not in name]
    return links + [(name, ROOT / name) for name in codes if not set(name) & set("*<>{…")]


def test_every_file_that_a_document_names_exists() -> None:
    made = (ROOT / "app" / "intaglio" / "_built", ROOT / "ui" / "node_modules")
    by_recipes = written()
    refuse(
        f"{document.relative_to(ROOT)}: {name}"
        for document in documents()
        for name, path in named_paths(document)
        if not path.exists()
        and not any(path.is_relative_to(place) for place in made)
        and name not in by_recipes
    )


# One description of the API serves all pages.
generated = cache(pages)


@pytest.mark.parametrize("page", GENERATED)
def test_a_generated_page_is_current(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    assert text == generated()[DOCS / page], "run: python3 app docs"


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


def test_the_dashboards_inbox_kinds_are_those_that_packages_declare() -> None:
    assert INBOX_KINDS.read_text(encoding="utf-8") == declared_kinds(), "run: python3 app ui"


def test_the_dashboards_api_types_hold_answers_of_success_alone() -> None:
    text = SCHEMA.read_text(encoding="utf-8")
    refusals = re.findall(r"^ +[^2\s]\d\d: \{|application/problem\+json", text, re.MULTILINE)
    assert "        Problem: {" in text
    refuse(refusals)


def faults_of(command: str) -> Iterator[str]:
    """List the words of a shell command after ``intaglio`` that the command line doesn't know."""
    known: click.Command = command_line
    for word in shlex.split(command, comments=True):
        if isinstance(known, click.Group) and not word.startswith("-"):
            if word not in known.commands:
                yield f"intaglio {command}: no command {word}"
                return
            known = known.commands[word]
        elif word.startswith("-") and not any(
            word in (*one.opts, *one.secondary_opts) for one in known.params
        ):
            yield f"intaglio {command}: {known.name} has no option {word}"


def test_every_command_that_a_document_names_works_as_typed() -> None:
    refuse(
        f"{document.relative_to(ROOT)}: {fault}"
        for document in documents()
        # Decision records name commands as they were.
        if "decisions" not in document.parts
        for command in _COMMAND.findall(document.read_text(encoding="utf-8"))
        for fault in faults_of(command.replace("…", "x"))
    )


def test_a_command_that_does_not_exist_is_refused() -> None:
    assert list(faults_of("no-such-command"))
    assert list(faults_of("doctor --no-such-option"))
    assert not list(faults_of('remember --here "Tea is at five."  # a comment'))


def test_every_line_of_the_threat_model_names_the_test_that_proves_it() -> None:
    text = (DOCS / "security.md").read_text(encoding="utf-8")
    section = text.partition("## Threats")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    assert len(lines) > 3
    # That each of them exists, another test says.
    refuse(line for line in lines if not re.search(r"`tests/[\w/]+/test_\w+\.py`", line))


def test_the_table_of_attacks_names_none_that_is_no_longer_made() -> None:
    results = (DOCS / "security.md").read_text(encoding="utf-8").partition("## Results")[2]
    listed = [line[2:].split(" | ")[0] for line in results.splitlines() if line.startswith("| ")]
    assert len(listed) > 10
    refuse(set(listed) - {probe.name for probe in PROBES} - {"Tried"})


def test_a_page_of_help_is_short() -> None:
    pages = {page.relative_to(DOCS).as_posix(): page for page in HELP.glob("*.md")}
    lengths = {
        name: len(page.read_text(encoding="utf-8").splitlines())
        for name, page in pages.items()
        if name not in GENERATED
    }
    assert len(lengths) >= 10
    refuse(f"{name}: {count} lines" for name, count in lengths.items() if count > PAGE_LINES)


def test_the_glossary_holds_few_terms_in_alphabetical_order() -> None:
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    terms = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("|")][2:]
    assert terms == sorted(terms, key=str.casefold)
    assert 10 < len(terms) <= GLOSSARY_ENTRIES


def test_the_changelog_fits_on_a_screen() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= CHANGELOG_LINES


def test_every_package_says_how_long_its_tables_are_kept() -> None:
    refuse(
        f"{package.name}: {table}"
        for package in PACKAGES.all
        for table in package.tables
        if not any(f"`{table}`" in one.data for each in PACKAGES.all for one in each.kept)
    )


def test_every_step_of_the_sweep_is_documented() -> None:
    texts = [one.deleted_by for package in PACKAGES.all for one in package.kept]
    refuse(
        step.name
        for step in PACKAGES.retention
        if not any(f"`{step.name}`" in text for text in texts)
    )


def test_the_storage_page_names_every_setting_of_retention() -> None:
    text = (DOCS / "storage.md").read_text(encoding="utf-8")
    keys = [info.key for info in all_settings(SECTIONS) if info.key.startswith("retention.")]
    refuse([key for key in keys if f"`{key}`" not in text])


def test_the_changelog_has_unreleased_entries() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = text.partition("\n## Unreleased\n")[2].partition("\n## ")[0]
    assert re.search(r"^- \S", unreleased, re.MULTILINE)


def test_package_and_dashboard_have_one_version() -> None:
    dashboard = json.loads((ROOT / "ui" / "package.json").read_text(encoding="utf-8"))
    assert dashboard["version"] == intaglio.__version__


def test_the_development_page_lists_every_word_of_the_bootstrap() -> None:
    page = (DOCS / "development.md").read_text(encoding="utf-8")
    printed = subprocess.run(
        [sys.executable, ROOT / "app", "help"], check=True, capture_output=True, text=True
    )
    listed = re.findall(r"^  (\w+) ", printed.stdout, re.MULTILINE)
    assert len(listed) <= 12
    refuse([word for word in listed if f"`python3 app {word}`" not in page])
