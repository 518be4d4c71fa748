"""No filter lets a foreign memory through, by whichever leg it comes."""

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.hybrid import hybrid
from intaglio.domain.reader import (
    USER,
    GroupReader,
    IsolatedReader,
    SharedReader,
    may_read,
)
from intaglio.memory.filters import Filter

AGENTS = st.sampled_from(["default", "ann", "bob"])
READERS = st.one_of(
    st.just(USER),
    st.builds(SharedReader, AGENTS, st.lists(AGENTS, max_size=2).map(tuple)),
    st.builds(GroupReader, AGENTS, st.lists(AGENTS, max_size=2).map(tuple)),
    st.builds(IsolatedReader, AGENTS),
)
PROJECTS = st.sampled_from([None, "/a", "/b"])
# The first word is nobody's in the question: those memories come by meaning alone.
WORDS = st.sampled_from(["car", "automobile"])


@dataclass(frozen=True)
class Fact:
    word: str
    agent: str
    project: str | None
    private: bool


FACTS = st.lists(st.builds(Fact, WORDS, AGENTS, PROJECTS, st.booleans()), min_size=1, max_size=8)
FILTERS = st.lists(
    st.builds(
        Filter,
        reader=READERS,
        project=PROJECTS,
        exact_project=st.booleans(),
        global_only=st.booleans(),
    ),
    min_size=1,
    max_size=4,
)


def allowed(fact: Fact, filters: Filter) -> bool:
    if not may_read(filters.reader, fact.agent, "private" if fact.private else "global"):
        return False
    if filters.global_only:
        return fact.project is None
    if filters.project is None or fact.project == filters.project:
        return True
    return fact.project is None and not filters.exact_project


async def check(facts: list[Fact], filters: list[Filter]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with hybrid(Path(folder)) as store:
            for number, fact in enumerate(facts):
                await store.index.remember(
                    f"{fact.word} n{number}",
                    agent_id=fact.agent,
                    project=fact.project,
                    visibility="private" if fact.private else "global",
                )
            await store.index.work(rounds=2)
            await store.index.follow()
            for wanted in filters:
                answer = await store.ask("automobile", wanted, limit=20, min_score=0.0)
                found = {each.memory.content for each in answer.hits}
                assert found == {
                    f"{fact.word} n{number}"
                    for number, fact in enumerate(facts)
                    if allowed(fact, wanted)
                }


@settings(max_examples=25)
@given(FACTS, FILTERS)
def test_a_search_finds_all_own_memories_and_no_others(
    facts: list[Fact], filters: list[Filter]
) -> None:
    asyncio.run(check(facts, filters))
