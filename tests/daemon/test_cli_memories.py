"""Memories at the command line: list, show, edit, forget and restore."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

from fakes.daemon import NO_MODEL, write_settings
from fakes.repository import make_repository
from fakes.shell import Shell, shell_of


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    """A home whose daemon runs; each test uses words of its own."""
    with shell_of(tmp_path_factory.mktemp("memories")) as one:
        write_settings(one.home, "backup: {enabled: false}\n" + NO_MODEL)
        one.start()
        yield one


def remembered(shell: Shell, text: str, *options: str) -> str:
    """Save a memory and return its id."""
    done = shell("remember", text, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def row(shell: Shell, memory_id: str) -> dict[str, Any]:
    """Return a memory as `show --json` has it."""
    found: dict[str, Any] = json.loads(shell("show", memory_id, "--json").stdout)["memory"]
    return found


def test_recall_prints_id_project_type_and_day(shell: Shell) -> None:
    kept = remembered(shell, "Basalt is volcanic", "--project", "quarry", "--type", "fact")
    heading, text = shell("recall", "basalt").stdout.splitlines()
    short, kind, project, day, _ = heading.split()
    assert kept.endswith(short)
    assert (kind, project, day) == ("Fact", "quarry", row(shell, kept)["created_at"][:10])
    assert text == "    Basalt is volcanic"
    assert f"ID          {kept}" in shell("show", short).stdout


@pytest.mark.slow
def test_an_explanation_has_no_empty_lines(shell: Shell) -> None:
    remembered(shell, "Gneiss is banded")
    lines = shell("recall", "gneiss", "--explain").stdout.splitlines()
    assert "    Why: contains gneiss (100% of the question)" in lines
    assert all(line.strip() and not line.rstrip().endswith(":") for line in lines)


@pytest.mark.slow
def test_list_filters_by_project_type_and_tag(shell: Shell) -> None:
    one = remembered(shell, "Flint is hard", "--project", "pit", "--type", "rule", "--tags", "a,b")
    remembered(shell, "Chalk is soft", "--project", "pit", "--type", "fact", "--tags", "a")
    remembered(shell, "Marl is both")

    def ids(*options: str) -> list[str]:
        found = json.loads(shell("list", "--json", *options).stdout)
        return [each["id"] for each in found]

    assert len(ids("--project", "pit")) == 2
    assert ids("--project", "pit", "--limit", "1") == ids("--project", "pit")[:1]
    assert ids("--project", "pit", "--type", "rule") == [one]
    assert ids("--project", "pit", "--tag", "a", "--tag", "b") == [one]
    assert one not in ids("--all-projects")
    # Its former name.
    assert ids("--all-projects") == ids("--global")
    (line,) = shell("list", "--project", "pit", "--type", "rule").stdout.splitlines()
    kind, project, _, *text = line.split()[1:]
    assert (kind, project, text) == ("rule", "pit", ["Flint", "is", "hard"])
    assert shell("list", "--project", "nowhere").stdout == "No memories found.\n"
    assert "Use --limit to see more" in shell("list", "--limit", "1").stderr


def test_show_tells_where_a_memory_comes_from_and_how_it_changed(shell: Shell) -> None:
    kept = remembered(shell, "Slate splits", "--tags", "roof")
    shell("edit", kept, "--text", "Slate splits well", "--reason", "clearer")
    shown = shell("show", kept).stdout
    assert shown.startswith("Slate splits well\n\n")
    for label, value in (("Type", "Fact"), ("Tags", "roof"), ("Author", "cli"), ("Source", "cli")):
        assert f"{label:<12}{value}\n" in shown
    assert "edited by cli: clearer\n" in shown
    assert "- Slate splits\n" in shown
    assert "+ Slate splits well\n" in shown


@pytest.mark.slow
def test_edit_changes_what_its_options_name_and_nothing_else(shell: Shell) -> None:
    kept = remembered(shell, "Tuff is light", "--tags", "old", "--project", "hill")
    done = shell("edit", kept, "--type", "decision", "--tags", "new,two", "--pin")
    assert done.stdout.startswith("Updated ")
    found = row(shell, kept)
    assert found["content"] == "Tuff is light"
    assert (found["type"], found["tags"], found["pinned"], found["project"]) == (
        "decision",
        "new,two",
        1,
        "hill",
    )
    shell("edit", kept, "--no-pin", "--all-projects", "--tags", "")
    found = row(shell, kept)
    assert (found["tags"], found["pinned"], found["project"]) == (None, 0, None)
    assert shell("edit", kept, "--no-pin").stdout.startswith("No changes to ")
    assert shell("edit", kept, "--text", "-", say="From a pipe").returncode == 0
    assert row(shell, kept)["content"] == "From a pipe"


def test_edit_without_a_change_or_a_terminal_is_wrong_usage(shell: Shell) -> None:
    kept = remembered(shell, "Loam is earth")
    done = shell("edit", kept)
    assert done.returncode == 2
    assert "Use --text" in done.stderr


def test_a_forgotten_memory_is_restored(shell: Shell) -> None:
    kept = remembered(shell, "Mica glitters")
    done = shell("forget", kept)
    assert done.stdout.startswith("Forgot ")
    assert "restore " in done.stdout
    assert "Mica" in shell("list", "--forgotten").stdout
    assert "Forgotten" in shell("show", kept).stdout
    again = shell("forget", kept)
    assert again.returncode == 1
    assert "It is already forgotten." in again.stderr
    assert shell("restore", kept).stdout.startswith("Restored ")
    assert "It isn't forgotten." in shell("restore", kept).stderr
    assert row(shell, kept)["is_deleted"] == 0


@pytest.mark.slow
def test_many_are_forgotten_once_that_is_confirmed(shell: Shell) -> None:
    ids = [remembered(shell, f"Pebble {number} is round") for number in range(2)]
    refused = shell("forget", *ids, say="n\n")
    assert refused.returncode == 1
    assert "Forget these 2 memories?" in refused.stdout
    assert row(shell, ids[0])["is_deleted"] == 0
    assert shell("forget", *ids, "--yes").returncode == 0
    assert all(row(shell, each)["is_deleted"] for each in ids)
    assert shell("restore", *ids).returncode == 0


def test_a_pinned_memory_is_unpinned_before_it_is_forgotten(shell: Shell) -> None:
    kept = remembered(shell, "Granite stays", "--pin")
    done = shell("forget", kept)
    assert done.returncode == 1
    assert "edit " in done.stderr
    assert "--no-pin" in done.stderr


def test_an_ambiguous_start_of_an_id_lists_its_matches(shell: Shell) -> None:
    ids = [remembered(shell, f"Gravel {number} is coarse") for number in range(2)]
    done = shell("show", ids[0][:2])
    assert done.returncode == 1
    assert "is ambiguous" in done.stderr
    assert all(each in done.stderr for each in ids) or "more than 20" in done.stderr


@pytest.mark.parametrize("text", ["ffffffff", "no/id", "", "%"])
def test_an_unknown_id_is_reported_with_a_hint(shell: Shell, text: str) -> None:
    done = shell("show", text)
    assert done.returncode == 1, done
    assert "intaglio list`" in done.stderr


@pytest.mark.slow
def test_an_ambiguous_name_of_a_project_lists_the_paths(shell: Shell, tmp_path: Path) -> None:
    roots = [str(make_repository(tmp_path / place / "silo")) for place in ("one", "two")]
    remembered(shell, "Barley is stored", "--project", roots[0])
    kept = remembered(shell, "Oats are stored", "--project", "silo")
    assert row(shell, kept)["project"] == roots[0]
    remembered(shell, "Rye is stored", "--project", roots[1])
    done = shell("recall", "stored", "--project", "silo")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        'Error: "silo" is the name of 2 projects.',
        "Use the path of the project:",
        *(f"  {root}" for root in roots),
    ]


def test_relative_paths_name_the_project_of_that_directory(shell: Shell) -> None:
    beach = shell.home / "beach"
    beach.mkdir()
    done = shell("remember", "Sand drifts", "--project", ".", folder=beach)
    kept = done.stdout.splitlines()[-1]
    assert row(shell, kept)["project"] == str(beach)
    assert "Sand drifts" in shell("list", "--here", folder=beach).stdout


@pytest.mark.parametrize("folder", ["home", "root"])
def test_the_home_and_the_root_directory_are_no_project_to_remember_in(
    shell: Shell, folder: str
) -> None:
    place = shell.home if folder == "home" else Path("/")
    done = shell("remember", "Dust settles", "--here", folder=place)
    assert done.returncode == 1
    problem, hint = done.stderr.splitlines()
    assert problem == f"Error: {place} isn't a project: it's the home or the root directory"
    assert hint.startswith("Name a project's directory, or omit the project")
    assert "Dust settles" not in shell("list").stdout


def test_preview_prints_what_the_next_session_is_told_and_why(shell: Shell) -> None:
    remembered(shell, "Never polish feldspar", "--project", "quarry", "--type", "rule")
    done = shell("preview", "--project", "quarry")
    heading, *lines = done.stdout.splitlines()
    assert heading.startswith("The next Claude Code session in quarry starts with ")
    why = lines[lines.index("    Never polish feldspar") - 1]
    assert why.endswith("  Rule · always told: you saved or confirmed it")
    assert "Nothing is known" not in done.stderr
    unknown = shell("preview", "--project", "quary")
    assert "Nothing is known about quary yet." in unknown.stderr
    exact = shell("preview", "--project", "quarry", "--text").stdout
    assert exact.startswith("<intaglio-memory")
    assert "Never polish feldspar" in exact


def test_a_source_is_listed_taken_back_after_a_question_and_restored(shell: Shell) -> None:
    url = f"http://127.0.0.1:{shell.env['INTAGLIO_PORT']}/api/memory/remember"
    body = {"content": "Tuff is ash", "sourceType": "quarry-sync"}
    httpx.post(url, json=body).raise_for_status()
    assert "quarry-sync" in shell("take-back").stdout
    source = ("take-back", "tool", "quarry-sync")
    refused = shell(*source, say="n\n")
    assert "Tuff is ash" in refused.stdout
    assert refused.returncode == 1
    done = json.loads(shell(*source, "--yes", "--json").stdout)
    assert (done["forgotten"], done["running"]) == (1, False)
    assert done["id"] in shell("take-back", "--list").stdout
    assert shell("take-back", "--undo", done["id"]).returncode == 0
    assert "Tuff is ash" in shell("recall", "tuff").stdout
    gone = shell("take-back", "session", "999999", "--yes")
    assert (gone.returncode, "Nothing is here" in gone.stderr) == (1, True)
    assert shell("take-back", "tool").returncode == 2
