"""Reads the agents declared in ``agents.roster``; an invalid policy grants the least access."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

from intaglio.base.agent_id import ID_RULE, is_agent_id

PolicyName: TypeAlias = Literal["isolated", "shared", "group"]
RosterProblem: TypeAlias = tuple[str, str]
"""A dotted key and what is wrong with its value."""

POLICIES: Final[tuple[PolicyName, ...]] = ("isolated", "shared", "group")
KEY: Final = "agents.roster"
MAX_AGENTS: Final = 200
_MOST_CHARS: Final = 1_000
_POLICY_KEYS: Final = ("read_policy", "readPolicy", "policy")
_GROUP_KEYS: Final = ("policy_group", "policyGroup", "group")


@dataclass(frozen=True, slots=True)
class DeclaredAgent:
    """An agent as declared in the file; ``name`` is its display name."""

    id: str
    name: str
    read_policy: PolicyName = "shared"
    policy_group: str | None = None
    description: str | None = None


Roster: TypeAlias = tuple[DeclaredAgent, ...] | None
"""The declared agents in file order; None if the file can't be understood."""


def read_roster(roster: object) -> tuple[Roster, tuple[RosterProblem, ...]]:
    """Read the value of `agents.roster`; None means that the file has none.

    Entries without a usable id are left out. An agent whose policy can't be read is isolated, the
    strictest policy, so that a typo never exposes private memories.
    """
    if roster is None:
        return (), ()
    if not isinstance(roster, list):
        return None, ((KEY, "must be a list of agents; the agents weren't changed"),)
    entries = cast("list[object]", roster)
    problems: list[RosterProblem] = []
    found: dict[str, DeclaredAgent] = {}
    for number, entry in enumerate(entries[:MAX_AGENTS]):
        key = f"{KEY}[{number}]"
        agent, found_problems = _read_entry(key, entry)
        problems += found_problems
        if agent is not None and agent.id in found:
            problems.append((key, f"{agent.id}is listed twice; only the first entry is used"))
        elif agent is not None:
            found[agent.id] = agent
    if len(entries) > MAX_AGENTS:
        problems.append((KEY, f"has more than {MAX_AGENTS} agents; the rest are ignored"))
    return tuple(found.values()), tuple(problems)


def _read_entry(key: str, entry: object) -> tuple[DeclaredAgent | None, list[RosterProblem]]:
    given: Mapping[object, object]
    given = cast("Mapping[object, object]", entry) if isinstance(entry, Mapping) else {"id": entry}
    agent_id = _text(given, ("id",)) or _text(given, ("name",))
    if agent_id is None or not is_agent_id(agent_id):
        return None, [(key, f"needs an id (or name): {ID_RULE}")]
    nested = given.get("memory")
    where = {**cast("Mapping[object, object]", nested), **given} if _is_map(nested) else given
    policy, group, problems = _read_policy(key, where)
    name = _text(given, ("name",)) or agent_id
    return DeclaredAgent(agent_id, name, policy, group, _text(given, ("description",))), problems


def _is_map(value: object) -> bool:
    return isinstance(value, Mapping)


def _read_policy(
    key: str, given: Mapping[object, object]
) -> tuple[PolicyName, str | None, list[RosterProblem]]:
    name = next((given[key_] for key_ in _POLICY_KEYS if key_ in given), "shared")
    group = _text(given, _GROUP_KEYS)
    policy: PolicyName | None = next((known for known in POLICIES if known == name), None)
    if policy is None:
        text = f"read_policy must be one of {', '.join(POLICIES)}; using isolated"
        return "isolated", group, [(key, text)]
    if policy == "group" and group is None:
        text = "the group policy needs a policy_group; using isolated"
        return "isolated", None, [(key, text)]
    return policy, group, []


def _text(given: Mapping[object, object], names: Iterable[str]) -> str | None:
    """Return the first of these values that is text; YAML may turn ids into integers."""
    for name in names:
        value = given.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str) and value.strip():
            line = "".join(letter if letter.isprintable() else " " for letter in value)
            return line.strip()[:_MOST_CHARS]
    return None
