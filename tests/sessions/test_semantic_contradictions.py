"""A model compares what rules can't; the inbox asks the user, and nothing is retired."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import pytest

from fakes.completions import OpenGate, ScriptedCompletion, model_calls
from fakes.graph import lease, work
from fakes.sessions import House
from intaglio.base.errors import UnavailableError
from intaglio.base.settings.values import Settings
from intaglio.domain.statement_pairs import StatementPair
from intaglio.inference.completion.ports import CompletionRequest
from intaglio.jobs import rows as jobs
from intaglio.memory.operations import Audit
from intaglio.memory.values import AGENT_SOURCE, Actor, Change, Source
from intaglio.models.job_runner import ModelJobs
from intaglio.models.prompt import ReadReply, UnreadableReply
from intaglio.models.values import MustWait
from intaglio.sessions.settings import ContradictionSettings
from intaglio.sessions.statements.contradiction_prompt import CONTRADICTIONS
from intaglio.sessions.statements.semantic_contradictions import (
    CHECK_FACTS,
    SemanticContradictions,
)
from intaglio.sessions.statements.sibling_facts import COMPARE_FACTS, SiblingFacts

BY_HAND: Final = "The shop is deployed by hand with a script"
BY_ITSELF: Final = "Deploys of the shop run from the pipeline without anybody"
WHY: Final = Audit(Actor("me"))
ITEMS: Final = "SELECT kind, status FROM inbox_items"


async def _at_once(_: float) -> None:
    return None


def pairs(*, contradicts: bool = True, confidence: float = 0.9) -> str:
    entry = {"i": 1, "contradicts": contradicts, "confidence": confidence, "why": "Other times."}
    return json.dumps({"pairs": [entry]})


def verdict(*, contradicts: bool = True) -> Callable[[CompletionRequest], str]:
    return lambda _: pairs(contradicts=contradicts)


def checks(
    house: House,
    model: ScriptedCompletion | None,
    *,
    enabled: bool = True,
    gate: OpenGate | None = None,
) -> SemanticContradictions:
    if model is not None:
        model.database = house.bench.db
    wanted = house.capture.settings().having(ContradictionSettings(enabled=enabled))
    services = replace(house.capture, settings=lambda: wanted)
    return SemanticContradictions(services, model_calls(model, gate))


def runner(house: House, found: SemanticContradictions) -> ModelJobs:
    return ModelJobs(
        db=house.bench.db,
        calls=found.calls,
        clock=house.bench.clock,
        role="extraction",
        stage="contradiction",
        work=found.work,
    )


async def two_facts(
    house: House, older: str = BY_HAND, newer: str = BY_ITSELF, **given: object
) -> tuple[str, str]:
    """Keep two facts below one aspect of one entity."""
    ids: list[str] = []
    for each in (older, newer):
        house.bench.clock.forward(days=1)
        ids.append(await house.remember(each, **({"type": "fact"} | given)))
    await house.bench.db.write(
        lambda tx: tx.execute(
            "UPDATE entity_attributes SET (entity, aspect) = "
            "(SELECT entity, aspect FROM entity_attributes WHERE aspect IS NOT NULL LIMIT 1)"
        )
    )
    return ids[0], ids[1]


async def compare(house: House, found: SemanticContradictions, memory: str) -> None:
    """Compare a memory by rules, which queue what they can't tell."""
    facts = SiblingFacts(
        services=house.capture, seconds=lambda: 0.0, pause=_at_once, doubt=found.queue
    )
    await house.bench.db.write(
        lambda tx: jobs.enqueue(tx, COMPARE_FACTS, memory, house.bench.context.now)
    )
    await work(house.bench, COMPARE_FACTS, facts)


async def queued(house: House) -> list[str]:
    found = await house.rows("SELECT subject FROM jobs WHERE type = 'semantic_contradiction'")
    return [str(subject) for (subject,) in found]


async def test_what_a_model_is_sure_of_is_asked_in_the_inbox_once(linked: House) -> None:
    older, newer = await two_facts(linked)
    model = ScriptedCompletion(verdict())
    found = checks(linked, model)
    await compare(linked, found, newer)
    assert await linked.rows(ITEMS) == []
    assert await queued(linked) == [newer]
    await work(linked.bench, CHECK_FACTS, runner(linked, found))
    assert await linked.rows(ITEMS) == [("contradiction", "open")]
    said = await linked.rows("SELECT sentence FROM inbox_evidence WHERE harness = 'model'")
    assert said == [("Other times.",)]
    # Nothing is retired, and the same pair isn't compared again.
    assert await linked.rows("SELECT id FROM memories WHERE valid_until IS NOT NULL") == []
    await compare(linked, found, older)
    await work(linked.bench, CHECK_FACTS, runner(linked, found))
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    "reply", [pairs(contradicts=False), pairs(confidence=0.5), '{"pairs": []}', "no"]
)
async def test_what_a_model_is_not_sure_of_is_not_asked(linked: House, reply: str) -> None:
    _, newer = await two_facts(linked)
    found = checks(linked, ScriptedCompletion(lambda _: reply))
    await compare(linked, found, newer)
    for job in await lease(linked.bench, CHECK_FACTS):
        try:
            await runner(linked, found).run((job,))
        except UnavailableError:
            continue
    assert await linked.rows(ITEMS) == []


async def test_without_a_model_or_switched_off_nothing_is_queued(linked: House) -> None:
    _, newer = await two_facts(linked)
    await compare(linked, checks(linked, None), newer)
    off = checks(linked, ScriptedCompletion(verdict()), enabled=False)
    await compare(linked, off, newer)
    assert await queued(linked) == []


async def test_it_waits_while_the_model_may_not_be_asked(linked: House) -> None:
    _, newer = await two_facts(linked)
    gate = OpenGate(MustWait("paused", "the stage is paused", 60.0))
    found = checks(linked, ScriptedCompletion(verdict()), gate=gate)
    await compare(linked, found, newer)
    waiting = runner(linked, found)
    assert waiting.capacity == 0
    await waiting.run(await lease(linked.bench, CHECK_FACTS))
    assert await queued(linked) == [newer]


@pytest.mark.parametrize("how", ["forgotten", "edited"])
async def test_what_changed_while_the_model_thought_is_not_asked(linked: House, how: str) -> None:
    older, newer = await two_facts(linked)

    async def meanwhile(request: CompletionRequest) -> str:
        # Were this inside a write transaction, these would never return.
        if how == "forgotten":
            await linked.bench.remove.forget(older, WHY)
        else:
            await linked.bench.revise.modify(newer, Change(content="Deploys are nice"), WHY)
        return verdict()(request)

    found = checks(linked, ScriptedCompletion(meanwhile))
    await compare(linked, found, newer)
    await work(linked.bench, CHECK_FACTS, runner(linked, found))
    assert await linked.rows(ITEMS) == []
    assert await linked.rows("SELECT * FROM contradiction_checks") == []


async def test_checks_go_with_their_memories(linked: House) -> None:
    older, newer = await two_facts(linked)
    found = checks(linked, ScriptedCompletion(verdict(contradicts=False)))
    await compare(linked, found, newer)
    await work(linked.bench, CHECK_FACTS, runner(linked, found))
    assert len(await linked.rows("SELECT * FROM contradiction_checks")) == 1
    await linked.bench.remove.erase(older, WHY)
    assert await linked.rows("SELECT * FROM contradiction_checks") == []


@pytest.mark.parametrize(
    "reply", ["null", "7", "{}", "[[]]", '{"pairs": "x"}', '{"pairs": [{"i": 9}]}']
)
def test_rubbish_is_unreadable(reply: str) -> None:
    assert isinstance(CONTRADICTIONS.read(json.loads(reply)), UnreadableReply)


def test_the_settings_are_off_without_a_decision() -> None:
    wanted = Settings().of(ContradictionSettings)
    assert (wanted.enabled, wanted.timeout_ms) == (False, 45_000)
    read = CONTRADICTIONS.read({"pairs": [{"i": 1, "contradicts": True, "confidence": 1}] * 2})
    assert isinstance(read, ReadReply)
    assert len(read.value) == 1


async def test_a_model_is_asked_about_what_only_the_cross_encoder_doubts(linked: House) -> None:
    async def read(given: Sequence[StatementPair]) -> Sequence[float]:
        return [0.05 for _ in given]

    linked.read_pairs = read
    _, newer = await two_facts(
        linked,
        "The orders service stores the sessions of all our customers in Redis.",
        "All sessions of our customers are stored by the orders service in PostgreSQL.",
        source=Source(AGENT_SOURCE),
        who="claude-code",
    )
    found = checks(linked, ScriptedCompletion(verdict()))
    await compare(linked, found, newer)
    await work(linked.bench, CHECK_FACTS, runner(linked, found))
    assert await linked.rows(ITEMS) == [("contradiction", "open")]
