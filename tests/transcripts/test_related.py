"""Sessions on the subject of an earlier one are known, of the same project and agent alone."""

import asyncio
import contextlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.store import bench
from fakes.transcripts import HARNESS, SHOP, Talks
from intaglio.base.paths import built_folder
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.unavailable import UnavailableEmbedder
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.embedding import TranscriptEmbedding
from intaglio.transcripts.related import rows
from intaglio.transcripts.related.comparison import compare
from intaglio.transcripts.related.likeness import cosines, likeness
from intaglio.transcripts.related.values import SAME_SUBJECT, SessionRelations
from intaglio.transcripts.removal import forget_session, take_out
from intaglio.transcripts.vectors import rows as vectors
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

        def work(tx: ReadTx) -> list[tuple[str, str]]:
            return tx.rows(
                tuple[str, str],
                "SELECT e.session_id, l.session_id FROM related_sessions r "
                "JOIN transcripts e ON e.seq = r.earlier JOIN transcripts l ON l.seq = r.later "
                "WHERE r.likeness >= ? ORDER BY l.ended_at DESC, l.seq DESC",
                (least,),
            )

        found: dict[str, list[str]] = {}
        for earlier, later in await self.talks.bench.db.read(work):
            found.setdefault(earlier, []).append(later)
        return found

    async def lacking(self) -> list[int]:
        return await self.talks.bench.db.read(lambda tx: rows.lacking(tx, ""))


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


def _compared(tx: ReadTx, related: Related) -> SessionRelations:
    made = compare(tx, related.talks.past, "", 4)
    assert made is not None
    assert [each.transcript for each in made.found if each.likeness >= SAME_SUBJECT] == [3]
    return made


async def test_what_was_compared_in_another_project_is_not_kept(related: Related) -> None:
    await _amended(related)
    database = related.talks.bench.db
    made = await database.read(lambda tx: _compared(tx, related))

    def work(tx: WriteTx) -> bool:
        transcripts.give(tx, [4], SHOP, "/work/other", related.talks.bench.context.now)
        return rows.put(tx, made)

    assert await database.write(work) is False
    assert await _stored(related) == 0


async def test_a_likeness_to_a_text_that_was_removed_meanwhile_is_not_kept(
    related: Related,
) -> None:
    await _amended(related)
    database = related.talks.bench.db
    made = await database.read(lambda tx: _compared(tx, related))

    def work(tx: WriteTx) -> bool:
        transcripts.remove_text(tx, 3 << 20 | 1)
        return rows.put(tx, made)

    assert await database.write(work) is False
    assert await _stored(related) == 0


def _fill(tx: WriteTx, count: int) -> None:
    """Store sessions without messages, of which every tenth has no vector."""
    numbers = json.dumps([*range(1, count + 1)])
    tx.execute(
        "INSERT INTO transcripts(seq, harness, session_id, agent_id, started_at, ended_at, words, "
        "compared) SELECT value, 'h', 's' || value, 'a', '', printf('%09d', value), 1, 0 "
        "FROM json_each(?)",
        (numbers,),
    )
    tx.execute(
        "INSERT INTO transcript_vectors(transcript, model, last_number, centroid, numbers, "
        "vectors, lengths, pieces) SELECT value, 'm', 0, x'01', x'01', x'', x'', x'' "
        "FROM json_each(?) WHERE value % 10 > 0",
        (numbers,),
    )


async def test_in_a_large_project_what_was_compared_is_not_lacking(related: Related) -> None:
    last = rows.MAX_COMPARED + 500

    def work(tx: WriteTx) -> None:
        _fill(tx, last)
        assert rows.lacking(tx, "m")[0] == last
        earlier = rows.earlier(tx, last)
        known = vectors.centroids(tx, "m", earlier)
        assert (len(earlier), len(known)) == (rows.MAX_COMPARED, rows.MAX_COMPARED * 0.9)
        assert rows.put(tx, SessionRelations(last, rows.heads(tx, [last])[last], len(known)))
        assert rows.lacking(tx, "m")[0] == last - 1

    await related.talks.bench.db.write(work)


async def _run_queued(related: Related) -> None:
    """Run jobs as they come, for ever."""
    bench = related.talks.bench
    while True:
        for job in await bench.db.write(
            lambda tx: jobs.lease(tx, [(EMBED_TRANSCRIPT, 1)], "lease", bench.clock())
        ):
            await related.job.run(job)
        await asyncio.sleep(0)


async def test_a_pass_compares_all_old_sessions(
    related: Related, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.transcripts.embedding._QUEUED_AT_ONCE", 1)
    await _amended(related)
    database = related.talks.bench.db

    def update(tx: WriteTx) -> None:
        tx.execute("DELETE FROM related_sessions")
        tx.execute("UPDATE transcripts SET compared = -1")

    await database.write(update)
    running = asyncio.create_task(_run_queued(related))
    await replace(related.job, pause_s=0.0).catch_up()
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running
    assert await related.later() == {"installs": ["amended"]}
    assert await related.lacking() == []


async def test_what_is_taken_out_of_a_session_has_it_and_later_ones_compared_at_once(
    related: Related,
) -> None:
    await _amended(related)
    bench = related.talks.bench
    await bench.db.write(lambda tx: tx.execute("DELETE FROM jobs"))
    await bench.db.write(lambda tx: take_out(tx, "m1", [], [INSTALLS[2]], bench.context.now))
    queued = "SELECT subject FROM jobs WHERE type = 'embed_transcript' ORDER BY id"
    assert await bench.db.read(lambda tx: tx.column(str, queued)) == ["3", "4"]
    assert await _stored(related) == 0


async def test_a_session_whose_last_message_was_taken_out_is_embedded_once(
    talks: Talks,
) -> None:
    model = OnnxEmbedder(built_folder("model"))
    bench = talks.bench
    job = TranscriptEmbedding(bench.db, bench.context, lambda: model, talks.past)
    await talks.talk("colours", *COLOURS)

    async def lacking() -> list[int]:
        await job.run(Job(0, EMBED_TRANSCRIPT, "1", None, 1, 1, "lease"))
        return await bench.db.read(lambda tx: vectors.lacking(tx, job.model()))

    assert await lacking() == []
    await bench.db.write(lambda tx: transcripts.remove_text(tx, 1 << 20 | len(COLOURS)))
    assert await lacking() == []
    await model.close()


async def test_a_model_that_cannot_run_leaves_comparing_words(talks: Talks, tmp_path: Path) -> None:
    shutil.copy(built_folder("model") / "manifest.json", tmp_path)
    model = OnnxEmbedder(tmp_path)
    bench = talks.bench
    job = TranscriptEmbedding(bench.db, bench.context, lambda: model, talks.past)
    await talks.talk("colours", *COLOURS)
    await job.run(Job(0, EMBED_TRANSCRIPT, "1", None, 1, 1, "lease"))
    assert job.model() == ""
    await model.close()


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
