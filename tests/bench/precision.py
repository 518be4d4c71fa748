"""PrecisionMemBench through the HTTP API: what comes back, and above all what must not.

As the benchmark's own runner has it, recall alone is asked; pinned memories, open questions and
the budget are the runner's part. A case passes when nothing is missing and nothing is too much.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.hook_caller import Caller, wait_until_embedded
from fakes.daemon import Daemon

BELIEFS: Final = "pmb_beliefs.seed.json"
CASES: Final = "pmb_retrieval.cases.json"
_USER: Final = "test-user"
_BUDGET: Final = 20
_RELATION: Final = "relation"
_QUESTION: Final = "open_question"

Belief = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Seeded:
    """The beliefs by their own ids, and those ids by the memories'."""

    beliefs: Mapping[str, Belief]
    known: Mapping[str, str]

    def seen_by(self, user: str, scope: Sequence[str]) -> list[Belief]:
        """List a user's beliefs in any of the scopes."""
        return [
            belief
            for belief in self.beliefs.values()
            if belief["user_id"] == user and set(belief["scope"]) & set(scope)
        ]

    def pinned(self, user: str, scope: Sequence[str]) -> list[str]:
        """List what is shown anyhow."""
        return [
            belief["_id"]
            for belief in self.seen_by(user, scope)
            if belief["pinned"] and belief["type"] != _QUESTION and not _over(belief)
        ]

    def questions(self, user: str, scope: Sequence[str]) -> set[str]:
        """Return the open questions that are pinned."""
        return {
            belief["_id"]
            for belief in self.seen_by(user, scope)
            if belief["pinned"] and belief["type"] == _QUESTION and not belief["resolved_at"]
        }


def _over(belief: Belief) -> bool:
    return bool(belief["superseded_by"] or belief["resolved_at"])


def seed(caller: Caller, beliefs: Sequence[Belief], *, forget_old: bool) -> Seeded:
    """Remember each belief by its names and its text; a user is an agent, a scope a project."""
    known: dict[str, str] = {}
    for belief in beliefs:
        named = [belief["canonical_name"], *belief["aliases"]]
        text = " ".join([*named, belief["content"], belief["why_it_matters"] or ""]).strip()
        body = {
            "content": text,
            "agentId": belief["user_id"],
            "visibility": "private",
            "project": belief["scope"][0],
            "createdAt": belief["created_at"],
        }
        memory = json.loads(caller.post("/api/memory/remember", body))["id"]
        known[memory] = belief["_id"]
        if forget_old and _over(belief):
            path = f"/api/memory/{memory}?reason=superseded&force=true"
            caller.delete(path, belief["user_id"])
    return Seeded({belief["_id"]: belief for belief in beliefs}, known)


def relevant(
    caller: Caller, seeded: Seeded, case: Mapping[str, Any], limit: int, without: AbstractSet[str]
) -> list[str]:
    """Recall in each scope, merge by rank, and add whom a relation found names."""
    user, query = case.get("userId", _USER), case["query"]
    if not query.strip() or limit <= 0:
        return []
    answers: list[list[str]] = []
    for scope in case["scope"]:
        body = {"query": query, "limit": limit, "project": scope, "agentId": user}
        answer = json.loads(caller.post("/api/memory/recall", body))
        answers.append([seeded.known[result["id"]] for result in answer["results"]])
    longest = max(map(len, answers))
    merged = [found[rank] for rank in range(longest) for found in answers if rank < len(found)]
    own = [each for each in dict.fromkeys(merged) if each not in without][:limit]
    beliefs = seeded.beliefs
    joined = [
        other
        for each in own
        if beliefs[each]["type"] == _RELATION
        for other in beliefs[each]["participants"]
        if other not in own and other not in without and _joins(beliefs[other], user, case)
    ]
    return own + joined


def _joins(belief: Belief, user: str, case: Mapping[str, Any]) -> bool:
    shared = set(belief["scope"]) & set(case["scope"])
    return belief["type"] != _QUESTION and belief["user_id"] == user and bool(shared)


def failures(caller: Caller, seeded: Seeded, case: Mapping[str, Any]) -> list[str]:
    """Say what is wrong with the answer to a case; nothing when it passes."""
    user, scope = case.get("userId", _USER), case["scope"]
    limit = case.get("budget", {}).get("maxBeliefs", _BUDGET)
    pinned = seeded.pinned(user, scope)
    found = relevant(caller, seeded, case, limit, set(pinned))
    shown, left = set(pinned[:limit]), max(0, limit - len(pinned))
    kept = set(found[:left])
    expect = case["expect"]
    wanted, facts = expect.get("relevantBeliefs", {}), expect.get("pinnedFacts", {})
    asked = expect.get("openQuestions", {})
    questions = seeded.questions(user, scope)
    wrong = [f"forbidden {each}" for each in wanted.get("mustExclude", ()) if each in kept | shown]
    if "shouldOnlyInclude" in wanted:
        only = set(wanted["shouldOnlyInclude"])
        wrong += [f"missing {each}" for each in only - kept]
        wrong += [f"too much {each}" for each in kept - only]
    for told, held in ((facts, shown), (asked, questions)):
        wrong += [f"missing {each}" for each in told.get("mustInclude", ()) if each not in held]
        wrong += [f"forbidden {each}" for each in told.get("mustExclude", ()) if each in held]
    return wrong


def measure(daemon: Daemon, folder: Path, *, forget_old: bool) -> None:
    """Print how many cases pass, and of what kind the failures are."""
    caller = Caller(daemon.port)
    seeded = seed(caller, json.loads((folder / BELIEFS).read_text()), forget_old=forget_old)
    wait_until_embedded(caller)
    cases = json.loads((folder / CASES).read_text())
    wrong = {case["caseId"]: failures(caller, seeded, case) for case in cases}
    kinds = Counter(each.split()[0] for found in wrong.values() for each in found)
    passed = sum(not found for found in wrong.values())
    missed = sum(any(each.startswith("missing") for each in found) for found in wrong.values())
    old = ", superseded ones forgotten" if forget_old else ""
    print(f"PrecisionMemBench{old}: {passed} of {len(cases)} cases pass")
    print(f"  cases that miss something: {missed}; faults: {dict(kinds)}")
