"""Entities at the command line: found by name, shown, and changed with undo.

The tests come in any order: each uses entities of its own.
"""

import json
import re
from collections.abc import Generator
from datetime import datetime
from typing import Any

import pytest

from fakes.daemon import NO_MODEL, write_settings
from fakes.shell import Shell, shell_of


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    with shell_of(tmp_path_factory.mktemp("entities")) as one:
        write_settings(one.home, "backup: {enabled: false}\n" + NO_MODEL)
        one.start()
        yield one


def remember(shell: Shell, text: str, project: str = "shop") -> str:
    return shell("remember", text, "--project", project).stdout.split()[-1]


def listed(shell: Shell, *options: str) -> dict[str, dict[str, Any]]:
    found = json.loads(shell("entities", *options, "--json").stdout)
    return {each["entity"]["name"]: each["entity"] for each in found}


def undo(shell: Shell, output: str) -> str:
    return shell("entities", "undo", output.rsplit(maxsplit=1)[-1]).stdout


def test_entities_are_listed_by_the_beginning_of_a_name_and_by_type(shell: Shell) -> None:
    remember(shell, "Deploys of the `basalt-api` run on Fridays")
    everything = shell("entities").stdout
    assert "basalt-api" in everything
    assert re.search(r"\nIn all: \d+ entit(y|ies), .*\d+ dependenc(y|ies)\n$", everything)
    assert "In all" not in shell("entities", "basalt").stdout
    assert list(listed(shell, "basalt")) == ["basalt-api"]
    assert list(listed(shell, "list", "basalt", "--type", "tool")) == []
    assert shell("entities", "--type", "planet").returncode == 2


@pytest.mark.slow
def test_an_entity_is_shown_with_its_memories(shell: Shell) -> None:
    remember(shell, "Deploys of the `gneiss-api` run on Fridays")
    shown = shell("entities", "show", "Gneiss-API").stdout
    assert shown.startswith("gneiss-api\n")
    assert "run on Fridays" in shown
    assert f"Last named  {datetime.now().astimezone():%Y-%m-%d}\n" in shown
    entity = listed(shell, "gneiss")["gneiss-api"]
    assert json.loads(shell("entities", "show", entity["id"], "--json").stdout)["memories"]


def test_an_unknown_name_is_an_error_that_says_what_to_do(shell: Shell) -> None:
    done = shell("entities", "pin", "nothing-of-the-kind")
    assert done.returncode == 1
    assert "No entity is named" in done.stderr
    assert "intaglio entities" in done.stderr


def test_an_ambiguous_name_lists_the_entities(shell: Shell) -> None:
    remember(shell, "Deploys of the `slate-api` run on Fridays", "shop")
    remember(shell, "Deploys of the `slate-api` run on Mondays", "yard")
    done = shell("entities", "pin", "slate-api")
    assert done.returncode == 1
    assert "ambiguous: 2 entities" in done.stderr
    for entity_id in (
        line.split()[0] for line in done.stderr.splitlines() if line.startswith("  ")
    ):
        assert shell("entities", "pin", entity_id).returncode == 0


@pytest.mark.slow
def test_an_entity_is_pinned_and_suppressed(shell: Shell) -> None:
    remember(shell, "Deploys of the `tuff-api` run on Fridays")
    shell("entities", "pin", "tuff-api", "--reason", "mine")
    assert listed(shell, "--pinned", "tuff")["tuff-api"]["pinReason"] == "mine"
    shell("entities", "suppress", "tuff-api")
    assert listed(shell, "tuff")["tuff-api"]["suppressed"] is True
    shell("entities", "unsuppress", "tuff-api")
    shell("entities", "unpin", "tuff-api")
    assert listed(shell, "tuff")["tuff-api"]["suppressed"] is False


@pytest.mark.slow
def test_a_rename_is_undone(shell: Shell) -> None:
    remember(shell, "Deploys of the `marl-api` run on Fridays")
    done = shell("entities", "rename", "marl-api", "Marl")
    assert list(listed(shell, "marl")) == ["Marl"]
    undo(shell, done.stdout)
    assert list(listed(shell, "marl")) == ["marl-api"]


@pytest.mark.slow
def test_a_merge_is_undone(shell: Shell) -> None:
    remember(shell, "Deploys of the `chert-api` run on Fridays")
    remember(shell, "Alerts of the `chalk-api` go to Ann")
    done = shell("entities", "merge", "chalk-api", "chert-api")
    assert listed(shell, "chalk")["chert-api"]["mentions"] == 2
    undo(shell, done.stdout)
    assert listed(shell, "chalk")["chalk-api"]["mentions"] == 1


@pytest.mark.slow
def test_a_split_is_undone(shell: Shell) -> None:
    remember(shell, "Deploys of the `flint-api` run on Fridays")
    other = remember(shell, "Alerts of the `flint-api` go to Ann")
    done = shell("entities", "split", "flint-api", "flint (old)", other[-8:])
    assert listed(shell, "flint (old)")["flint (old)"]["mentions"] == 1
    undo(shell, done.stdout)
    assert list(listed(shell, "flint")) == ["flint-api"]


@pytest.mark.slow
def test_a_name_is_added_and_removed(shell: Shell) -> None:
    remember(shell, "Deploys of the `loess-api` run on Fridays")
    shell("entities", "alias", "loess-api", "Dust")
    assert "Also named  Dust" in shell("entities", "show", "dust").stdout
    shell("entities", "alias", "loess-api", "Dust", "--remove")
    assert shell("entities", "show", "dust").returncode == 1
    assert shell("entities", "alias", "loess-api", "Dust", "--remove").returncode == 1


@pytest.mark.parametrize("name", ["", " ", "x" * 201])
def test_an_impossible_name_is_a_usage_error(shell: Shell, name: str) -> None:
    remember(shell, "Deploys of the `gabbro-api` run on Fridays")
    for words in (("rename", "gabbro-api", name), ("alias", "gabbro-api", name)):
        done = shell("entities", *words)
        assert done.returncode == 2
        assert "A name can" in done.stderr


def test_an_unknown_type_is_a_usage_error(shell: Shell) -> None:
    remember(shell, "Deploys of the `schist-api` run on Fridays")
    done = shell("entities", "retype", "schist-api", "planet")
    assert done.returncode == 2
    assert "Invalid value for 'TYPE'" in done.stderr
