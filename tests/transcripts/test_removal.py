"""What is forgotten, erased or said in a pause is in no transcript and in no index."""

import json
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from fakes.sessions import HARNESS, House, session
from fakes.store import MovableClock, bench
from fakes.transcripts import Talks
from fakes.waiting import until
from intaglio.base.settings.values import Settings
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.daemon.packages import PACKAGES
from intaglio.domain.reader import USER
from intaglio.lifecycle.projects.contents import give_rest, return_rest
from intaglio.lifecycle.session_removal import SessionForgotten, SessionRemoval
from intaglio.lifecycle.sweep import RetentionSweep
from intaglio.memory.operations import Audit
from intaglio.memory.project_rows import BulkMove
from intaglio.memory.values import Actor
from intaglio.projects.values import ProjectChange
from intaglio.store.settings import RetentionSettings
from intaglio.store.tx import WriteTx
from intaglio.transcripts import rows
from intaglio.transcripts.removal import agents_around, forget_session, without
from intaglio.transcripts.settings import TranscriptSettings
from intaglio.transcripts.vectors import rows as vectors
from intaglio.transcripts.vectors.values import VECTOR_BYTES, SpokenVector, packed

ME = Audit(Actor("me"))
DECISION = "We decided to use zqostgres for the kvilling service."
OTHER = "And we use tabs in the Makefile."
WORDS = ("zqostgres", "kvilling")


def traces(folder: Path) -> list[str]:
    """Name the words that stand in the database's own files."""
    files = [file for file in folder.glob("intaglio.db*") if file.is_file()]
    held = b"".join(file.read_bytes() for file in files).lower()
    return [word for word in WORDS if word.encode() in held]


def line(number: int, text: str, role: str = "user", **given: object) -> TranscriptMessage:
    at = MovableClock().moment - timedelta(hours=1) + timedelta(minutes=number)
    message = TranscriptMessage(f"m{number}", "user", text, at)
    return replace(message, role=role, **given)  # type: ignore[arg-type]  # as the test gives them


async def say(house: House, *lines: TranscriptMessage, name: str = "s1") -> None:
    await house.ends.turn_end(session(name), TranscriptReading(lines, "100"))


async def the_memory(house: House) -> str:
    [(memory_id,)] = await house.rows(
        "SELECT DISTINCT memory_id FROM statements WHERE sentence LIKE '%zqostgres%'"
    )
    return str(memory_id)


@pytest.fixture
def talks(house: House) -> Talks:
    return Talks(house.bench)


async def test_both_sides_of_a_turn_are_stored(house: House, talks: Talks) -> None:
    await say(
        house,
        line(1, DECISION),
        line(2, "Noted: zqostgres.", "assistant"),
        line(3, "The second one", question="Which linter, ruff or pylint?"),
    )
    assert await talks.texts() == [
        DECISION,
        "Noted: zqostgres.",
        "Which linter, ruff or pylint?",
        "The second one",
    ]


async def test_a_forgotten_memory_takes_its_sentence_along_and_brings_it_back(
    house: House, talks: Talks
) -> None:
    repeated = f"Understood. {DECISION.lower()} Anything else?"
    before = [f"{DECISION} {OTHER}", repeated]
    await say(house, line(1, before[0]), line(2, repeated, "assistant"))
    memory_id = await the_memory(house)
    await house.bench.remove.forget(memory_id, ME)
    assert await talks.texts() == [f"[…]. {OTHER}"]
    assert await talks.found("zqostgres") == []
    assert await talks.found("makefile") == ["s1"]
    await house.bench.remove.recover(memory_id, ME)
    assert await talks.texts() == before
    assert await talks.found("zqostgres") == ["s1"]
    assert await talks.index_is_sound()


RECAP = "Recap: the kvilling service was decided to use zqostgres, for the Falcon contract."


async def talk_of_it(house: House) -> str:
    """Have the agent repeat a decision in its own words; return its memory."""
    await say(
        house,
        line(1, "Please look at the settings page."),
        line(2, "It is blue.", "assistant"),
        line(3, "Make it green."),
        line(4, "Green. Which database for zq?", "assistant"),
        line(5, f"{DECISION} {OTHER}"),
        line(6, "Understood: because of the Falcon contract.", "assistant"),
        line(7, "Noted that, too.", "assistant"),
        line(8, "Thanks, now the footer."),
        line(9, "The footer service is done.", "assistant"),
        line(10, "Sum it up."),
        line(11, RECAP, "assistant"),
    )
    return await the_memory(house)


LEFT = [
    "Please look at the settings page.",
    "It is blue.",
    "Make it green.",
    f"[…]. {OTHER}",
    "Thanks, now the footer.",
    "The footer service is done.",
    "Sum it up.",
]


async def test_the_agents_messages_about_a_forgotten_memory_go_and_come_back(
    house: House, talks: Talks
) -> None:
    memory_id = await talk_of_it(house)
    before = await talks.texts()
    await house.bench.remove.forget(memory_id, ME)
    assert await talks.texts() == LEFT
    assert await talks.found("falcon") == []
    last = await talks.bench.db.read(lambda tx: rows.last_of_agent(tx, 1))
    assert last is None
    await house.bench.remove.recover(memory_id, ME)
    assert await talks.texts() == before
    assert await talks.index_is_sound()


@pytest.mark.parametrize("is_forgotten", [False, True])
async def test_the_agents_messages_about_an_erased_memory_are_deleted(
    house: House, talks: Talks, *, is_forgotten: bool
) -> None:
    memory_id = await talk_of_it(house)
    if is_forgotten:
        await house.bench.remove.forget(memory_id, ME)
    await house.bench.remove.erase(memory_id, ME)
    assert await talks.texts() == LEFT
    assert await house.rows("SELECT * FROM transcript_cuts") == []
    kept = "SELECT * FROM transcript_messages WHERE text LIKE '%falcon%'"
    assert await house.rows(kept) == []
    assert await talks.index_is_sound()


async def test_an_erased_memory_leaves_no_recap_that_another_would_put_back(
    house: House, talks: Talks
) -> None:
    await talk_of_it(house)
    await house.bench.remove.forget(await the_memory(house), ME)
    [(other,)] = await house.rows(
        "SELECT DISTINCT memory_id FROM statements WHERE sentence LIKE '%Makefile%'"
    )
    await house.bench.remove.forget(str(other), ME)
    await house.bench.remove.erase(await the_memory(house), ME)
    await house.bench.remove.recover(str(other), ME)
    assert await talks.texts() == LEFT


def test_the_agents_messages_next_to_the_users_are_of_the_same_turn() -> None:
    turns = [*enumerate(["agent", "user", "agent", "agent", "user", "user", "agent", "user"])]
    assert agents_around(turns, {4}) == {2, 3, 6}
    assert agents_around(turns, {1}) == {0, 2, 3}
    assert agents_around(turns, {7}) == {6}
    assert agents_around(turns, set()) == set()


async def test_two_forgotten_memories_of_one_message_come_back_in_any_order(
    house: House, talks: Talks
) -> None:
    text = f"{DECISION} From now on we always run the linter before we push."
    await say(house, line(1, text))
    ids = [str(row[0]) for row in await house.rows("SELECT id FROM memories ORDER BY seq")]
    assert len(ids) == 2
    for each in ids:
        await house.bench.remove.forget(each, ME)
    assert await talks.texts() == []
    await house.bench.remove.recover(ids[0], ME)
    [left] = await talks.texts()
    assert "zqostgres" in left
    assert "linter" not in left
    await house.bench.remove.erase(ids[1], ME)
    assert await talks.texts() == [left]
    assert await house.rows("SELECT * FROM transcript_cuts") == []


@pytest.mark.parametrize("is_forgotten", [False, True])
async def test_an_erased_memory_leaves_no_byte_in_transcripts_and_index(
    tmp_path: Path, *, is_forgotten: bool
) -> None:
    async with bench(tmp_path) as store:
        house, talks = House(store), Talks(store)
        await say(house, line(1, DECISION), line(2, f"So: {DECISION} Right?", "assistant"))
        for number in range(40):
            await talks.talk(f"other{number}", "Another session that stays.", "It does.")
        memory_id = await the_memory(house)
        assert traces(tmp_path) == list(WORDS)
        if is_forgotten:
            await store.remove.forget(memory_id, ME)
        await store.remove.erase(memory_id, ME)
        await until(lambda: not traces(tmp_path), "no word of what was erased")
        assert await talks.texts() == []
        # Reading the transcript again doesn't bring it back.
        await say(house, line(1, DECISION))
        assert await talks.index_is_sound()
    assert traces(tmp_path) == []


async def test_what_was_erased_before_its_transcript_is_read_again_stays_out(
    house: House, talks: Talks
) -> None:
    house.settings = house.settings.having(TranscriptSettings(enabled=False))
    await say(house, line(1, DECISION))
    await house.bench.remove.erase(await the_memory(house), ME)
    house.settings = house.settings.having(TranscriptSettings())
    await say(house, line(1, DECISION), line(2, OTHER))
    assert await talks.texts() == [OTHER]


async def test_what_capture_takes_back_by_itself_stays_said(house: House, talks: Talks) -> None:
    await say(house, line(1, DECISION))
    await house.bench.remove.forget(await the_memory(house), Audit(Actor("x", "harness")))
    assert await talks.texts() == [DECISION]


async def test_a_forgotten_session_is_gone_for_good(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        house, talks = House(store), Talks(store)
        await say(house, line(1, DECISION), line(2, "It is zqostgres then.", "assistant"))
        await talks.talk("other", "Another session that stays.")
        removal = SessionRemoval(store.db, store.context, lambda: False)
        preview = await removal.preview((HARNESS, "s1"), USER)
        assert preview.messages == 2
        done = await removal.forget((HARNESS, "s1"), ME, preview.token, elsewhere=False)
        assert isinstance(done, SessionForgotten)
        assert (await talks.texts(), await talks.found("zqostgres")) == ([], [])
        # A tombstone keeps its text as long as it can be restored.
        await store.remove.erase(done.outcomes[0][0], ME)
        await until(lambda: not traces(tmp_path), "no word of what was said")
        await say(house, line(1, DECISION), line(2, "It is zqostgres then.", "assistant"))
        await say(house, line(3, "It is zqostgres then.", session="s1"), name="continued")
        assert await talks.texts("continued") == []
        store.clock.forward(minutes=5)
        await say(house, replace(line(9, OTHER), time=store.clock()))
        assert await talks.texts() == [OTHER]
        assert await talks.index_is_sound()
    assert traces(tmp_path) == []


async def test_what_was_said_in_a_pause_never_enters(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        house, talks = House(store), Talks(store)
        await house.pauses.pause(None, "me")
        store.clock.forward(minutes=10)
        await house.pauses.resume()
        inside = store.clock() - timedelta(minutes=5)
        lines = [
            replace(each, time=inside)
            for each in (line(1, DECISION), line(2, DECISION, "assistant"))
        ]
        await say(house, *lines, replace(line(9, OTHER), time=store.clock()))
        assert await talks.texts() == [OTHER]
    assert traces(tmp_path) == []


async def test_prompts_of_programs_and_what_answers_them_are_not_stored(
    house: House, talks: Talks
) -> None:
    await say(
        house,
        line(1, "You are a strict code reviewer. Reply only with JSON.", from_program=True),
        line(2, '{"verdict": "fine"}', "assistant"),
    )
    await say(house, line(3, OTHER), line(4, "Done.", "assistant"), name="s2")
    assert (await talks.texts(), await talks.texts("s2")) == ([], [OTHER, "Done."])


async def test_subagents_and_harnesses_without_capture_are_not_stored(
    house: House, talks: Talks
) -> None:
    reading = TranscriptReading((line(1, OTHER),), "100")
    await house.ends.turn_end(session(subagent=True), reading)
    assert await talks.totals() == (0, 0, 0)


def sweep(talks: Talks, settings: Settings) -> RetentionSweep:
    async def pause(_: float) -> None:
        return None

    async def no_files(_: object) -> int:
        return 0

    return RetentionSweep(
        db=talks.bench.db,
        settings=lambda: settings,
        clock=talks.bench.clock,
        seconds=lambda: 0.0,
        pause=pause,
        set_aside=no_files,
        steps=PACKAGES.retention,
    )


async def test_the_sweep_deletes_sessions_that_are_older_than_what_is_kept(talks: Talks) -> None:
    await talks.talk("old", DECISION, "Fine.")
    talks.bench.clock.forward(days=10)
    await talks.talk("new", OTHER)
    settings = Settings().having(RetentionSettings(transcript_days=5))
    await sweep(talks, settings).sweep("asked")
    assert (await talks.texts("old"), await talks.texts("new")) == ([], [OTHER])
    assert await talks.totals() == (1, 1, len(OTHER))
    assert await talks.index_is_sound()


async def test_switching_transcripts_off_deletes_all_at_the_next_sweep(talks: Talks) -> None:
    await talks.talk("s1", DECISION, "Fine.")
    await sweep(talks, Settings()).sweep("asked")
    assert await talks.totals() == (1, 2, len(DECISION) + 5)
    await sweep(talks, Settings().having(TranscriptSettings(enabled=False))).sweep("asked")
    assert await talks.totals() == (0, 0, 0)


async def test_what_a_purged_memory_took_out_goes_with_it(house: House, talks: Talks) -> None:
    await say(house, line(1, f"{DECISION} {OTHER}"))
    await house.bench.remove.forget(await the_memory(house), ME)
    await house.bench.db.write(lambda tx: tx.execute("DELETE FROM memories"))
    await sweep(talks, Settings()).sweep("asked")
    assert await house.rows("SELECT * FROM transcript_cuts") == []
    assert await talks.texts() == [f"[…]. {OTHER}"]


async def test_a_moved_project_takes_its_transcripts_along_and_back(talks: Talks) -> None:
    await talks.talk("s1", OTHER)
    await talks.talk("s2", OTHER, project="/work/blog")
    store = talks.bench
    to = BulkMove("c1", "/work/shop", "/new/shop", Actor("me"), store.context.now, "moved")
    detail = await store.db.write(lambda tx: give_rest(tx, to, to.actor, store.context))
    assert {each.project for each in await talks.search("makefile")} == {"/new/shop", "/work/blog"}
    change = ProjectChange(
        seq=1, id="c1", kind="move", project="/work/shop", target="/new/shop", changed_by="me",
        created_at=to.at, detail=json.dumps(detail), is_detected=False, undone_at=None,
    )  # fmt: skip
    back = BulkMove("c2", "/new/shop", "/work/shop", Actor("me"), store.context.now, "back")
    await store.db.write(lambda tx: return_rest(tx, change, back, back.actor, store.context))
    assert {each.project for each in await talks.search("makefile")} == {"/work/shop", "/work/blog"}


@pytest.mark.parametrize(
    ("text", "phrase", "left"),
    [
        ("We  all use\n**tabs**, here.", "we all use tabs", "[…]**, here."),
        ("迁移数据库要滚动执行。好。", "数据库要滚动", "迁移[…]执行。好。"),
        ("nothing of it", "we use tabs", "nothing of it"),
        ("text", "…", "text"),
        ("we_all_use _tabs_ We all use tabs", "we all use tabs", "[…]_ […]"),
        ("on an ox on an ox on an ax", "on an ox on an ax", "on an ox […]"),
        ("Reuse two tabs; use two tabsets", "use two tabs", "Reuse two tabs; use two tabsets"),
        ("Use Google Go routines, go on with MongoDB", "Go", None),
        ("Which language? Go. Go on.", "Go", "Which language? […]. Go on."),
        ("- use pnpm\n- use pnpm for all", "Use pnpm.", "- […]\n- use pnpm for all"),
    ],
)
def test_a_phrase_is_taken_out_however_it_is_set(text: str, phrase: str, left: str | None) -> None:
    assert without(text, phrase) == (text if left is None else left)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        (f"zebra badge form {'_' * 8_000} and date", f"zebra badge form {'_ ' * 9}name date"),
        ("a " * 4_000, f"{'a ' * 2_000}b"),
        ("a " * 4_000, "a a"),
    ],
)
def test_a_hostile_message_is_searched_in_linear_time(text: str, phrase: str) -> None:
    start = time.process_time()
    assert without(text, phrase) == text
    assert time.process_time() - start < 1


async def _embed(talks: Talks, session: str) -> None:
    """Give a session's transcript vectors, as the background job does."""

    def work(tx: WriteTx) -> None:
        for number in tx.column(
            int, "SELECT seq FROM transcripts WHERE session_id = ?", (session,)
        ):
            vector = SpokenVector(number << 20 | 1, bytes(VECTOR_BYTES), b"\x01\x02")
            vectors.put(tx, "model", packed(number, [vector]), number << 20 | 1)

    await talks.bench.db.write(work)


async def test_vectors_go_with_any_text_of_their_session(house: House, talks: Talks) -> None:
    await say(house, line(1, f"{DECISION} {OTHER}"))
    await talks.talk("s2", "Another session.")
    await talks.talk("s3", "Another session.")
    memory_id = await the_memory(house)
    for name in ("s1", "s2", "s3"):
        await _embed(talks, name)
    await house.bench.remove.forget(memory_id, ME)
    await forget_session(talks.bench.db, HARNESS, "s2", talks.bench.context.now)
    assert await house.rows("SELECT transcript FROM transcript_vectors") == [(3,)]
    await sweep(talks, Settings().having(TranscriptSettings(enabled=False))).sweep("asked")
    assert await house.rows("SELECT transcript FROM transcript_vectors") == []
