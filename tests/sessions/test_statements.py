"""What becomes of statements: kept, suggested, repeated, taken back; and their evidence."""

from datetime import timedelta
from typing import Final

import pytest

from fakes.inbox import claim, suggest
from fakes.sessions import House, session
from fakes.talk import Talk, items, other, states
from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings
from intaglio.capture.transcripts import TranscriptMessage
from intaglio.daemon.packages import PACKAGES
from intaglio.domain.reader import UserReader
from intaglio.inbox import operations as inbox
from intaglio.inbox.values import Evidence
from intaglio.lifecycle.decisions.inbox_decisions import InboxDecisions
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change
from intaglio.sessions.statements import rows
from intaglio.sessions.statements.settlement import Settlement
from intaglio.sessions.values import CaptureResult
from intaglio.store.tx import Row, WriteTx

# A test chooses the outcome, whatever the classifier's probabilities are.
KEPT: Final = Settings().having(CaptureSettings(keep_at=0.2, suggest_at=0.2))
SUGGESTED: Final = Settings().having(CaptureSettings(keep_at=1.0, suggest_at=0.01))
LUXON: Final = "We decided to use Luxon for date handling."
DATE_FNS: Final = "No, we decided to use date-fns for date handling, not Luxon."
LINTER: Final = "From now on always run the linter before pushing."
LINTER_AGAIN: Final = "Always run the linter first, before you push from now on."
USER: Final = Audit(Actor("me"))


@pytest.fixture
def talk(house: House) -> Talk:
    house.settings = KEPT
    return Talk(house)


async def only_memory(house: House) -> str:
    [row] = await house.rows("SELECT id FROM memories WHERE is_deleted = 0")
    return str(row[0])


async def evidence(house: House, memory_id: str) -> list[Evidence]:
    return await house.bench.db.read(lambda tx: rows.evidence(tx, memory_id))


async def settle(house: House) -> int:
    return await Settlement(house.capture, house.recorder).settle_due()


async def test_the_users_own_sentence_and_its_place_are_the_evidence(talk: Talk) -> None:
    await talk.say(f"Hi there! {LUXON} Thanks.")
    [found] = await evidence(talk.house, await only_memory(talk.house))
    assert (found.sentence, found.session_id, found.message_id) == (LUXON, "s1", "s1-0")
    assert talk.lines[0].text[found.start : found.end] in {LUXON, LUXON.removesuffix(".")}
    assert found.said_at == "2026-01-30T09:00:00.000Z"


async def test_memories_kept_since_a_time_are_counted(
    talk: Talk,
) -> None:
    clock = talk.house.bench.clock

    async def kept(since: str) -> int:
        return await talk.house.bench.db.read(lambda tx: rows.kept_since(tx, UserReader(), since))

    await talk.house.remember("Never push to main.")
    began = iso(clock())
    await talk.say(LUXON, LINTER)
    assert await kept(began) == 2
    clock.forward(minutes=1)
    later = iso(clock())
    await Talk(talk.house, "s2").say(LUXON)
    assert (await kept(began), await kept(later)) == (2, 0)
    await talk.say(DATE_FNS)
    assert (await kept(began), await kept(later)) == (2, 1)


async def test_the_lines_that_were_saved_come_newest_first_without_old_history(talk: Talk) -> None:
    began = iso(talk.house.bench.clock())

    async def saved(said_since: str, limit: int = 20) -> list[str]:
        found = await talk.house.bench.db.read(
            lambda tx: rows.saved_since(tx, UserReader(), began, said_since, limit)
        )
        return [line.content for line in found]

    await talk.say(LUXON, LINTER)
    lines = await saved("")
    assert lines[0].startswith(LINTER[:10])
    assert (len(lines), await saved("", limit=1)) == (2, lines[:1])
    assert await saved("2026-01-31T00:00:00.000Z") == []


async def test_a_suggestion_waits_in_the_inbox_and_is_not_injected(talk: Talk) -> None:
    talk.house.settings = SUGGESTED
    assert (await talk.say(LUXON)).suggested == 1
    assert await items(talk.house) == [("suggestion", "open", None, 1)]
    assert await talk.house.contents() == []
    assert (await talk.house.start(session("s9"))).text == ""


@pytest.mark.parametrize("settings", [KEPT, SUGGESTED])
async def test_reading_a_transcript_twice_changes_nothing(talk: Talk, settings: Settings) -> None:
    talk.house.settings = settings
    await talk.say(LUXON, "scratch that", LINTER, DATE_FNS)
    before = await states(talk.house), await items(talk.house), await talk.house.contents()
    again = await talk.read_again()
    assert (again.saved, again.suggested) == (0, 0)
    assert (await states(talk.house), await items(talk.house)) == before[:2]
    assert await talk.house.contents() == before[2]


async def test_secrets_are_removed_before_anything_is_written(talk: Talk) -> None:
    talk.house.settings = SUGGESTED
    await talk.say("We decided to use password=hunter2Xq77 for the staging database.")
    written = await talk.house.rows("SELECT sentence, content FROM statements")
    written += await talk.house.rows("SELECT content, '' FROM inbox_items")
    written += await talk.house.rows("SELECT sentence, '' FROM inbox_evidence")
    assert len(written) == 3
    assert "hunter2" not in str(written)


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (3, CaptureResult(saved=3)),
        # Of a session, three are suggested.
        (13, CaptureResult(suggested=3)),
        (41, CaptureResult()),
    ],
)
async def test_a_message_full_of_statements_may_be_a_document(
    talk: Talk, count: int, expected: CaptureResult
) -> None:
    names = [f"{first}{second}" for first in "bcdfghj" for second in "klmnpq"][:count]
    rules = [f"From now on always run {name}axbot before pushing." for name in names]
    assert await talk.say(" ".join(rules)) == expected


async def test_a_correction_is_stored_without_its_lead_in(talk: Talk) -> None:
    await talk.say("We decided to store the saves as JSON.")
    await talk.say("Scrap that, we decided to store the saves in a binary format.")
    assert await talk.house.contents() == ["we decided to store the saves in a binary format."]


async def test_nothing_of_a_long_list_is_kept_as_a_correction(talk: Talk) -> None:
    await talk.say(LUXON)
    rules = [f"From now on always run {name}axbot before pushing." for name in "bcdfghjklmnpq"]
    assert (await talk.say(" ".join((DATE_FNS, *rules)))).saved == 0


async def test_a_likely_replacement_of_a_statement_is_kept(talk: Talk) -> None:
    await talk.say(LUXON)
    talk.house.settings = Settings().having(CaptureSettings(keep_at=1.0, suggest_at=0.01))
    assert await talk.say(DATE_FNS) == CaptureResult(saved=1)
    [kept] = await talk.house.contents()
    assert "date-fns" in kept


async def test_a_later_turn_replaces_a_statement(talk: Talk) -> None:
    await talk.say(LUXON, "ok thanks", DATE_FNS)
    [kept] = await talk.house.contents()
    assert "date-fns" in kept
    assert await states(talk.house) == ["replaced", "live"]
    [deleted] = await talk.house.rows("SELECT reason FROM memory_history WHERE event = 'deleted'")
    assert "same session" in str(deleted[0])


async def test_musing_replaces_nothing(talk: Talk) -> None:
    await talk.say(LUXON, "ok thanks", "Maybe we should use date-fns for dates instead of Luxon.")
    talk.house.bench.clock.forward(hours=1)
    await settle(talk.house)
    assert await talk.house.contents() == [LUXON]


async def test_a_suggestion_that_is_taken_back_leaves_the_inbox(talk: Talk) -> None:
    talk.house.settings = SUGGESTED
    await talk.say(LUXON, "Scratch that.")
    assert await items(talk.house) == [("suggestion", "done", "withdrawn", 1)]


async def test_memories_changed_or_pinned_by_the_user_stay(talk: Talk) -> None:
    await talk.say(LUXON)
    memory = await only_memory(talk.house)
    await talk.house.bench.revise.modify(memory, Change(pinned=True), USER)
    await talk.say("Scratch that.")
    assert await only_memory(talk.house) == memory


async def test_a_restored_memory_is_not_taken_back_again(talk: Talk) -> None:
    await talk.say(LUXON)
    memory = await only_memory(talk.house)
    await talk.say("Scratch that.")
    await talk.house.bench.remove.recover(memory, USER)
    await talk.read_again()
    talk.house.bench.clock.forward(hours=1)
    await settle(talk.house)
    assert await only_memory(talk.house) == memory
    assert len(await evidence(talk.house, memory)) == 1


async def test_a_retracted_statement_said_again_is_kept(talk: Talk) -> None:
    await talk.say(LUXON, "Scratch that.", "Hm. " + LUXON)
    assert await talk.house.contents() == [LUXON]


async def test_a_near_duplicate_adds_evidence_and_confidence(talk: Talk) -> None:
    await talk.say(LINTER)
    memory = await only_memory(talk.house)
    sure = "SELECT confidence FROM memories"
    [[before]] = await talk.house.rows(sure)
    await other(talk).say(LINTER_AGAIN)
    assert await only_memory(talk.house) == memory
    [[after]] = await talk.house.rows(sure)
    assert float(str(after)) > float(str(before))
    assert [one.session_id for one in await evidence(talk.house, memory)] == ["s1", "s2"]


@pytest.mark.parametrize(("again", "kept"), [(LINTER_AGAIN, 1), (LINTER, 0)])
async def test_a_suggestion_said_again_elsewhere_is_kept_unless_it_is_a_copy(
    talk: Talk, again: str, kept: int
) -> None:
    talk.house.settings = SUGGESTED
    await talk.say(LINTER)
    await other(talk).say(again)
    assert len(await talk.house.contents()) == kept
    if kept:
        assert await items(talk.house) == [("suggestion", "done", "said_again", 2)]
        assert len(await evidence(talk.house, await only_memory(talk.house))) == 2
    else:
        assert [item[:3] for item in await items(talk.house)] == [("suggestion", "open", None)]


async def test_an_agents_claim_does_not_count_as_said_before(talk: Talk) -> None:
    talk.house.settings = SUGGESTED
    claimed = claim(LINTER, session="s0")
    await talk.house.bench.db.write(lambda tx: suggest(tx, talk.house.bench.context, claimed))
    await talk.say(LINTER_AGAIN)
    assert await items(talk.house) == [("suggestion", "open", None, 2)]
    assert await talk.house.contents() == []


async def test_a_suggestion_repeated_in_one_session_stays_one(talk: Talk) -> None:
    talk.house.settings = SUGGESTED
    await talk.say(LINTER, LINTER_AGAIN)
    assert await items(talk.house) == [("suggestion", "open", None, 2)]
    assert await talk.house.contents() == []


async def test_a_dropped_suggestion_never_returns_in_the_same_words(talk: Talk) -> None:
    talk.house.settings = SUGGESTED
    await talk.say(LINTER)

    def drop(tx: WriteTx) -> None:
        [item] = inbox.open_suggestions(tx, "/work/shop", "default")
        inbox.close(tx, item.id, "drop", talk.house.bench.context)

    await talk.house.bench.db.write(drop)
    assert (await other(talk).say(LINTER)).forgotten == 1
    talk.house.settings = KEPT
    assert (await other(talk, "s3").say(LINTER)).forgotten == 1
    assert await talk.house.contents() == []


async def test_a_memory_kept_from_the_inbox_can_be_contradicted(talk: Talk) -> None:
    await talk.say("We decided to write the importer in Go.")
    talk.house.settings = SUGGESTED
    await other(talk).say("We decided to write the importer in Rust.")
    assert [item[:2] for item in await items(talk.house)] == [("suggestion", "open")]
    bench = talk.house.bench
    decisions = InboxDecisions(bench.db, bench.context, lambda: bench.frozen, PACKAGES.inbox_kinds)
    [[item_id]] = await talk.house.rows("SELECT id FROM inbox_items")
    await decisions.decide(str(item_id), "keep", USER)
    assert await items(talk.house) == [
        ("suggestion", "done", "keep", 1),
        ("contradiction", "open", None, 1),
    ]
    await decisions.undo_all([str(item_id)], USER)
    assert await items(talk.house) == [
        ("suggestion", "open", None, 1),
        ("contradiction", "done", "memory_gone", 1),
    ]


async def test_a_memory_of_another_session_can_be_contradicted(talk: Talk) -> None:
    await talk.say("Always run the linter before pushing.")
    await other(talk).say(
        "Run the linter first, before you push.", "Never run the linter before pushing."
    )
    assert len(await talk.house.contents()) == 2
    assert await items(talk.house) == [("contradiction", "open", None, 1)]


async def test_a_memory_that_another_session_said_too_is_not_taken_back(talk: Talk) -> None:
    await talk.say(LINTER)
    second = other(talk)
    await second.say(LINTER_AGAIN, "Scratch that.")
    assert await talk.house.contents() == [LINTER]
    assert await states(talk.house) == ["live", "withdrawn", "live"]


async def test_erasing_a_memory_takes_its_sentences_along(talk: Talk) -> None:
    await talk.say(LINTER)
    await other(talk).say(LINTER_AGAIN)
    memory = await only_memory(talk.house)
    await talk.house.bench.db.write(
        lambda tx: operations.erase(tx, memory, USER, talk.house.bench.context)
    )
    texts = await talk.house.rows("SELECT sentence || content FROM statements")
    assert texts == [("",), ("",)]
    await talk.read_again()
    assert await talk.house.contents() == []


async def test_nothing_is_lost_if_it_cannot_be_stored_now(talk: Talk) -> None:
    talk.house.bench.frozen = True
    with pytest.raises(UnavailableError):
        await talk.say(LUXON)
    talk.house.bench.frozen = False
    assert (await talk.say(LUXON)).saved == 1


class TestSettling:
    """A session is judged again as a whole, at its end or when it is idle."""

    async def test_settlement_waits_until_the_session_is_idle_or_has_ended(
        self, talk: Talk
    ) -> None:
        await talk.say(LUXON)
        assert await settle(talk.house) == 0
        talk.house.bench.clock.forward(minutes=29)
        assert await settle(talk.house) == 0
        talk.house.bench.clock.forward(minutes=2)
        assert await settle(talk.house) == 1
        assert await settle(talk.house) == 0

    async def test_an_ended_session_is_settled_at_once(self, talk: Talk) -> None:
        await talk.say(LUXON)
        await talk.house.ends.session_end(session(), "exit")
        assert await settle(talk.house) == 1

    async def test_settlement_applies_retractions_recorded_first(self, talk: Talk) -> None:
        later = Talk(talk.house, begins=talk.begins + timedelta(hours=1), name="s1")
        later.lines = [TranscriptMessage("x", "assistant", "Hello.")]
        await later.say(DATE_FNS)
        await talk.say(LUXON)
        assert len(await talk.house.contents()) == 2
        await talk.house.ends.session_end(session(), "exit")
        await settle(talk.house)
        [kept] = await talk.house.contents()
        assert "date-fns" in kept

    async def test_settlement_spares_what_a_correction_did_not_mean(self, talk: Talk) -> None:
        await talk.say(
            "mock it. and e2e test run only on main, not on every PR, CI minutes",
            "never push without running the linter",
            "nah forget it, what I said about e2e only on main: run them on every PR, in chromium",
        )
        before = await talk.house.contents()
        assert "never push without running the linter" in before
        await talk.house.ends.session_end(session(), "exit")
        await settle(talk.house)
        assert await talk.house.contents() == before

    async def test_settlement_merges_duplicates(self, talk: Talk) -> None:
        await talk.say(LINTER)
        await talk.say(LUXON)

        def split(tx: WriteTx) -> None:
            # As if the vectors that show the likeness had been missing at the turn's end.
            tx.execute("UPDATE statements SET content = ? WHERE seq = 2", (LINTER_AGAIN,))

        await talk.house.bench.db.write(split)
        await talk.house.ends.session_end(session(), "exit")
        await settle(talk.house)
        assert await talk.house.contents() == [LINTER]
        assert len(await evidence(talk.house, await only_memory(talk.house))) == 2

    async def test_settlement_does_nothing_in_a_pause(self, talk: Talk) -> None:
        await talk.say(LUXON)
        await talk.house.ends.session_end(session(), "exit")
        await talk.house.pauses.pause(None, "me")
        assert await settle(talk.house) == 0
        await talk.house.pauses.resume()
        assert await settle(talk.house) == 1


async def contexts(house: House) -> list[Row]:
    return await house.rows("SELECT context FROM statements ORDER BY seq")


async def test_the_context_of_a_statement_is_kept_without_secrets(talk: Talk) -> None:
    token = f"ghp_{'a1B2c3D4' * 5}"
    talk.lines = [TranscriptMessage("x", "assistant", f"Which library? {token}")]
    await talk.say(f"Thanks. {LUXON} It is small.")
    (context,), *_ = await contexts(talk.house)
    lines = str(context).split("\n")
    assert lines[0].startswith("Which library?")
    assert lines[1:] == ["Thanks.", "It is small."]
    assert token not in str(context)


async def test_an_agents_words_of_another_project_are_no_context(talk: Talk) -> None:
    await talk.house.start(session(project="/elsewhere"))
    await talk.house.start(session(), "resume")
    talk.lines = [TranscriptMessage("x", "assistant", "Which library?", cwd="/elsewhere")]
    await talk.say(LUXON)
    assert await contexts(talk.house) == [("",)]


async def test_the_context_of_an_erased_statement_is_erased(talk: Talk) -> None:
    talk.lines = [TranscriptMessage("x", "assistant", "Which library?")]
    await talk.say(LUXON)
    ((memory,),) = await talk.house.rows("SELECT id FROM memories")
    await talk.house.bench.db.write(
        lambda tx: operations.erase(tx, str(memory), USER, talk.house.bench.context)
    )
    assert await contexts(talk.house) == [("",)]


async def test_an_erased_sentence_is_in_no_other_statements_context(talk: Talk) -> None:
    await talk.say(f"{LUXON} {LINTER}")
    await other(talk).say(f"{LUXON} {LINTER}")
    held = await talk.house.rows("SELECT id, content FROM memories ORDER BY seq")
    assert len(held) == 2
    erased = next(str(id_) for id_, content in held if content == LINTER)
    assert any(LINTER in str(context) for (context,) in await contexts(talk.house))
    await talk.house.bench.db.write(
        lambda tx: operations.erase(tx, erased, USER, talk.house.bench.context)
    )
    assert not any(LINTER in str(context) for (context,) in await contexts(talk.house))


REVIEWER: Final = "You are a code reviewer in CI. Never approve changes without tests."


@pytest.mark.parametrize("from_program", [True, False])
async def test_a_role_prompt_is_suggested_at_most(talk: Talk, *, from_program: bool) -> None:
    talk.from_program = from_program
    await talk.say(REVIEWER)
    assert await talk.house.contents() == []
    assert {row[:2] for row in await items(talk.house)} == {("suggestion", "open")}


async def test_a_role_prompt_that_runs_every_night_is_suggested_once(talk: Talk) -> None:
    waiting: list[int] = []
    for night in range(3):
        nightly = Talk(talk.house, f"night-{night}", talk.begins + timedelta(days=night))
        nightly.from_program = True
        await nightly.say(REVIEWER)
        waiting.append(len(await items(talk.house)))
    assert await talk.house.contents() == []
    assert waiting == [waiting[0]] * 3


async def test_the_later_prompts_of_a_programs_run_bind_that_run_too(talk: Talk) -> None:
    talk.from_program = True
    await talk.say(REVIEWER, LINTER)
    assert await talk.house.contents() == []


async def test_a_person_may_use_an_interface_for_programs(talk: Talk) -> None:
    talk.from_program = True
    await talk.say(LUXON, LINTER)
    assert len(await talk.house.contents()) == 2


async def test_a_role_prompt_retracts_nothing(talk: Talk) -> None:
    await talk.say(LUXON)
    before = await talk.house.contents()
    await talk.say(f"You are a code reviewer. {DATE_FNS}")
    assert await talk.house.contents() == before


async def test_everywhere_stays_in_the_project_and_asks_for_more(talk: Talk) -> None:
    await talk.say("We decided to use UTC everywhere.")
    [scope] = await talk.house.rows("SELECT project FROM memories")
    assert scope[0] is not None
    assert [row[:2] for row in await items(talk.house)] == [("wider_scope", "open")]


async def test_words_that_name_several_projects_reach_all_of_them(talk: Talk) -> None:
    await talk.say("We decided to use UTC in all my projects.")
    [scope] = await talk.house.rows("SELECT project FROM memories")
    assert scope[0] is None
    assert await items(talk.house) == []
