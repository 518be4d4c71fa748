"""The dashboard's own rules: who reads from the daemon, what a view's entry needs, what ships."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

import pytest

from fakes.views import ROUTES, View, views
from structure.source import ROOT, files, refuse

UI = ROOT / "ui" / "src"
HELP = ROOT / "assets" / "docs" / "help"
# Work that a person cancels, and listeners of the page. Reading belongs to Resource.
CANCELS = {
    "lib/state/resource.svelte.ts": "reads",
    "lib/state/router.svelte.ts": "listens to the browser's history",
    "lib/state/scroll-restore.ts": "listens while a view is put back where it was",
    "lib/state/appearance.svelte.ts": "listens to what the system asks for",
    "lib/memory/bulk/bulk-job.svelte.ts": "changes many memories, until it is cancelled",
    "views/memories/forgotten/forgotten-memories.svelte.ts": "restores many, until cancelled",
    "views/memories/state/memories-page.svelte.ts": "loads on to the end, until Esc",
}


def sources() -> dict[str, str]:
    return {
        path.relative_to(UI).as_posix(): path.read_text(encoding="utf-8")
        for path in files()
        if path.is_relative_to(UI)
        and path.suffix in {".ts", ".svelte"}
        and not path.name.endswith((".test.ts", ".d.ts"))
    }


def own_readers(texts: Mapping[str, str]) -> Iterator[str]:
    """Name what aborts calls of its own, or hears of changes to read something again."""
    for name, text in texts.items():
        if "new AbortController" in text and name not in CANCELS:
            yield f"{name}: aborts by itself; read through Resource (lib/state)"
        if re.search(r"catch \((\w+)\) \{\s*if \(isAbort\(\1\)[^}]*phase", text):
            yield f"{name}: keeps a phase of its own"


def without_page(entries: list[View], pages: set[str]) -> Iterator[str]:
    """Name the views that Help says nothing about."""
    for view in entries:
        if view.path != "/help" and view.help.partition("#")[0] not in pages:
            yield f"{view.path}: assets/docs/help has no page {view.help!r}"


def doubled(components: Iterable[str]) -> Iterator[str]:
    """Name the component files that share their name with another one."""
    by_name: dict[str, list[str]] = {}
    for path in sorted(components):
        by_name.setdefault(PurePosixPath(path).name, []).append(path)
    for name, paths in by_name.items():
        if len(paths) > 1:
            yield f"{name}: {', '.join(paths)}"


def test_stores_read_the_daemon_through_resource() -> None:
    texts = sources()
    refuse(own_readers(texts))
    refuse(f"{name}: is not there" for name in CANCELS if name not in texts)


@pytest.mark.parametrize(
    "planted",
    [
        "export class Store { #work = new AbortController(); }",
        "try { } catch (thrown) { if (isAbort(thrown)) return; this.phase = 'failed'; }",
    ],
)
def test_a_store_that_reads_by_itself_is_refused(planted: str) -> None:
    assert list(own_readers({"views/planted/planted.svelte.ts": planted}))


def test_each_component_has_a_name_of_its_own() -> None:
    refuse(doubled(name for name in sources() if name.endswith(".svelte")))


def test_two_components_of_one_name_are_refused() -> None:
    planted = ["views/a/Editor.svelte", "views/b/Editor.svelte", "views/b/Row.svelte"]
    assert list(doubled(planted)) == ["Editor.svelte: views/a/Editor.svelte, views/b/Editor.svelte"]


def test_every_view_has_its_page_of_help() -> None:
    pages = {path.stem for path in HELP.glob("*.md")}
    refuse(without_page(views(ROUTES.read_text(encoding="utf-8")), pages))


def test_a_view_without_a_page_of_help_is_refused() -> None:
    line = '  { path: "/planted", title: "Planted", key: "p", help: "planted", reads: "" },'
    assert list(without_page(views(line), {"memories"})) == [
        "/planted: assets/docs/help has no page 'planted'"
    ]


def test_the_gallery_is_no_part_of_the_dashboard() -> None:
    refuse(name for name, text in sources().items() if re.search(r"""["'/]gallery\b""", text))
    built: Path = ROOT / "app" / "intaglio" / "_built" / "ui"
    refuse(path.name for path in built.rglob("*") if "gallery" in path.name.lower())
