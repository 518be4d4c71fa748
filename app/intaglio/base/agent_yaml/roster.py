"""The agents that ``agents.roster`` declares; what is unclear about one narrows what it reads."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

from intaglio.base.agents.agent_id import ID_RULE, is_agent_id

PolicyName: TypeAlias = Literal["isolated", "shared", "group"]
RosterProblem: TypeAlias = tuple[str, str]
"""A dotted key and what is wrong there."""

POLICIES: Final[tuple[PolicyName, ...]] = ("isolated", "shared", "group")
KEY: Final = "agents.roster"
MOST_AGENTS: Final = 200
_MOST_CHARS: Final = 1_000
_POLICY_KEYS: Final = ("read_policy", "readPolicy", "policy")
_GROUP_KEYS: Final = ("policy_group", "policyGroup", "group")


@dataclass(frozen=True, slots=True)
class DeclaredAgent:
    """One agent as the file declares it; ``name`` is what people read."""

    id: str
    name: str
    read_policy: PolicyName = "shared"
    policy_group: str | None = None
    description: str | None = None


Roster: TypeAlias = tuple[DeclaredAgent, ...] | None
"""The declared agents in the order of the file; None where it cannot be told what is declared."""


def read_roster(roster: object) -> tuple[Roster, tuple[RosterProblem, ...]]:
    """Read the value of `agents.roster`; None stands for a file without it.

    An entry without a usable id is left out. One whose policy cannot be read is isolated, the
    narrowest policy, so that a slip of the pen shows nobody what was meant to be closed.
    """
    if roster is None:
        return (), ()
    if not isinstance(roster, list):
        return None, ((KEY, "must be a list of agents; the agents stay as they are"),)
    entries = cast("list[object]", roster)
    problems: list[RosterProblem] = []
    found: dict[str, DeclaredAgent] = {}
    for number, entry in enumerate(entries[:MOST_AGENTS]):
        key = f"{KEY}[{number}]"
        agent, said = _read_entry(key, entry)
        problems += said
        if agent is not None and agent.id in found:
            problems.append((key, f"{agent.id} stands in the roster twice; the first counts"))
        elif agent is not None:
            found[agent.id] = agent
    if len(entries) > MOST_AGENTS:
        problems.append((KEY, f"holds more than {MOST_AGENTS} agents; the others are left out"))
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
    asked = next((given[name] for name in _POLICY_KEYS if name in given), "shared")
    group = _text(given, _GROUP_KEYS)
    policy: PolicyName | None = next((known for known in POLICIES if known == asked), None)
    if policy is None:
        text = f"read_policy must be one of {', '.join(POLICIES)}; until then it is isolated"
        return "isolated", group, [(key, text)]
    if policy == "group" and group is None:
        text = "the policy group needs policy_group, the group's name; until then it is isolated"
        return "isolated", None, [(key, text)]
    return policy, group, []


def _text(given: Mapping[object, object], names: Iterable[str]) -> str | None:
    """Return the first of these that is text; numbers, which YAML makes of ids, are text too."""
    for name in names:
        value = given.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str) and value.strip():
            line = "".join(letter if letter.isprintable() else " " for letter in value)
            return line.strip()[:_MOST_CHARS]
    return None
