"""``python3 app bench finding``: twenty questions over two months of work, before and after.

Two projects are played through a real daemon among the conversations of other authors. Each
question is asked of what there was before (the search of memories, the list of projects in the
palette, and the search of the right page), and of ``GET /api/find``. An item is found if it is one
of the first three of its group, and its group one of the first three: three keystrokes beyond the
words. ``--real DIR`` asks notes of real sessions of everything that was said in them.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from bench.capture.labelled import read_sessions
from bench.figures import cpu_ms, percentile
from bench.finding.data import FindingQuestion, Scenario, WantedItem, read_scenario
from bench.home import temporary_home
from bench.hook_caller import Caller, wait_until_embedded
from bench.told.cases import KEPT_APART, Conversation, read_projects
from bench.told.play import HookSession, connect_client, make_project, play_conversation
from fakes.daemon import Daemon, running_daemon
from fakes.git import git

_FIRST: Final = 3
_DAYS: Final = 60
_WITHIN_S: Final = 600.0
_REPEATS: Final = 3
_NOTES: Final = 120


def main(arguments: list[str]) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python3 app bench finding", description=__doc__)
    parser.add_argument("--real", type=Path, metavar="DIR", help="labelled real sessions")
    parser.add_argument("--verbose", action="store_true", help="print what each question found")
    options = parser.parse_args(arguments)
    with temporary_home() as home, running_daemon(home, fresh=True) as daemon:
        if options.real:
            _measure_real(daemon, home, options.real)
            return
        scenario = read_scenario()
        played = _play(daemon, home, scenario)
        _report(scenario, played, verbose=options.verbose)


@dataclass(frozen=True, slots=True)
class _Played:
    """The daemon with the scenario in it; ``sessions`` are the numbers of its sessions."""

    caller: Caller
    pid: int
    sessions: Mapping[str, str]
    folders: Mapping[str, Path]

    def get(self, path: str, **query: str | int) -> Any:  # noqa: ANN401 - the API's JSON
        return json.loads(self.caller.get(f"{path}?{urlencode(query)}"))

    def is_wanted(self, item: WantedItem, scenario: Scenario, kind: str, found: Any) -> bool:  # noqa: ANN401 - as above
        if kind != item.kind:
            return False
        if kind == "session":
            return str(found["id"]) == self.sessions[item.mark]
        return scenario.text_of(item).lower() in str(found["title"]).lower()


def _play(daemon: Daemon, home: Path, scenario: Scenario) -> _Played:
    connect_client(daemon, home)
    caller = Caller(daemon.port)
    now = datetime.now(UTC)
    folders = {name: make_project(home / "code" / name) for name in scenario.projects}
    _commit(scenario, folders, now)
    others = [each for each in read_projects() if each.author not in KEPT_APART]
    folders |= {each.name: make_project(home / "code" / each.name) for each in others}
    spoken: list[tuple[int, str, Conversation]] = []
    for each in scenario.sessions:
        turns = tuple(
            ("agent" if number % 2 else "user", text) for number, text in enumerate(each["turns"])
        )
        spoken.append((each["day"], each["project"], Conversation(each["id"], "", turns)))
    dice = random.Random(34)  # noqa: S311 - the same days on each run
    for other in others:
        spoken += [(dice.randrange(_DAYS), other.name, each) for each in other.conversations]
    spoken.sort(key=lambda one: one[0])
    began = time.perf_counter()
    with daemon.client() as http:
        for day, name, conversation in spoken:
            at = now - timedelta(days=_DAYS + 1 - day)
            session = HookSession(http, home, folders[name], conversation.id, at)
            play_conversation(session, conversation)
    for each in scenario.memories:
        project = each["project"] and str(folders[each["project"]])
        body = {"content": each["content"], "type": each["type"], "project": project}
        caller.post("/api/memory/remember", body)
    _claim(caller, scenario, folders)
    _settle(caller)
    listed = json.loads(caller.get("/api/sessions?limit=200"))["sessions"]
    print(
        f"{len(spoken)} sessions of {len(folders)} projects, "
        f"{json.loads(caller.get('/api/memories?limit=1'))['stats']['total']} memories, "
        f"played in {time.perf_counter() - began:.0f} s"
    )
    numbers = {each["key"]: each["id"] for each in listed}
    return _Played(caller, daemon.process.pid, numbers, folders)


def _commit(scenario: Scenario, folders: Mapping[str, Path], now: datetime) -> None:
    for each in scenario.commits:
        at = (now - timedelta(days=_DAYS + 1 - each["day"])).isoformat(timespec="seconds")
        git(
            folders[each["project"]],
            *("commit", "-q", "--allow-empty", "-m", f"{each['subject']}\n\n{each['body']}"),
            env={"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at},
        )


def _claim(caller: Caller, scenario: Scenario, folders: Mapping[str, Path]) -> None:
    """Have an agent suggest what it noticed, so that it waits in the inbox."""
    for each in scenario.claims:
        call = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {
                "name": "memory_store",
                "arguments": {
                    "content": each["content"],
                    "type": "rule",
                    "project": str(folders[each["project"]]),
                },
            },
        }
        caller.post("/mcp", call)


def _settle(caller: Caller) -> None:
    wait_until_embedded(caller, _WITHIN_S)
    end = time.monotonic() + _WITHIN_S
    while time.monotonic() < end:
        counts = json.loads(caller.get("/api/jobs"))["counts"]
        if not any(each["status"] in {"pending", "leased"} for each in counts):
            return
        time.sleep(0.5)
    raise TimeoutError("the jobs aren't done in time")


@dataclass(slots=True)
class _Result:
    """Where the first wanted item of a question was: (group, place), from 1; None for nowhere."""

    question: FindingQuestion
    after: tuple[int, int] | None = None
    palette: bool = False
    page: bool = False
    found: list[str] = field(default_factory=list[str])

    @property
    def is_found(self) -> bool:
        """Whether it takes at most three keystrokes beyond the words."""
        return self.after is not None and max(self.after) <= _FIRST


def _report(scenario: Scenario, played: _Played, *, verbose: bool) -> None:
    results = [_asked(each, scenario, played) for each in scenario.questions]
    print(f"\n{'question':34} {'palette':>8} {'page':>6} {'find':>6}   group, place")
    for each in results:
        place = f"{each.after[0]}, {each.after[1]}" if each.after else "-"
        marks = [_mark(value) for value in (each.palette, each.page, each.is_found)]
        print(f"{each.question.ask:34} {marks[0]:>8} {marks[1]:>6} {marks[2]:>6}   {place}")
        for line in each.found if verbose else ():
            print(f"      {line}")
    for label, own in (
        ("all", results),
        ("sharing a word", [each for each in results if each.question.shares]),
        ("not sharing one", [each for each in results if not each.question.shares]),
    ):
        palette, page = sum(each.palette for each in own), sum(each.page for each in own)
        after = sum(each.is_found for each in own)
        print(f"{label:34} {palette:>5}/{len(own)} {page:>3}/{len(own)} {after:>3}/{len(own)}")
    _print_cost(scenario, played)


def _mark(value: bool) -> str:
    return "yes" if value else "no"


def _asked(question: FindingQuestion, scenario: Scenario, played: _Played) -> _Result:
    result = _Result(question)
    groups = played.get("/api/find", q=question.ask)["groups"]
    for number, group in enumerate(groups, 1):
        for place, item in enumerate(group["items"], 1):
            result.found.append(f"{group['kind']:8} {item['score']:.2f} {item['title'][:80]}")
            if result.after is None and any(
                played.is_wanted(each, scenario, group["kind"], item) for each in question.wanted
            ):
                result.after = number, place
    result.palette = _in_palette(question, scenario, played)
    result.page = result.palette or _on_page(question, scenario, played)
    return result


def _in_palette(question: FindingQuestion, scenario: Scenario, played: _Played) -> bool:
    """Whether the palette found it before: memories by recall, projects by their names."""
    recalled = played.get("/api/memory/search", q=question.ask, limit=_FIRST)["results"]
    memories = [{"title": each["content"]} for each in recalled]
    projects = [
        {"title": each["name"]}
        for each in played.get("/api/projects")["projects"]
        if question.ask.lower() in each["name"].lower()
    ]
    listed = {"memory": memories, "project": projects[:_FIRST]}
    return _is_listed(question, scenario, played, listed)


def _on_page(question: FindingQuestion, scenario: Scenario, played: _Played) -> bool:
    """Whether the search of the page of its kind found it, for whoever knows which that is."""
    ask = question.ask
    entities = played.get("/api/knowledge/entities", q=ask, limit=_FIRST)["items"]
    commits = played.get("/api/commits", q=ask, limit=_FIRST)["commits"]
    listed = {
        "entity": [{"title": each["entity"]["name"]} for each in entities],
        "commit": [{"title": each["subject"]} for each in commits],
        "inbox": [],
        "session": [],
    }
    return _is_listed(question, scenario, played, listed)


def _is_listed(
    question: FindingQuestion,
    scenario: Scenario,
    played: _Played,
    listed: Mapping[str, Sequence[Any]],
) -> bool:
    return any(
        played.is_wanted(wanted, scenario, kind, each)
        for wanted in question.wanted
        for kind, items in listed.items()
        for each in items
    )


def _print_cost(scenario: Scenario, played: _Played) -> None:
    asked = [each.ask for each in scenario.questions]
    spent: list[float] = []
    for _ in range(_REPEATS):
        for each in asked:
            before = cpu_ms(played.pid)
            played.get("/api/find", q=each)
            spent.append(cpu_ms(played.pid) - before)
    print(
        f"\nCPU of a search: p50 {statistics.median(spent):.0f} ms, "
        f"p95 {percentile(spent, 0.95):.0f} ms"
    )


def _measure_real(daemon: Daemon, home: Path, folder: Path) -> None:
    """Ask notes and later prompts of real sessions; report how often their session is found."""
    connect_client(daemon, home)
    caller = Caller(daemon.port)
    sessions = [
        session
        for file in sorted(folder.glob("*.txt"))
        if "SOURCES" not in file.name
        for session in read_sessions(file, lambda _: None)
    ]
    now = datetime.now(UTC)
    project = make_project(home / "code" / "real")
    later: dict[str, str] = {}
    with daemon.client() as http:
        for number, session in enumerate(sessions):
            turns = [
                ("user" if each.role == "user" else "agent", each.text[:3_000])
                for each in session.messages
            ]
            asked = [
                at for at, (role, text) in enumerate(turns) if role == "user" and len(text) > 40
            ]
            if len(asked) > 3:
                # It isn't played: its words needn't be in the session.
                later[session.id] = turns.pop(asked[-1])[1]
            at = now - timedelta(hours=12 * (len(sessions) - number))
            play_conversation(
                HookSession(http, home, project, session.id, at),
                Conversation(session.id, "", tuple(turns)),
            )
    _settle(caller)
    numbers: dict[str, str] = {}
    cursor: str | None = None
    while True:
        query = urlencode({"limit": 200, **({"cursor": cursor} if cursor else {})})
        page = json.loads(caller.get(f"/api/sessions?{query}"))
        numbers |= {each["key"]: each["id"] for each in page["sessions"]}
        cursor = page["cursor"]
        if cursor is None:
            break
    notes = [json.loads(line) for line in (folder / "notes.jsonl").read_text().splitlines()]
    random.Random(34).shuffle(notes)  # noqa: S311 - the same order on each run
    print(f"{len(sessions)} real sessions in one project")
    _print_places("notes", [(n["session"], _note_text(n)) for n in notes], numbers, caller)
    _print_places("a later prompt, not stored", [*later.items()], numbers, caller)


def _note_text(note: Mapping[str, Any]) -> str:
    return str(note.get("note") or note.get("text"))


def _print_places(
    label: str, asked: Sequence[tuple[str, str]], numbers: Mapping[str, str], caller: Caller
) -> None:
    places: list[int | None] = []
    for session, text in asked:
        if session not in numbers or len(places) >= _NOTES:
            continue
        query = urlencode({"q": text[:400], "limit": 10})
        groups = json.loads(caller.get(f"/api/find?{query}"))["groups"]
        ids = [
            each["id"] for group in groups if group["kind"] == "session" for each in group["items"]
        ]
        places.append(ids.index(numbers[session]) + 1 if numbers[session] in ids else None)
    for most in (1, 3, 10):
        found = sum(place is not None and place <= most for place in places)
        print(f"{label}: first {most}: {found}/{len(places)}")
