"""Whatever was said where by whom, a search finds only what its asker may read, and all of it."""

import asyncio
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.store import bench
from fakes.transcripts import HARNESS, Talks
from intaglio.domain.reader import USER, GroupReader, IsolatedReader, Reader, SharedReader
from intaglio.transcripts.values import TranscriptFilter

AGENTS = ("default", "ann", "bob")
PROJECTS = (None, "/a", "/b", "/a/b")
WORDS = ("harbour", "granite", "数据库迁移", "zebra")

SAID = st.lists(
    st.tuples(
        st.sampled_from(AGENTS),
        st.lists(
            st.tuples(st.sampled_from(PROJECTS), st.sampled_from(WORDS)), min_size=1, max_size=4
        ),
    ),
    min_size=1,
    max_size=5,
)
READERS: st.SearchStrategy[Reader] = st.one_of(
    st.just(USER),
    st.sampled_from(AGENTS).map(SharedReader),
    st.sampled_from(AGENTS).map(IsolatedReader),
    st.sampled_from(AGENTS).map(lambda agent: GroupReader(agent, AGENTS)),
)
FILTERS = st.builds(
    TranscriptFilter,
    reader=READERS,
    projects=st.none() | st.lists(st.sampled_from(PROJECTS), max_size=3).map(tuple),
    without=st.none() | st.integers(0, 4).map(lambda number: (HARNESS, f"s{number}")),
)
Said = list[tuple[str, list[tuple[str | None, str]]]]


async def _check(folder: Path, said: Said, asked: list[tuple[str, TranscriptFilter]]) -> None:
    async with bench(folder) as store:
        talks = Talks(store)
        for number, (agent, parts) in enumerate(said):
            for project, word in parts:
                await talks.talk(f"s{number}", f"the {word}", project=project, agent_id=agent)
        for word, wanted in asked:
            found = {
                (each.session_id, each.project) for each in await talks.search(word, wanted, 100)
            }
            assert found == {
                (f"s{number}", project)
                for number, (agent, parts) in enumerate(said)
                for project, spoken in parts
                if spoken == word
                and (wanted.reader is USER or agent == getattr(wanted.reader, "agent_id", None))
                and (wanted.projects is None or project in wanted.projects)
                and wanted.without != (HARNESS, f"s{number}")
            }
            for number, (agent, parts) in enumerate(said):
                texts = await talks.texts(f"s{number}", wanted)
                is_own = wanted.reader is USER or agent == getattr(wanted.reader, "agent_id", None)
                assert sorted(texts) == sorted(
                    f"the {spoken}"
                    for project, spoken in parts
                    if is_own and (wanted.projects is None or project in wanted.projects)
                )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SAID, st.lists(st.tuples(st.sampled_from(WORDS), FILTERS), min_size=3, max_size=8))
def test_a_search_finds_all_that_may_be_read_and_nothing_else(
    said: Said, asked: list[tuple[str, TranscriptFilter]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_check(Path(folder), said, asked))
