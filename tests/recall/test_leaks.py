"""Whatever is asked, by whatever way, under whatever roster: no answer holds a forbidden memory."""

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fakes.hybrid import Hybrid, hybrid
from fakes.late_recall import late_embedder
from fakes.sessions import House, session
from fakes.waiting import PATIENCE_S
from intaglio.agents import operations
from intaglio.agents.policy import reader_for
from intaglio.agents.values import AgentChange, AgentSaved
from intaglio.base.agent_yaml.roster import POLICIES, DeclaredAgent, PolicyName
from intaglio.domain.reader import Reader
from intaglio.memory import rows
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.recall.similar import NoVector
from intaglio.sessions.prompt import PromptInput
from intaglio.store.tx import ReadTx, WriteTx

AGENTS = ("default", "ann", "bob", "cleo", "dan", "stranger")
GROUPS = (None, "red", "blue")
PROJECTS = (None, "/a", "/b")
TYPES = ("fact", "rule", "decision")
WORDS = ("car", "automobile", "doctor", "medic", "granite", "harbour")
NOW = "2026-01-31T08:00:00.000Z"
ROUNDS_OF = 40


@dataclass
class Known:
    """What the test itself knows of an agent."""

    policy: PolicyName = "shared"
    group: str | None = None
    archived: bool = False


@dataclass
class World:
    """Agents as the test sees them, the roster as the file would say it."""

    agents: dict[str, Known] = field(default_factory=dict[str, Known])
    roster: tuple[DeclaredAgent, ...] = ()

    def forbids(self, asker: str, memory: Memory) -> bool:
        """Say in the words of the policies whether the asker must not see this memory."""
        owner, asking = memory.scope.agent_id, self.agents.get(asker, Known())
        if owner == asker:
            return False
        owned = self.agents.get(owner, Known())
        if memory.scope.visibility == "private" or asking.archived or owned.archived:
            return True
        match asking.policy:
            case "isolated":
                return True
            case "shared":
                return False
            case "group":
                return owned.group != asking.group


def roll(tx: WriteTx, dice: random.Random) -> World:
    """Make a roster by every way there is: declared, added, changed, archived, taken out again."""
    tx.execute("DELETE FROM agents WHERE id <> 'default'")
    tx.execute("UPDATE agents SET read_policy = 'shared', policy_group = NULL, source = 'api'")
    world, declared, gone = World(), list[DeclaredAgent](), list[DeclaredAgent]()
    for agent in AGENTS[:-1]:
        policy, group = dice.choice(POLICIES), dice.choice(GROUPS)
        if policy == "group" and group is None:
            group = "red"
        way = dice.choice(("declared", "not yet written", "added", "archived", "gone", "unknown"))
        known = Known(policy, group, archived=way in {"archived", "gone"} and agent != "default")
        said = DeclaredAgent(agent, agent, policy, group)
        change = AgentChange(read_policy=policy, policy_group=group)
        match way:
            case "declared" | "not yet written":
                declared.append(said)
            case "gone":
                gone.append(said)
                known = known if known.archived else Known()
            case "unknown":
                known = Known()
            case _ if agent == "default":
                assert isinstance(operations.change(tx, agent, change, NOW), AgentSaved)
            case _:
                assert isinstance(operations.add(tx, agent, change, NOW), AgentSaved)
                if known.archived:
                    assert isinstance(operations.archive(tx, agent, NOW), AgentSaved)
        world.agents[agent] = known
    operations.apply_roster(tx, tuple(gone), NOW)
    operations.apply_roster(tx, (), NOW)
    world.roster = tuple(declared)
    if dice.random() < 0.5:
        operations.apply_roster(tx, world.roster, NOW)
    return world


@dataclass
class Asker:
    """Asks at random, as one agent, and returns what came back."""

    store: Hybrid
    house: House
    dice: random.Random
    ids: list[str]
    asked: int = 0

    def filter(self, reader: Reader) -> Filter:
        dice = self.dice
        return Filter(
            reader=reader,
            agent=dice.choice((None, None, None, *AGENTS)),
            visibility=dice.choice((None, None, "global", "private")),
            project=dice.choice(PROJECTS),
            exact_project=dice.random() < 0.3,
            global_only=dice.random() < 0.2,
            type=dice.choice((None, None, *TYPES)),
            pinned=dice.choice((None, None, True, False)),
            importance_min=dice.choice((None, None, 0.5)),
            tags=dice.choice(((), (), ("x",))),
        )

    async def ask(self, agent: str, reader: Reader) -> Iterable[Memory]:
        """Ask once, in one of the ways there are."""
        dice, wanted = self.dice, self.filter(reader)
        text = " ".join(dice.sample(WORDS, 2))
        self.asked += 1
        here = session(f"s{self.asked}", agent_id=agent, project=dice.choice(PROJECTS))
        match dice.randrange(7):
            case 0 | 1:
                answer = await self.store.ask(text, wanted, limit=50, min_score=0.0)
                return [found.memory for found in answer.hits]
            case 2:
                return await self.listed(wanted)
            case 3:
                found = await self.store.similar(
                    dice.choice(self.ids), 20, **{name: getattr(wanted, name) for name in FIELDS}
                )
                return [] if isinstance(found, NoVector) else [one.memory for one in found]
            case 4:
                return self.mentioned((await self.house.starts.show(here, "startup")).text)
            case 5:
                return self.mentioned((await self.house.starts.show_contract(here)).text)
            case _:
                prompts = self.house.prompts_by(self.store.recall.recall)
                return self.mentioned((await prompts.show(here, PromptInput(text))).text)

    async def listed(self, filters: Filter) -> list[Memory]:
        def work(tx: ReadTx) -> tuple[list[Memory], int]:
            page = rows.page(tx, filters, 100, None)
            return list(page.memories), rows.stats(tx, filters).total

        found, total = await self.store.index.store.db.read(work)
        assert len(found) == total
        return found

    def mentioned(self, text: str) -> list[Memory]:
        """Find the memories whose own word stands in a text."""
        return [memory for mark, memory in self.memories.items() if mark in text]

    memories: dict[str, Memory] = field(default_factory=dict[str, Memory])


FIELDS = ("reader", "agent", "visibility", "project", "exact_project", "global_only", "type")


async def keep_memories(store: Hybrid, dice: random.Random) -> dict[str, Memory]:
    """Remember one memory of each kind, each with a word that no other has."""
    store.index.embed.timeout_s = PATIENCE_S
    for number, (agent, visibility, project) in enumerate(
        (agent, visibility, project)
        for agent in AGENTS
        for visibility in ("global", "private")
        for project in PROJECTS
    ):
        await store.index.remember(
            f"{' '.join(dice.sample(WORDS, 3))} mark{number}x",
            agent_id=agent,
            visibility=visibility,
            project=project,
            type=dice.choice(TYPES),
            pinned=dice.random() < 0.3,
            importance=dice.choice((0.4, 0.9)),
            tags=dice.choice((None, "x")),
            # Scopes mix in one conversation.
            session_id="s",
        )
    while await store.index.work():
        pass
    await store.index.follow()
    page = await store.index.store.db.read(
        lambda tx: tx.all("SELECT seq FROM memories WHERE is_deleted = 0")
    )
    found = await store.index.store.db.read(
        lambda tx: rows.by_seq(tx, [int(str(seq)) for (seq,) in page])
    )
    return {memory.content.split()[-1]: memory for memory in found.values()}


async def check(folder: Path, queries: int, seed: int) -> tuple[int, int]:
    """Ask that many times; return how many memories came, and how many queries found any."""
    dice = random.Random(seed)  # noqa: S311 - a repeatable roll, no secret
    async with hybrid(folder, late_embedder(folder)) as store:
        memories = await keep_memories(store, dice)
        house = House(store.index.store)
        asker = Asker(store, house, dice, [one.id for one in memories.values()], memories=memories)
        came, met, world = 0, 0, World()
        for number in range(queries):
            if number % ROUNDS_OF == 0:
                world = await store.index.store.db.write(lambda tx: roll(tx, dice))
                house.roster = world.roster
            agent = dice.choice(AGENTS)

            def work(tx: ReadTx, agent: str = agent) -> Reader:
                return reader_for(tx, house.roster, agent)

            found = list(await asker.ask(agent, await store.index.store.db.read(work)))
            leaks = [memory for memory in found if world.forbids(agent, memory)]
            assert not leaks, json.dumps([agent, str(world), [str(leak.scope) for leak in leaks]])
            came, met = came + len(found), met + bool(found)
        await house.settle()
        return came, met


async def test_no_answer_holds_what_a_policy_forbids(tmp_path: Path) -> None:
    came, met = await check(tmp_path, 300, 1)
    # A test that finds nothing proves nothing.
    assert came > 300
    assert met > 100


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_no_answer_of_ten_thousand_holds_what_a_policy_forbids(tmp_path: Path) -> None:
    came, met = await check(tmp_path, 10_000, 2)
    assert came > 10_000
    assert met > 3_000


async def test_a_list_holds_all_that_the_policy_allows(tmp_path: Path) -> None:
    dice = random.Random(3)  # noqa: S311 - see above
    async with hybrid(tmp_path) as store:
        memories = (await keep_memories(store, dice)).values()
        house = House(store.index.store)
        asker = Asker(store, house, dice, [])
        for _ in range(60):
            world = await store.index.store.db.write(lambda tx: roll(tx, dice))
            agent = dice.choice(AGENTS)

            def work(tx: ReadTx, world: World = world, agent: str = agent) -> Reader:
                return reader_for(tx, world.roster, agent)

            reader = await store.index.store.db.read(work)
            found = {memory.id for memory in await asker.listed(Filter(reader=reader))}
            assert found == {one.id for one in memories if not world.forbids(agent, one)}
