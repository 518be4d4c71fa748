"""The review of captured memories: what is judged again, how it goes on, and what the user says."""

from dataclasses import replace
from typing import Final

import pytest

from fakes.sessions import HARNESS, PROJECT, House
from intaglio.base.clock import iso
from intaglio.base.errors import ForbiddenError
from intaglio.capture.judge_version import judge_version
from intaglio.capture.settings import CaptureSettings
from intaglio.domain.reader import USER as USER_READER
from intaglio.domain.reader import UserReader
from intaglio.jobs import rows as queue
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.values import WORDED_BY_AGENT, Actor, Change, Source
from intaglio.pipeline.ingest import Remember, prepare
from intaglio.review import rows
from intaglio.review.judging import readings_of
from intaglio.review.reviews import CaptureReviews
from intaglio.review.runner import BATCH, CAPTURE_REVIEW, CaptureReview
from intaglio.review.values import ReviewPage, SaidText
from intaglio.sessions.statements.values import (
    PlannedStatement,
    RecordedStatement,
)
from intaglio.store.tx import WriteTx

USER: Final = Audit(Actor("me"), reader=UserReader())
RULE: Final = "From now on we always use pnpm instead of npm in every repository."
PLAIN: Final = "Prices are stored in cents."
DOUBTS: Final = (
    "Why does the build fail on the second run?",
    "Please put the chart above the table.",
    "The page is still empty after the login.",
)


def runner_of(house: House) -> CaptureReview:
    return CaptureReview(services=house.capture, seconds=lambda: 0.0)


def said(house: House, text: str, message: str, context: str = "") -> RecordedStatement:
    now = iso(house.bench.clock())
    return RecordedStatement(
        seq=0,
        harness=HARNESS,
        session_id="s1",
        message_id=message,
        start=0,
        end=len(text),
        said_at=now,
        recorded_at=now,
        agent_id="default",
        project=PROJECT,
        sentence=text,
        content=text,
        type="rule",
        everywhere=False,
        confidence=0.99,
        outcome="kept",
        state="live",
        memory_id=None,
        inbox_id=None,
        context=context,
    )


async def keep_all(house: House, *texts: str, why: str | None = None) -> list[str]:
    """Let an earlier capture have kept these; return the memories' ids."""

    def work(tx: WriteTx) -> list[str]:
        for number, text in enumerate(texts):
            row = said(house, text, f"m{number}-{text[:12]}")
            command = Remember(
                content=text,
                actor=Actor(HARNESS, "harness"),
                project=PROJECT,
                source=Source(HARNESS, row.place),
                type="rule",
                why=why,
            )
            memory = prepare(command, house.bench.context)[0]
            house.recorder.record(tx, [PlannedStatement(row=row, memory=memory)])
        return [str(row[0]) for row in tx.all("SELECT id FROM memories ORDER BY seq")]

    ids = await house.bench.db.write(work)
    house.bench.clock.forward(hours=1)
    return ids


async def work_off(runner: CaptureReview, most: int = 100) -> int:
    """Run the queued jobs as the worker does; return how many."""
    services = runner.services
    for number in range(most):
        jobs = await services.db.write(
            lambda tx: queue.lease(
                tx, [(CAPTURE_REVIEW, 1)], services.context.new_id(), services.context.clock(), 3
            )
        )
        if not jobs:
            return number
        await runner.run(jobs)
    return most


async def review(house: House) -> CaptureReviews:
    """Let the present judge review everything."""
    runner = runner_of(house)
    await runner.queue_if_due()
    await work_off(runner)
    return CaptureReviews(runner)


async def listed(reviews: CaptureReviews, *, forgotten: bool = False) -> ReviewPage:
    return await reviews.page(USER_READER, 100, None, forgotten=forgotten)


async def test_what_the_judge_would_not_keep_is_listed_least_sure_first(house: House) -> None:
    await keep_all(house, RULE, *DOUBTS)

    page = await listed(await review(house))

    assert {each.content for each in page.items} == set(DOUBTS)
    sure = [each.confidence for each in page.items]
    assert sure == sorted(sure)
    assert page.total == len(DOUBTS)
    assert page.progress is not None
    assert page.progress.finished_at is not None
    question = next(each for each in page.items if each.content == DOUBTS[0])
    assert (question.reason, question.evidence.sentence) == ("question", DOUBTS[0])


async def test_what_an_agent_saved_with_evidence_is_not_judged_again(house: House) -> None:
    await keep_all(house, DOUBTS[1], why=WORDED_BY_AGENT)
    assert (await listed(await review(house))).items == ()


async def test_nothing_is_forgotten_by_itself(house: House) -> None:
    await keep_all(house, RULE, *DOUBTS)
    await review(house)

    assert await house.rows("SELECT count(*) FROM memories WHERE is_deleted = 0") == [(4,)]


async def test_pages_follow_each_other(house: House) -> None:
    await keep_all(house, *DOUBTS)
    reviews = await review(house)

    first = await reviews.page(USER_READER, 2, None, forgotten=False)
    rest = await reviews.page(USER_READER, 2, first.end, forgotten=False)

    assert [len(first.items), len(rest.items), rest.end] == [2, 1, None]
    assert len({each.id for each in (*first.items, *rest.items)}) == 3


async def test_what_the_user_touched_is_not_reviewed(house: House) -> None:
    edited, pinned, left = await keep_all(house, *DOUBTS)
    context = house.bench.context

    def work(tx: WriteTx) -> None:
        operations.modify(tx, edited, Change(type="fact"), USER, context)
        operations.modify(tx, pinned, Change(pinned=True), USER, context)

    await house.bench.db.write(work)

    assert [each.id for each in (await listed(await review(house))).items] == [left]


async def test_what_the_user_or_an_agent_saved_or_accepted_is_not_reviewed(house: House) -> None:
    await keep_all(house, DOUBTS[0])
    own = Remember(content=DOUBTS[1], actor=Actor("me"), project=PROJECT)
    await house.bench.ingest.remember(own)
    accepted = replace(said(house, DOUBTS[2], "m9"), outcome="suggested")

    def work(tx: WriteTx) -> None:
        command = Remember(
            content=DOUBTS[2], actor=Actor("me"), source=Source(HARNESS, accepted.place)
        )
        memory = prepare(command, house.bench.context)[0]
        operations.insert(tx, memory, USER, house.bench.context, revive=False)
        house.recorder.record(tx, [PlannedStatement(row=accepted, memory=memory)])

    await house.bench.db.write(work)
    house.bench.clock.forward(hours=1)

    assert [each.content for each in (await listed(await review(house))).items] == [DOUBTS[0]]


async def test_what_the_present_judge_kept_is_not_judged_again(house: House) -> None:
    reviews = await review(house)
    house.bench.clock.forward(minutes=1)
    await keep_all(house, *DOUBTS)
    await review(house)

    assert (await listed(reviews)).total == 0


async def test_what_the_user_keeps_is_not_listed_again_by_any_judge(house: House) -> None:
    first, *_ = await keep_all(house, *DOUBTS)
    reviews = await review(house)
    assert await reviews.keep([first, "unknown"], USER.actor, keep=True) == 1
    assert first not in {each.id for each in (await listed(reviews)).items}

    house.settings = house.settings.having(CaptureSettings(keep_at=0.9))
    again = await listed(await review(house))
    assert again.total == 2
    assert first not in {each.id for each in again.items}

    assert await reviews.keep([first], USER.actor, keep=False) == 1


async def test_another_judge_reviews_everything_anew(house: House) -> None:
    house.settings = house.settings.having(CaptureSettings(keep_at=0.3))
    await keep_all(house, PLAIN)
    assert (await listed(await review(house))).total == 0

    house.settings = house.settings.having(CaptureSettings())
    stricter = await listed(await review(house))

    assert [each.content for each in stricter.items] == [PLAIN]


def test_a_sentence_may_have_stood_below_what_explains_it() -> None:
    text = "- tabs, never spaces"
    found = readings_of(SaidText(text, "Rules for this project:"))

    assert [one.turn.clauses[0].text for one in found[:1]] == [text.removeprefix("- ")]
    (below,) = [one for one in found if one.start > 0]
    assert any(clause.start >= below.start for clause in below.turn.clauses)


async def test_the_notice_is_dismissed_for_this_judge_only(house: House) -> None:
    await keep_all(house, *DOUBTS)
    reviews = await review(house)
    assert await reviews.dismiss(USER.actor)
    found = (await listed(reviews)).progress
    assert found is not None
    assert found.dismissed_at is not None

    house.settings = house.settings.having(CaptureSettings(keep_at=0.9))
    other = (await listed(await review(house))).progress
    assert other is not None
    assert other.dismissed_at is None


async def test_agents_dont_decide_about_the_review(house: House) -> None:
    (memory,) = await keep_all(house, DOUBTS[0])
    reviews = await review(house)

    for actor in (Actor("claude", "agent"), Actor(HARNESS, "harness")):
        with pytest.raises(ForbiddenError):
            await reviews.keep([memory], actor, keep=True)
        with pytest.raises(ForbiddenError):
            await reviews.dismiss(actor)


async def test_a_review_goes_on_where_it_was_stopped(house: House) -> None:
    many = [f"Why does step {number} of the build fail?" for number in range(2 * BATCH + 3)]
    await keep_all(house, *many)
    runner = runner_of(house)
    await runner.queue_if_due()
    await work_off(runner, most=1)
    first = await listed(CaptureReviews(runner))
    assert first.total == BATCH
    assert first.progress is not None
    assert first.progress.finished_at is None

    again = runner_of(house)
    await again.queue_if_due()
    assert await work_off(again) == 2
    assert (await listed(CaptureReviews(again))).total == len(many)


async def test_forgotten_in_the_review_they_can_be_restored_and_are_listed_again(
    house: House,
) -> None:
    first, second, _ = await keep_all(house, *DOUBTS)
    reviews = await review(house)
    context = house.bench.context
    here = replace(USER, reason=rows.FORGET_REASON)
    elsewhere = replace(USER, reason="outdated")
    await house.bench.db.write(lambda tx: operations.forget(tx, first, here, context))
    await house.bench.db.write(lambda tx: operations.forget(tx, second, elsewhere, context))

    assert [each.id for each in (await listed(reviews, forgotten=True)).items] == [first]
    assert (await listed(reviews)).total == 1

    await house.bench.remove.recover(first, USER)
    assert (await listed(reviews)).total == 2
    assert (await listed(reviews, forgotten=True)).total == 0


async def test_an_erased_memory_leaves_no_review(house: House) -> None:
    first, *_ = await keep_all(house, *DOUBTS)
    await review(house)

    await house.bench.db.write(lambda tx: operations.erase(tx, first, USER, house.bench.context))

    assert await house.rows("SELECT count(*) FROM capture_reviews") == [(2,)]


async def test_a_store_without_captured_memories_queues_nothing(house: House) -> None:
    await house.bench.ingest.remember(Remember(content=DOUBTS[0], actor=Actor("me")))
    runner = runner_of(house)

    await runner.queue_if_due()

    assert await house.rows("SELECT count(*) FROM jobs WHERE type = 'review_captured'") == [(0,)]
    assert not (await listed(CaptureReviews(runner))).total


def test_the_version_of_the_judge_is_that_of_its_files() -> None:
    assert judge_version() == judge_version()
    assert len(judge_version()) == 16
