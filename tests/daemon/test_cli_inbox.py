"""The inbox at the command line: list, show, decide and undo, by the start or end of an id.

The tests come in any order: each uses words of its own, or takes its decisions back.
"""

import json
import re
from collections.abc import Generator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from fakes.daemon import NO_MODEL, write_settings
from fakes.inbox import (
    change_as_agent,
    claim,
    evidence,
    propose,
    remember,
    suggest,
    suggestion,
)
from fakes.shell import Shell, shell_of
from fakes.store import MovableClock, lay_down
from intaglio.cli.inbox.commands import inbox
from intaglio.cli.inbox.output import item_lines, item_text
from intaglio.domain.reader import USER
from intaglio.graph.link_memory import follow_memory
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.possible_merges import PossibleMerge, possible_merge
from intaglio.graph.query_rows import named
from intaglio.inbox.values import ProposedChange
from intaglio.memory.operations import ChangeContext, MemorySteps
from intaglio.sessions.statements.contradictions import contradiction
from intaglio.sessions.statements.wider_scopes import wider_scope
from intaglio.store.connection import open_writer
from intaglio.store.tx import WriteTx
from intaglio.wire.inbox import InboxEvidence, InboxKindRow, InboxRow
from structure.source import ROOT

INBOX_HELP = ROOT / "assets" / "docs" / "help" / "inbox.md"
NAMES = ("billing-api", "billing-service")
WORDS = ("basalt", "gneiss", "slate", "tuff", "marl")


def fill(database: Path) -> None:
    """Write what capture suggests, before a daemon runs."""
    lay_down(database)
    connection = open_writer(database)
    ids = count(1)
    # Ids that start alike and end differently, as those of one day do.
    context = ChangeContext(MovableClock(), lambda: f"0199-0000-0000-0000-{next(ids):08d}")
    tx = WriteTx(connection)
    for number, word in enumerate(WORDS):
        suggest(tx, context, suggestion(f"Use {word} here.", message=f"m{number}"))
    suggest(tx, context, claim("Use chalk here."))
    older = remember(tx, context, "Use Jest.")
    newer = remember(tx, context, "Use Vitest, not Jest.")
    contradiction(tx, newer, older, evidence("use vitest\x1b[2J, not jest"), context)
    zone = remember(tx, context, "We use UTC everywhere.")
    wider_scope(tx, zone, evidence("we use UTC everywhere"), context)
    linked = replace(context, steps=MemorySteps(listeners=(follow_memory,)))
    for name in NAMES:
        remember(tx, linked, f"Deploys of `{name}` happen on Mondays")
    one, other = (named(tx, name, canonical_name(name), USER, ())[0] for name in NAMES)
    question = PossibleMerge(
        entity_id=one.id,
        other_entity_id=other.id,
        entity_type=one.type,
        agent_id=one.agent_id,
        project=one.project,
        similarity=0.78,
    )
    possible_merge(tx, question, context)
    propose(tx, context, "The lid is red.", ProposedChange(content="The lid is blue."))
    change_as_agent(tx, context, "Tidy this.")
    connection.close()


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    with shell_of(tmp_path_factory.mktemp("inbox")) as one:
        write_settings(one.home, "backup: {enabled: false}\n" + NO_MODEL)
        fill(Path(one.env["INTAGLIO_WORKSPACE"]) / "memory" / "intaglio.db")
        one.start()
        yield one


def items(shell: Shell, *options: str) -> dict[str, dict[str, Any]]:
    """Return the items by the word that they are about."""
    found: list[dict[str, Any]] = json.loads(shell("inbox", "list", "--json", *options).stdout)
    return {
        next((word for word in WORDS if word in each["content"]), each["kind"]): each
        for each in found
    }


def memories(shell: Shell) -> dict[str, dict[str, Any]]:
    found = json.loads(shell("list", "--json").stdout)
    return {each["content"]: each for each in found}


def test_without_a_subcommand_inbox_lists_its_items(shell: Shell) -> None:
    options = ("--kind", "contradiction", "--json")
    assert shell("inbox", *options).stdout == shell("inbox", "list", *options).stdout
    wrong = shell("inbox", "remove")
    assert wrong.returncode == 2
    assert "No such command 'remove'" in wrong.stderr


def test_items_are_listed_and_shown_without_control_characters(shell: Shell) -> None:
    line = shell("inbox", "list", "--kind", "contradiction", "--project", "shop").stdout.split()
    assert line[1:4] == ["contradiction", "Decision", "shop"]
    assert shell("inbox", "list", "--project", "nowhere").stdout == (
        "Nothing waits for your decision.\n"
    )
    shown = shell("inbox", "show", items(shell)["contradiction"]["id"]).stdout
    assert "Older memory" in shown
    assert "    Use Jest.\n" in shown
    assert "You said (" in shown
    assert "\x1b[2J" not in shown
    item = items(shell)["marl"]
    assert json.loads(shell("inbox", "show", item["id"], "--json").stdout) == item


@pytest.mark.slow
def test_an_agents_claim_is_not_shown_as_the_users_words(shell: Shell) -> None:
    assert "agent's claim rule" in " ".join(shell("inbox", "list").stdout.split())
    claimed = items(shell)["suggestion"]["id"]
    shown = shell("inbox", "show", claimed).stdout
    assert "suggestion, claimed by the agent" in shown
    assert "The agent's words (claude-code, session s1):\n    Use chalk here." in shown
    assert "You said" not in shown
    assert shell("inbox", "keep", claimed).returncode == 0
    memory = memories(shell)["Use chalk here."]["id"]
    assert "you: an agent claimed it" in shell("show", memory).stdout
    assert shell("inbox", "undo", claimed).returncode == 0


@pytest.mark.slow
def test_a_suggestion_is_kept_with_another_text_and_scope(shell: Shell) -> None:
    item = items(shell)["basalt"]["id"]
    edit = ("--content", "Use basalt everywhere.", "--type", "decision", "--all-projects")
    done = shell("inbox", "keep", item, *edit)
    assert done.stdout.startswith("Kept 0000"), done.stderr
    memory = memories(shell)["Use basalt everywhere."]
    assert (memory["type"], memory["project"], memory["who"]) == ("decision", None, "user")
    again = shell("inbox", "drop", item)
    assert again.returncode == 1
    assert "This item is already kept" in again.stderr


@pytest.mark.slow
def test_several_items_are_dropped_and_restored(shell: Shell) -> None:
    ids = [items(shell)[word]["id"] for word in ("gneiss", "slate")]
    done = shell("inbox", "drop", *ids, ids[0])
    assert done.stdout.count("Dropped ") == 2
    undo = done.stdout.splitlines()[-1].partition(": ")[2].split()[1:]
    assert undo[:2] == ["inbox", "undo"]
    assert "gneiss" not in items(shell)
    assert shell(*undo).stdout.count("Reopened ") == 2
    assert {"gneiss", "slate"} <= items(shell).keys()
    assert shell(*undo).returncode == 1


@pytest.mark.slow
def test_a_contradiction_is_decided(shell: Shell) -> None:
    item = items(shell)["contradiction"]["id"]
    wrong = shell("inbox", "keep", item)
    assert wrong.returncode == 1
    assert "Use keep-both, newer-wins or older-wins." in wrong.stderr
    open_one = shell("inbox", "undo", item)
    assert (open_one.returncode, "This item is still open" in open_one.stderr) == (1, True)
    for decision, gone in (("newer-wins", "Use Jest."), ("older-wins", "Use Vitest, not Jest.")):
        assert shell("inbox", decision, item).stdout.startswith("Kept the ")
        assert gone not in memories(shell)
        assert f": {decision[:5]} one kept" in shell("inbox", "show", item).stdout
        assert shell("inbox", "undo", item).returncode == 0
    assert shell("inbox", "keep-both", item).returncode == 0
    assert "Use Jest." in memories(shell)
    assert shell("inbox", "undo", item).stdout.startswith("Reopened ")


@pytest.mark.slow
def test_a_possible_merge_is_decided(shell: Shell) -> None:
    merge = items(shell, "--kind", "possible_merge")["possible_merge"]["id"]
    shown = shell("inbox", "show", merge).stdout
    assert "possible merge" in shown
    assert "Deploys of `billing-service` happen on Mondays" in shown
    assert "Similarity  0.78" in shown
    assert shell("inbox", "merge", merge).stdout.startswith("Merged ")
    assert shell("inbox", "undo", merge).returncode == 0
    assert shell("inbox", "keep-apart", merge).stdout.startswith("Kept apart ")
    assert shell("inbox", "undo", merge).returncode == 0
    wrong = shell("inbox", "keep", merge)
    assert "fit this item (possible merge)" in wrong.stderr
    assert "Use merge or keep-apart." in wrong.stderr


@pytest.mark.slow
def test_a_scope_is_widened(shell: Shell) -> None:
    item = items(shell, "--kind", "wider_scope")["wider_scope"]["id"]
    assert "wider scope" in shell("inbox", "show", item).stdout
    assert shell("inbox", "all-projects", item).stdout.startswith("Applied to all projects ")
    assert memories(shell)["We use UTC everywhere."]["project"] is None
    assert shell("inbox", "undo", item).returncode == 0
    assert shell("inbox", "this-project", item).stdout.startswith("Left in its project ")
    assert shell("inbox", "undo", item).returncode == 0


@pytest.mark.slow
def test_a_proposed_change_is_decided(shell: Shell) -> None:
    item = items(shell, "--kind", "proposed_change")["proposed_change"]["id"]
    shown = shell("inbox", "show", item).stdout
    assert shown.startswith("The lid is red.\n")
    assert "New text    The lid is blue." in shown
    assert "The agent's reason (claude-code, session s1):\n    It is outdated." in shown
    assert "Confidence" not in shown
    assert shell("inbox", "apply", item).stdout.startswith("Applied the change to ")
    assert "The lid is blue." in memories(shell)
    assert shell("inbox", "undo", item).returncode == 0
    assert "The lid is red." in memories(shell)
    assert shell("inbox", "reject", item).stdout.startswith("Left as it is ")
    assert shell("inbox", "undo", item).returncode == 0
    assert "Use apply or reject." in shell("inbox", "keep", item).stderr


@pytest.mark.slow
def test_an_agents_change_is_undone(shell: Shell) -> None:
    item = items(shell, "--kind", "agent_changes")["agent_changes"]["id"]
    shown = shell("inbox", "show", item).stdout
    assert "Tidy this. (gone)" in shown
    assert ", forgotten)" in shown
    assert shell("inbox", "undo-changes", item).stdout.startswith("Undid the changes ")
    # The other one was forgotten too long ago.
    assert not memories(shell)["Tidy this. (kept)"]["tags"]
    assert shell("inbox", "undo", item).returncode == 0
    assert memories(shell)["Tidy this. (kept)"]["tags"] == "tidy"
    assert shell("inbox", "keep-changes", item).stdout.startswith("Kept the changes ")
    assert shell("inbox", "undo", item).returncode == 0


@pytest.mark.slow
def test_a_decision_is_for_one_kind_of_item_and_the_others_stay_open(shell: Shell) -> None:
    found = items(shell)
    suggested, contradiction = found["tuff"]["id"], found["contradiction"]["id"]
    dropped = shell("inbox", "drop", suggested, contradiction)
    assert (dropped.returncode, dropped.stdout.count("Dropped ")) == (1, 1)
    assert "fit this item (contradiction)" in dropped.stderr
    assert "contradiction" in items(shell)
    assert shell("inbox", "undo", suggested).returncode == 0
    wrong = shell("inbox", "older-wins", suggested)
    assert (wrong.returncode, "Use keep or drop." in wrong.stderr) == (1, True)
    assert "tuff" in items(shell)


def test_what_a_file_says_is_not_shown_as_the_agents_words() -> None:
    said = InboxEvidence(
        sentence="notes.md: Use chalk here.",
        by="agent",
        harness="file",
        session_id=None,
        session=None,
        message_id=None,
        start=0,
        end=0,
        said_at=None,
    )
    item = InboxRow(
        id="0199",
        kind="suggestion",
        status="open",
        content="Use chalk here.",
        type="rule",
        project=None,
        agent="default",
        confidence=0.6,
        keep_at=0.9,
        evidence=[said],
        origin="agent",
        source="file",
        created="2026-01-03T00:00:00.000Z",
        expires=None,
        decided=None,
        action=None,
        memory_id=None,
        memories=[],
        entities=[],
        session_title="",
    )
    kind = InboxKindRow(
        kind="suggestion",
        label="Suggestion",
        plural="Suggestions",
        actions=[],
        confidence=None,
        memories=[],
        claimable=True,
    )
    shown = "\n".join((*item_lines([item], [kind]), *item_text(item, [kind])))
    assert "suggestion, read in a file" in shown
    assert "In the file:\n" in shown
    assert "agent's" not in shown


def test_the_commands_that_help_lists_exist() -> None:
    table = INBOX_HELP.read_text(encoding="utf-8").partition("| Item | Commands |")[2]
    listed = re.findall(r"`([a-z-]+)`", table.partition("\n\n")[0])
    assert "take-edit" in listed
    assert set(listed) <= inbox.commands.keys()


@pytest.mark.slow
def test_a_decision_and_a_kind_have_the_names_of_the_api_too(shell: Shell) -> None:
    found = items(shell, "--kind", "possible merge")
    assert list(found) == ["possible_merge"]
    item = found["possible_merge"]["id"]
    assert shell("inbox", "decide", "keep_apart", item).stdout.startswith("Kept apart ")
    assert shell("inbox", "undo", item).returncode == 0
    unknown = shell("inbox", "decide", "k" * 500, item)
    assert unknown.returncode == 2
    assert "Unknown decision: 'kkk" in unknown.stderr
    assert "k" * 100 not in unknown.stderr


def test_an_empty_text_is_refused_with_what_to_do(shell: Shell) -> None:
    refused = shell("inbox", "keep", items(shell)["marl"]["id"], "--content", "")
    assert refused.returncode == 1
    assert "A memory needs some text." in refused.stderr


@pytest.mark.slow
def test_an_unknown_or_ambiguous_item_is_refused(shell: Shell) -> None:
    # Other tests decide on these items; `show` finds those, too.
    several = shell("inbox", "show", "0199-")
    assert several.returncode == 1
    assert "is ambiguous" in several.stderr
    assert shell("inbox", "show", "ffff").stderr.startswith("Error: No inbox item")
    assert shell("inbox", "keep", "../x").returncode == 1
    assert shell("inbox", "show", "f" * 300).stderr.startswith("Error: 'ffff")
    assert shell("inbox", "keep", "0199", "0198", "--content", "x").returncode == 2
    assert shell("inbox", "keep").returncode == 2
