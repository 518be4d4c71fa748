"""What becomes of facts: the pure rules of standing, screening, decisions and the plan."""

import json
from dataclasses import replace
from typing import Final

import pytest

from intaglio.inference.completion.ports import ModelName
from intaglio.memory.values import AGENT_SOURCE, Memory, Scope, Source
from intaglio.pipeline.extraction.contradiction import may_contradict
from intaglio.pipeline.extraction.decide_prompt import DECIDE_PROMPT, Choices, batches
from intaglio.pipeline.extraction.extract_prompt import EXTRACT_PROMPT, note_text
from intaglio.pipeline.extraction.plan import is_derived, new_memory, plan, screen
from intaglio.pipeline.extraction.standing import with_standing
from intaglio.pipeline.extraction.values import (
    AddMemory,
    ChangeMemory,
    DecidedFact,
    DerivedFact,
    Extracted,
    ExtractedFact,
    FactDecision,
    FactEffect,
    Policy,
    ProposeChange,
    Provenance,
    ReadFact,
    Skip,
    SuggestMemory,
    Undecided,
)

AT: Final = "2026-01-31T08:00:00.000Z"
NOTE: Final = "We never deploy on Fridays. The orders database is PostgreSQL 16, says Ann."
MADE_BY: Final = Provenance(model=ModelName("ollama", "m"), extract_version=1, decide_version=1)
STRICT: Final = Policy(shadow=False, min_confidence=0.7, allow_update_delete=False)
FREE: Final = replace(STRICT, allow_update_delete=True)


def memory(content: str, id_: str = "m", **fields: object) -> Memory:
    made = Memory(
        seq=1,
        id=id_,
        content=content,
        type="fact",
        importance=0.8,
        confidence=1.0,
        pinned=False,
        tags=(),
        who="user",
        why="explicit",
        scope=Scope(project="/work/shop"),
        source=Source(),
        session_id="s",
        created_at=AT,
        updated_at=AT,
        updated_by="user",
        runtime_path=None,
        last_accessed=None,
        access_count=0,
        version=1,
        is_deleted=False,
        deleted_at=None,
        extraction_status="pending",
        embedding_model=None,
        worded_at=AT,
    )
    return replace(made, **fields)  # type: ignore[arg-type]  # fields are those of Memory


OF_AGENT: Final = {"source": Source(AGENT_SOURCE), "who": "claude-code"}


def fact(content: str, evidence: str = "", **fields: object) -> ExtractedFact:
    made = ExtractedFact(content=content, type="fact", confidence=0.9, evidence=evidence)
    return replace(made, **fields)  # type: ignore[arg-type]  # fields are those of ExtractedFact


def read(content: str, *, said: bool = True, **fields: object) -> ReadFact:
    return ReadFact(fact=fact(content, "", **fields), said_by_user=said)


def effect_of(
    facts: ReadFact, decision: FactDecision, policy: Policy = STRICT, *confirmed: str
) -> FactEffect:
    planned = plan(
        memory(NOTE),
        [DecidedFact(facts, decision)],
        Extracted(),
        [],
        MADE_BY,
        policy,
        confirmed=confirmed,
    )
    [one] = planned.facts
    return one.effect


def decide(action: str, target: Memory | None = None, confidence: float = 0.9) -> FactDecision:
    return FactDecision(action=action, target=target, confidence=confidence, reason="so")  # type: ignore[arg-type]  # an action


@pytest.mark.parametrize(
    ("content", "evidence", "said"),
    [
        ("The orders database is PostgreSQL 16", "the ORDERS  database is PostgreSQL 16", True),
        ("Never deploy on Fridays", "We never deploy on Fridays", True),
        ("Deploy on Fridays", "deploy on Fridays", False),
        ("The orders database is PostgreSQL 17", "The orders database is PostgreSQL 16", False),
        ("The orders database is PostgreSQL 16", "The orders database was upgraded", False),
        ("The orders database is PostgreSQL 16", "", False),
        ("Ann owns the whole infrastructure budget", "says Ann", False),
    ],
)
def test_only_quoted_words_that_say_it_make_a_fact_the_users(
    content: str, evidence: str, said: bool
) -> None:
    assert with_standing(memory(NOTE), fact(content, evidence)).said_by_user is said


@pytest.mark.parametrize("source", [AGENT_SOURCE, "tool", "web", "file", "import", "document"])
def test_no_fact_stands_higher_than_its_source(source: str) -> None:
    of = memory(NOTE, source=Source(source), who="somebody")
    content = "The orders database is PostgreSQL 16"
    assert not with_standing(of, fact(content, content)).said_by_user


def test_a_new_memory_has_the_scope_and_age_of_its_source_and_binds_no_more_than_it() -> None:
    source = memory(NOTE, confidence=0.6, importance=0.2)
    said = new_memory(source, read("Ann runs the database", type="rule", confidence=1.0))
    assert (said.scope, said.created_at, said.pinned) == (source.scope, AT, False)
    assert (said.confidence, said.importance) == (0.6, 0.8)
    made = memory(said.content, source=said.source, who=said.who, why=said.why)
    assert made.is_heard
    assert not made.is_of_agent
    assert is_derived(made)
    concluded = new_memory(source, read("Ann runs the database", said=False))
    assert memory("x", source=concluded.source, who=concluded.who).is_of_agent


def test_facts_that_change_nothing_need_no_decision() -> None:
    facts = [
        read("The orders database is PostgreSQL 16"),
        read("the orders database is PostgreSQL 16."),
        read("A weak guess about the shop", confidence=0.69),
        read(" ...,, "),
        read(NOTE),
    ]
    open_, skipped = screen(memory(NOTE), facts, 0.7)
    assert open_ == facts[:1]
    assert [each.outcome for each in skipped] == [
        "same_as_other_fact",
        "low_confidence",
        "empty",
        "same_as_source",
    ]


@pytest.mark.parametrize("type_", ["rule", "preference"])
def test_rules_and_preferences_without_the_users_words_are_suggested(type_: str) -> None:
    new = decide("add")
    assert isinstance(effect_of(read("Always squash", type=type_), new), AddMemory)
    assert isinstance(effect_of(read("Always squash", type=type_, said=False), new), SuggestMemory)
    assert isinstance(effect_of(read("They squash", said=False), new), AddMemory)


def test_a_memory_is_changed_only_where_an_agent_noted_it_and_the_user_allows_it() -> None:
    better = read("The orders database is PostgreSQL 16")
    of_user = memory("The orders database is PostgreSQL", "t")
    of_agent = memory("The orders database is PostgreSQL", "t", **OF_AGENT)
    pinned = replace(of_agent, pinned=True)
    opposite = memory("The orders database is not PostgreSQL 16", "t", **OF_AGENT)
    for action in ("update", "delete"):
        assert isinstance(effect_of(better, decide(action, of_agent), FREE), ChangeMemory)
        for target, policy, blocked in (
            (of_agent, STRICT, "not_allowed"),
            (of_user, FREE, "of_user"),
            (pinned, FREE, "of_user"),
            (opposite, FREE, "contradiction"),
        ):
            effect = effect_of(better, decide(action, target), policy)
            assert isinstance(effect, ProposeChange)
            assert effect.blocked == blocked
        unsure = effect_of(better, decide(action, of_agent, 0.5), FREE)
        assert isinstance(unsure, ProposeChange)
        assert unsure.blocked == "low_confidence"
        kept = effect_of(better, decide(action, of_agent), FREE, "t")
        assert isinstance(kept, ProposeChange)
        assert kept.blocked == "of_user"


def test_what_was_read_before_is_retired_only_by_a_whole_reply() -> None:
    old = DerivedFact(memory=memory("The shop runs on Perl", "old"), is_touched=False)
    mine = DerivedFact(memory=memory("The shop sells tea", "mine"), is_touched=True)
    again = DerivedFact(memory=memory("Ann runs the database", "again"), is_touched=False)
    decided = [DecidedFact(read("Ann runs the database"), decide("add"))]
    derived = [old, mine, again]

    def retired(facts: list[DecidedFact], *warnings: str) -> list[str]:
        made = plan(memory(NOTE), facts, Extracted(), derived, MADE_BY, STRICT, warnings=warnings)
        return [each.id for each in made.retired]

    assert retired(decided) == ["old"]
    assert retired(decided, "a fact was malformed") == []
    assert retired([*decided, DecidedFact(read("More of it"), Undecided("no answer"))]) == []


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Feature flags are enabled", "Feature flags are disabled", True),
        ("Always squash commits", "Never squash commits", True),
        ("Use tabs in the api", "Use spaces in the api", True),
        ("Deploys run on Fridays", "Deploys never run on Fridays", True),
        ("Deploys run on Fridays", "Deploys run on Mondays", False),
        ("Never commit secrets", "Ann likes tea", False),
    ],
)
def test_a_contradiction_needs_a_shared_subject(one: str, other: str, expected: bool) -> None:
    assert may_contradict(one, other) is expected
    assert may_contradict(other, one) is expected


def test_a_note_cannot_end_itself_and_says_that_it_was_cut() -> None:
    assert note_text("a</note>b<note>") == "<note>\na</ note>b< note>\n</note>"
    assert note_text("Map<Note> </NOTE>") == "<note>\nMap< Note> </ NOTE>\n</note>"
    long = note_text("x" * 50_000)
    assert len(long) == EXTRACT_PROMPT.max_input_chars
    assert long.endswith("\n[truncated]\n</note>")
    assert EXTRACT_PROMPT.clip(long) == long


def test_a_reply_is_read_item_by_item() -> None:
    good = {"content": "The shop sells tea", "type": "fact", "confidence": "0.9", "evidence": "tea"}
    reply: dict[str, object] = {
        "facts": [good, {**good, "content": "short"}, {**good, "confidence": 2}, 7],
        "entities": [{"source": "Ann", "relationship": "runs", "target": "shop", "confidence": 1}],
        "thoughts": "none",
    }
    found = EXTRACT_PROMPT.read(reply)
    assert isinstance(found.value, Extracted)  # type: ignore[union-attr]  # never unreadable
    assert [each.content for each in found.value.facts] == ["The shop sells tea"]  # type: ignore[union-attr]  # see above
    assert len(found.value.triples) == 1  # type: ignore[union-attr]  # see above
    assert len(found.warnings) == 3  # type: ignore[union-attr]  # see above


def test_decisions_name_candidates_of_their_own_fact_only() -> None:
    first, second = memory("One memory", "id-1"), memory("Another memory", "id-2")
    choices = Choices([(read("Fact one of two"), [first]), (read("Fact two of two"), [second])])
    asked = json.loads(choices.text)
    assert [each["candidates"][0]["id"] for each in asked] == ["m1", "m2"]

    def outcomes(*decisions: dict[str, object]) -> list[FactDecision | Undecided]:
        reply = DECIDE_PROMPT.read({"decisions": list(decisions)})
        return choices.decisions(reply.value)[0]  # type: ignore[union-attr]  # never unreadable

    base: dict[str, object] = {"action": "update", "confidence": 1, "reason": "so"}
    [own, foreign] = outcomes(
        {**base, "fact": 1, "target": "m1"}, {**base, "fact": 2, "target": "m1"}
    )
    assert isinstance(own, FactDecision)
    assert own.target == first
    assert isinstance(foreign, Undecided)
    [by_id, missing] = outcomes({**base, "fact": 1, "target": "id-1"})
    assert isinstance(by_id, FactDecision)
    assert isinstance(missing, Undecided)


def test_many_facts_are_asked_about_in_several_questions_of_limited_length() -> None:
    facts = [
        (read("f" * 2_000), [memory('"' * 5_000, f"{number}-{place}") for place in range(5)])
        for number in range(20)
    ]
    questions = batches(facts)
    assert sum(len(each.facts) for each in questions) == 20
    assert all(len(each.text) <= DECIDE_PROMPT.max_input_chars for each in questions)


def test_a_skip_keeps_its_reason() -> None:
    made = plan(
        memory(NOTE),
        [
            DecidedFact(read("One fact of some length"), "low_confidence"),
            DecidedFact(read("Two facts of some length"), Undecided("no answer")),
            DecidedFact(read("Three facts of some length"), decide("none", memory("x"))),
        ],
        Extracted(),
        [],
        MADE_BY,
        STRICT,
    )
    assert [each.effect for each in made.facts] == [
        Skip("low_confidence"),
        Skip("no_decision"),
        Skip("covered"),
    ]
