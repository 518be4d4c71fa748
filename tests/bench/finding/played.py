"""Two months of two projects, played through a real daemon among others' conversations."""

import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from bench.finding.data import Scenario, WantedItem
from bench.hook_caller import Caller, wait_until_embedded
from bench.told.cases import KEPT_APART, Conversation, read_projects
from bench.told.play import HookSession, connect_client, make_project, play_conversation
from fakes.daemon import Daemon
from fakes.git import git

_DAYS: Final = 60
_WITHIN_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class Played:
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


def play(daemon: Daemon, home: Path, scenario: Scenario) -> Played:
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
    settle(caller)
    listed = json.loads(caller.get("/api/sessions?limit=200"))["sessions"]
    print(
        f"{len(spoken)} sessions of {len(folders)} projects, "
        f"{json.loads(caller.get('/api/memories?limit=1'))['stats']['total']} memories, "
        f"played in {time.perf_counter() - began:.0f} s"
    )
    numbers = {each["key"]: each["id"] for each in listed}
    return Played(caller, daemon.process.pid, numbers, folders)


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


def settle(caller: Caller) -> None:
    wait_until_embedded(caller, _WITHIN_S)
    end = time.monotonic() + _WITHIN_S
    while time.monotonic() < end:
        counts = json.loads(caller.get("/api/jobs"))["counts"]
        if not any(each["status"] in {"pending", "leased"} for each in counts):
            return
        time.sleep(0.5)
    raise TimeoutError("the jobs aren't done in time")
