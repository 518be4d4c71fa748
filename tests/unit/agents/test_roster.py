"""What the roster makes of the agents, and what they may then read."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from intaglio.agents.policy import reader_of
from intaglio.agents.reconcile import reconcile
from intaglio.agents.values import SOURCES, Agent
from intaglio.base.agent_yaml.roster import POLICIES, DeclaredAgent
from intaglio.domain.reader import GroupReader, IsolatedReader, SharedReader

IDS = st.sampled_from(["default", "ann", "bob", "cleo"])
GROUPS = st.sampled_from([None, "red", "blue"])
DEFAULT = Agent(
    id="default",
    name="default",
    description=None,
    read_policy="shared",
    policy_group=None,
    source="api",
    created_at="1",
    updated_at="1",
)
AGENTS = st.builds(
    Agent,
    id=IDS,
    name=st.sampled_from(["A", "B"]),
    description=st.none(),
    read_policy=st.sampled_from(POLICIES),
    policy_group=GROUPS,
    source=st.sampled_from(SOURCES),
    created_at=st.just("1"),
    updated_at=st.just("1"),
    archived_at=st.sampled_from([None, "2"]),
)
KNOWN = st.lists(AGENTS, unique_by=lambda agent: agent.id).map(
    lambda agents: {agent.id: agent for agent in agents}
)
ROSTERS = st.lists(
    st.builds(DeclaredAgent, IDS, st.just("N"), st.sampled_from(POLICIES), GROUPS),
    unique_by=lambda agent: agent.id,
).map(tuple)


@given(KNOWN, ROSTERS)
def test_taking_a_roster_over_twice_changes_nothing_more(
    known: dict[str, Agent], roster: tuple[DeclaredAgent, ...]
) -> None:
    after = known | {agent.id: agent for agent in reconcile(known, roster, "3")}
    assert reconcile(after, roster, "4") == []


@given(KNOWN, ROSTERS)
def test_agents_outside_the_roster_stay_unchanged(
    known: dict[str, Agent], roster: tuple[DeclaredAgent, ...]
) -> None:
    after = known | {agent.id: agent for agent in reconcile(known, roster, "3")}
    assert after.keys() == known.keys() | {said.id for said in roster}
    for agent in known.values():
        if agent.source != "roster" and agent.id not in {said.id for said in roster}:
            assert after[agent.id] == agent


def test_an_unreadable_roster_changes_nothing() -> None:
    assert reconcile({"default": DEFAULT}, None, "3") == []


def test_an_undeclared_agent_is_archived_until_declared_again() -> None:
    said = DeclaredAgent("ann", "Ann", "group", "red")
    [added] = reconcile({}, (said,), "1")
    assert (added.source, added.read_policy, added.created_at) == ("roster", "group", "1")
    [gone] = reconcile({"ann": added}, (), "2")
    assert (gone.archived_at, gone.created_at, gone.policy_group) == ("2", "1", "red")
    [back] = reconcile({"ann": gone}, (replace(said, name="Anna"),), "3")
    assert (back.archived_at, back.name, back.created_at, back.updated_at) == (
        None,
        "Anna",
        "1",
        "3",
    )


def test_the_default_agent_stays_when_it_is_no_longer_declared() -> None:
    known = replace(DEFAULT, source="roster", read_policy="isolated")
    [after] = reconcile({"default": known}, (), "2")
    assert after == replace(DEFAULT, updated_at="2")


def reads(agent: Agent, *others: Agent) -> object:
    return reader_of({one.id: one for one in (agent, *others)}, agent.id)


def test_each_policy_yields_the_matching_reader() -> None:
    ann = replace(DEFAULT, id="ann")
    gone = replace(DEFAULT, id="bob", archived_at="2", policy_group="red")
    red = replace(DEFAULT, id="cleo", read_policy="isolated", policy_group="red")
    assert reader_of({}, "new") == SharedReader("new")
    assert reads(ann, red) == SharedReader("ann")
    assert reads(ann, gone) == SharedReader("ann", ("bob",))
    assert reads(replace(ann, read_policy="isolated"), red) == IsolatedReader("ann")
    grouped = replace(ann, read_policy="group", policy_group="red")
    assert reads(grouped, red, gone) == GroupReader("ann", ("ann", "cleo"))
    assert reads(replace(grouped, policy_group=None), red) == GroupReader("ann", ())
    assert reads(gone, red) == IsolatedReader("bob")
