"""What is kept of many memories does not depend on the order in which they come."""

import asyncio
import tempfile
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.store import bench
from intaglio.base.text import normal_form
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember

TEXTS = st.text(st.sampled_from("aBc .!?\n\té"), min_size=1, max_size=8)
SAID = st.tuples(
    TEXTS.filter(lambda text: text.strip()),
    st.sampled_from([None, "/a"]),
    st.sampled_from(["global", "private"]),
    st.sampled_from(["default", "ann"]),
)
Kept = set[tuple[str, str | None, str, str]]


async def remembered(said: list[tuple[str, str | None, str, str]]) -> Kept:
    """Remember all, each twice, and return what is kept in its normal form with its scope."""
    with tempfile.TemporaryDirectory() as folder:
        async with bench(Path(folder)) as store:
            for content, project, visibility, agent in said * 2:
                command = Remember(
                    content=content,
                    actor=Actor("me"),
                    project=project,
                    visibility=visibility,
                    agent_id=agent,
                )
                await store.ingest.remember(command)
            rows = await store.db.read(
                lambda tx: tx.all("SELECT content, project, visibility, agent_id FROM memories")
            )
    kept = {
        (_basis(str(content)), None if project is None else str(project), str(who), str(agent))
        for content, project, who, agent in rows
    }
    assert len(kept) == len(rows)
    return kept


def _basis(content: str) -> str:
    return normal_form(content) or content.lower()


@settings(max_examples=20)
@given(st.lists(SAID, min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_one_memory_is_kept_of_each_normal_form_in_each_scope(
    said: list[tuple[str, str | None, str, str]], chance: Random
) -> None:
    shuffled = list(said)
    chance.shuffle(shuffled)
    assert asyncio.run(remembered(said)) == asyncio.run(remembered(shuffled))
