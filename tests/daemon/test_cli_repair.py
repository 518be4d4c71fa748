"""`intaglio repair` with a running daemon."""

import json
from collections.abc import Generator

import pytest

from fakes.shell import Shell, shell_of


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    with shell_of(tmp_path_factory.mktemp("repair")) as running:
        running.start()
        yield running


def test_the_repairs_are_listed_with_what_maintenance_does(shell: Shell) -> None:
    listed = shell("repair").stdout
    assert "check-fts" in listed
    assert "Forget duplicates" in listed
    assert "Maintenance: runs repairs by itself" in listed


def test_a_dry_run_counts_and_a_run_is_listed(shell: Shell) -> None:
    counted = json.loads(shell("repair", "clean-orphans", "--dry-run", "--json").stdout)
    assert (counted["affected"], counted["runId"]) == (0, None)
    assert shell("repair", "clean-orphans").stdout == "clean-orphans: 0 deleted\n"
    again = shell("repair", "clean-orphans")
    assert again.returncode == 1
    assert "ooldown active, " in again.stderr
    assert "clean-orphans by user: 0 deleted" in shell("repair").stdout


def test_what_changes_memories_asks_first(shell: Shell) -> None:
    asked = shell("repair", "deduplicate")
    assert asked.returncode == 0
    assert asked.stdout.endswith("There is nothing to do.\n")
    done = shell("repair", "deduplicate", "--yes")
    assert done.stdout == "deduplicate: 0 duplicates of 0 memories forgotten\n"


def test_an_unknown_repair_and_run_are_refused_with_a_hint(shell: Shell) -> None:
    unknown = shell("repair", "reboot")
    assert unknown.returncode == 1
    assert "repair` lists them" in unknown.stderr
    unknown = shell("repair", "--undo", "nothing")
    assert unknown.returncode == 1
    assert "repair` lists them" in unknown.stderr
    assert shell("repair", "check-fts", "--undo", "x").returncode == 2
