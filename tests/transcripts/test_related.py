"""Sessions on the subject of an earlier one are known, of the same project and agent alone."""

import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.store import bench
from fakes.transcripts import HARNESS, SHOP, Talks
from intaglio.inference.unavailable import UnavailableEmbedder
from intaglio.jobs.job_type import Job
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.embedding import TranscriptEmbedding
from intaglio.transcripts.related import rows
from intaglio.transcripts.related.likeness import cosines, likeness
from intaglio.transcripts.related.values import SAME_SUBJECT
from intaglio.transcripts.removal import forget_session
from intaglio.transcripts.vectors.job_types import EMBED_TRANSCRIPT
from intaglio.transcripts.vectors.values import VECTOR_BYTES

INSTALLS = (
    "When may technicians install the meters in the tower blocks on Harbour Street?",
    "The lifts are free at night, from 21 to 4.",
    "Then installs of meters happen at night, 21 to 4, and tenants get a letter a week before.",
    "Noted: meter installs at night, a letter to the tenants a week before.",
)
AMENDED = (
    "The office called about the meters on Harbour Street: weekdays 9 to 11, in the tower blocks.",
    "Weekdays from 9 to 11 then, meters and technicians. The letter to the tenants stays?",
    "Yes, a week before, as it is.",
)
EXPORT = (
    "The CSV export cuts long descriptions. What do we do about the quotes?",
    "Double them, as the standard says, and write a byte order mark for spreadsheets.",
    "Agreed, byte order mark and doubled quotes.",
)
COLOURS = (
    "Which colours may the charts use? Red and green are hard to tell apart for some.",
    "Blue and orange, with patterns for printing.",
    "Take blue and orange.",
)


class Related:
    """Compares sessions as the background job does, without a model."""

    def __init__(self, talks: Talks) -> None:
        self.talks = talks
        bench = talks.bench
        embedder = UnavailableEmbedder("none", "", "no model")
        self.job = TranscriptEmbedding(bench.db, bench.context, lambda: embedder, talks.past)

    async def talk(self, session: str, *texts: str, project: str | None = SHOP) -> None:
        self.talks.bench.clock.forward(days=1)
        await self.talks.talk(session, *texts, project=project)
        await self.compare(session)

    async def compare(self, session: str) -> None:
        for number in await self._numbers(session):
            await self.job.run(Job(0, EMBED_TRANSCRIPT, str(number), None, 1, 1, "lease"))

    async def _numbers(self, session: str) -> list[int]:
        return await self.talks.bench.db.read(
            lambda tx: tx.column(
                int, "SELECT seq FROM transcripts WHERE session_id = ? ORDER BY seq", (session,)
            )
        )

    async def later(self, least: float = SAME_SUBJECT) -> Mapping[str, list[str]]:
        """Return the later sessions on the subject of each session."""

        def work(tx: ReadTx) -> dict[str, list[str]]:
            names = dict(tx.rows(tuple[int, str], "SELECT seq, session_id FROM transcripts"))
            return {
                names[earlier]: [names[each.transcript] for each in later if each.likeness >= least]
                for earlier, later in rows.later_than(tx, names).items()
            }

        return {key: each for key, each in (await self.talks.bench.db.read(work)).items() if each}

    async def lacking(self) -> list[int]:
        return await self.talks.bench.db.read(lambda tx: rows.lacking(tx, "", 10))


@pytest.fixture
def related(talks: Talks) -> Related:
    return Related(talks)


async def test_an_amendment_among_few_sessions_is_found_and_nothing_else(related: Related) -> None:
    await related.talk("installs", *INSTALLS)
    await related.talk("export", *EXPORT)
    await related.talk("colours", *COLOURS)
    await related.talk("amended", *AMENDED)
    assert await related.later() == {"installs": ["amended"]}


async def test_a_session_that_goes_on_is_compared_anew(related: Related) -> None:
    await related.talk("installs", *INSTALLS)
    await related.talk("export", *EXPORT)
    await related.talk("colours", *COLOURS)
    await related.talk("amended", "Good morning.")
    assert await related.later() == {}
    await related.talk("amended", *AMENDED)
    assert await related.later() == {"installs": ["amended"]}
    await related.talk("amended", *EXPORT * 6)
    assert "amended" not in (await related.later()).get("installs", [])


async def test_a_session_that_was_read_late_is_compared_with_later_ones(related: Related) -> None:
    related.talks.bench.clock.forward(days=30)
    await related.talk("export", *EXPORT)
    await related.talk("colours", *COLOURS)
    await related.talk("amended", *AMENDED)
    related.talks.bench.clock.forward(days=-20)
    await related.talk("installs", *INSTALLS)
    assert await related.later() == {}
    assert len(await related.lacking()) == 3
    for name in ("export", "colours", "amended"):
        await related.compare(name)
    assert await related.later() == {"installs": ["amended"]}
    assert await related.lacking() == []


async def _amended(related: Related) -> None:
    await related.talk("export", *EXPORT)
    await related.talk("colours", *COLOURS)
    await related.talk("installs", *INSTALLS)
    await related.talk("amended", *AMENDED)
    assert await related.later() == {"installs": ["amended"]}


async def _stored(related: Related) -> int:
    return await related.talks.bench.db.read(
        lambda tx: tx.count("SELECT count(*) FROM related_sessions")
    )


@pytest.mark.parametrize("session", ["installs", "amended"])
async def test_nothing_is_known_of_a_forgotten_session(related: Related, session: str) -> None:
    await _amended(related)
    await forget_session(related.talks.bench.db, HARNESS, session, related.talks.bench.context.now)
    assert await _stored(related) == 0


async def test_nothing_is_known_of_deleted_sessions(related: Related) -> None:
    await _amended(related)
    tomorrow = "2099-01-01"

    def work(tx: WriteTx) -> None:
        for key in transcripts.old(tx, tomorrow, tomorrow, 100):
            transcripts.purge(tx, key, tomorrow, tomorrow)

    await related.talks.bench.db.write(work)
    assert await _stored(related) == 0


@pytest.mark.parametrize("moved", [3, 4])
async def test_a_session_of_another_project_is_not_related(related: Related, moved: int) -> None:
    await _amended(related)

    def work(tx: WriteTx) -> None:
        transcripts.give(tx, [moved], SHOP, "/work/other", related.talks.bench.context.now)

    await related.talks.bench.db.write(work)
    assert await _stored(related) == 0
    await related.compare("amended")
    assert await related.later() == {}


async def test_a_session_of_which_a_message_was_taken_out_is_compared_anew(
    related: Related,
) -> None:
    await _amended(related)
    third = 3 << 20 | 4
    await related.talks.bench.db.write(lambda tx: transcripts.remove_text(tx, third))
    assert await _stored(related) == 0
    # With no earlier one, there is nothing to compare it with.
    assert await related.lacking() == [4, 3]
    await related.compare("amended")
    assert await related.later() == {"installs": ["amended"]}


def test_who_stands_out_is_related_and_without_that_nobody() -> None:
    scores = {number: 0.3 + number / 100 for number in range(40)}
    near = {number: 2.0 + number / 10 for number in range(40)}
    alike = likeness(near, 100.0, scores)
    assert max(alike.values()) < SAME_SUBJECT
    found = likeness({**near, 7: 30.0}, 100.0, {**scores, 7: 0.95})
    assert [number for number, value in found.items() if value >= SAME_SUBJECT] == [7]
    by_words = likeness({**near, 7: 30.0}, 100.0, {})
    assert [number for number, value in by_words.items() if value >= SAME_SUBJECT] == [7]
    assert likeness(near, 0.0, scores) == {}


def test_sessions_of_a_template_do_not_stand_out_by_a_hair() -> None:
    same = dict.fromkeys(range(30), 80.0)
    found = likeness({**same, 3: 81.0}, 100.0, {**dict.fromkeys(range(30), 0.97), 3: 0.99})
    assert max(found.values()) < SAME_SUBJECT


def test_cosines_are_of_directions() -> None:
    own = bytes([100, 0]) + bytes(VECTOR_BYTES - 2)
    across = bytes([0, 50]) + bytes(VECTOR_BYTES - 2)
    found = cosines(own, {1: bytes([7, 0]) + bytes(VECTOR_BYTES - 2), 2: across, 3: bytes(384)})
    assert found == pytest.approx({1: 1.0, 2: 0.0, 3: 0.0})


AGENTS = ("default", "ann")
PROJECTS = (None, "/a", "/a/b")
SAID = st.lists(
    st.tuples(
        st.sampled_from(AGENTS),
        st.sampled_from(PROJECTS),
        st.sampled_from((INSTALLS, AMENDED, EXPORT)),
    ),
    min_size=2,
    max_size=7,
)


async def _check(folder: Path, said: list[tuple[str, str | None, tuple[str, ...]]]) -> None:
    async with bench(folder) as store:
        talks = Talks(store)
        related = Related(talks)
        for number, (agent, project, texts) in enumerate(said):
            store.clock.forward(days=1)
            await talks.talk(f"s{number}", *texts, project=project, agent_id=agent)
            await related.compare(f"s{number}")
        for earlier, later in (await related.later(0.0)).items():
            for each in later:
                one, other = said[int(earlier[1:])], said[int(each[1:])]
                assert one[:2] == other[:2]
                assert int(earlier[1:]) < int(each[1:])


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SAID)
def test_only_sessions_of_one_project_and_agent_are_related(
    said: list[tuple[str, str | None, tuple[str, ...]]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_check(Path(folder), said))
