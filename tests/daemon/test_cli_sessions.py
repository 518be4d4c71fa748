"""Sessions at the command line: the list, its filters, and one session as a timeline."""

import json
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from fakes.agent_sessions import DECISION, RULE, AgentSession, talk
from fakes.daemon import NO_MODEL, write_settings
from fakes.shell import Shell, shell_of


@dataclass
class Home:
    """A shell, the sessions that were held in its home, and a client of its daemon."""

    shell: Shell
    http: httpx.Client

    @property
    def home(self) -> Path:
        """The home of its user."""
        return self.shell.home


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Home]:
    with shell_of(tmp_path_factory.mktemp("sessions")) as shell:
        write_settings(shell.home, "backup: {enabled: false}\n" + NO_MODEL)
        shell.start()
        url = f"http://127.0.0.1:{shell.env['INTAGLIO_PORT']}"
        with httpx.Client(base_url=url, trust_env=False) as http:
            home = Home(shell, http)
            AgentSession(home, "other", "/work/quarry", agent="writer").start()
            talk(home, "first", DECISION, project="/work/lantern")
            second = AgentSession(home, "second", "/work/lantern")
            second.start()
            second.ask("Which library\x1b[2J for date handling?")
            talk(home, "third", RULE, project="/work/anvil").transcript.unlink()
            yield home


def test_sessions_are_listed_with_their_numbers_latest_first(home: Home) -> None:
    lines = home.shell("sessions").stdout.splitlines()
    (third, second, first, _), titles = lines[::2], lines[1::2]
    # Of the second, nothing is stored yet but the words that were searched for.
    assert [titles[0].strip(), titles[2].strip()] == [RULE, DECISION]
    assert titles[1].strip().startswith("About ")
    assert first.endswith("lantern  claude-code  0 told  1 asked  1 captured  0 suggested")
    assert second.split()[5:7] == ["1", "told"]
    assert second.endswith("open")
    assert third.split()[3] == "anvil"
    alone, title = home.shell("sessions", "--project", "anvil").stdout.splitlines()
    assert (alone.split(), title.strip()) == (third.split(), RULE)
    assert home.shell("sessions", "--harness", "codex").stdout == "No sessions found.\n"
    assert home.shell("sessions", "--since", "2999-01-31").stdout == "No sessions found.\n"
    assert home.shell("sessions", "--until", "2001-01-31").stdout == "No sessions found.\n"
    limited = home.shell("sessions", "-n", "1")
    assert limited.stdout.split() == " ".join(lines[:2]).split()
    assert "Showing the latest 1." in limited.stderr
    listed = json.loads(home.shell("sessions", "--json").stdout)
    assert [each["key"] for each in listed] == ["third", "second", "first", "other"]


def test_sessions_are_found_by_what_was_said_in_them(home: Home) -> None:
    found = json.loads(home.shell("sessions", "--search", "date handl", "--json").stdout)
    assert {each["key"] for each in found} == {"first"}
    assert found[0]["words"]
    shown = home.shell("sessions", "--search", "linter").stdout
    assert RULE in shown
    assert home.shell("sessions", "--search", "walnuts").stdout == "No sessions found.\n"


def test_everything_is_found_in_groups(home: Home) -> None:
    shown = home.shell("find", "Luxon").stdout
    assert "Memories" in shown.splitlines()
    assert "Sessions" in shown.splitlines()
    assert "Luxon" in shown
    groups = json.loads(home.shell("find", "linter", "--json").stdout)["groups"]
    assert {each["kind"] for each in groups} >= {"memory", "session"}
    assert home.shell("find", "walnuts").stdout == "Nothing found.\n"
    shown = home.shell("find", "where is my data").stdout
    assert "Your data (one database): " in shown.partition("Settings")[2]


@pytest.mark.slow
def test_the_user_sees_the_sessions_of_all_agents_and_with_agent_those_of_one(home: Home) -> None:
    listed = json.loads(home.shell("sessions", "--json").stdout)
    agents = {each["key"]: each["agent"] for each in listed}
    own_agent = dict.fromkeys(("first", "second", "third"), "default")
    assert agents == {**own_agent, "other": "writer"}
    (own,) = json.loads(home.shell("sessions", "--agent", "writer", "--json").stdout)
    assert own["key"] == "other"
    others = json.loads(home.shell("sessions", "--agent", "default", "--json").stdout)
    assert {each["key"] for each in others} == set(own_agent)
    shown = home.shell("sessions", own["id"])
    assert (shown.returncode, "Agent       writer" in shown.stdout) == (0, True)


@pytest.mark.slow
def test_one_session_is_shown_as_a_timeline(home: Home) -> None:
    keys = {each["key"]: each["id"] for each in json.loads(home.shell("sessions", "--json").stdout)}
    shown = home.shell("sessions", keys["first"]).stdout
    assert shown.startswith(f"Session     {keys['first']} (first)\n")
    assert "Started: told nothing" in shown
    assert "Your prompt" in shown
    assert "You said: captured" in shown
    assert shown.count(DECISION) == 1
    shown = home.shell("sessions", keys["second"]).stdout
    assert "Started: told 1 memory" in shown
    assert shown.count(DECISION) == 1
    assert "\x1b[2J" not in shown
    gone = home.shell("sessions", keys["third"]).stdout
    assert "The transcript is gone" in gone
    assert RULE in gone
    exact = json.loads(home.shell("sessions", keys["second"], "--json").stdout)
    assert exact["injections"][0]["text"].startswith("<intaglio-memory")


def test_wrong_usage_says_what_to_do(home: Home) -> None:
    unknown = home.shell("sessions", "999")
    assert (unknown.returncode, "Session not found" in unknown.stderr) == (1, True)
    assert "intaglio sessions" in unknown.stderr
    mixed = home.shell("sessions", "1", "--project", "anvil")
    assert (mixed.returncode, "not both" in mixed.stderr) == (2, True)
    wrong = home.shell("sessions", "--since", "lately")
    assert (wrong.returncode, "2026-01-31" in wrong.stderr) == (2, True)


def test_a_session_is_switched_off_and_says_where_it_stood(home: Home) -> None:
    number = AgentSession(home, "first").number
    noted = home.shell("sessions", number, "--checkpoints").stdout
    assert "at the end, 1 prompt" in noted
    assert DECISION in noted
    assert "nothing is told or kept" in home.shell("sessions", number, "--off").stdout
    assert "Memory      switched off" in home.shell("sessions", number).stdout
    assert "captured again" in home.shell("sessions", number, "--on").stdout
    unknown = home.shell("sessions", "999", "--off")
    assert (unknown.returncode, "lists them" in unknown.stderr) == (1, True)
