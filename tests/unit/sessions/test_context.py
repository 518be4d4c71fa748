"""The packing of memories into a budget holds whatever the memories say."""

from collections import Counter
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.base.text import estimate_tokens, first_sentences
from intaglio.domain.context_groups import HEADINGS, ConstraintBasis, ContextGroup
from intaglio.fence.marks import strip_injected
from intaglio.fence.outgoing import Fence
from intaglio.memory.values import AGENT_SOURCE, AS_NEWER, Memory, Scope, Source
from intaglio.sessions.context import OVER_BUDGET, SHORTENED, TOO_LONG, line_of, pack, units
from intaglio.sessions.values import HELD_BACK, ContextBudget, ContextCandidate

_ATTRIBUTES = {"source": "session-start"}
_WIDE = ContextBudget(10_000, 50_000)


def _memory(content: str) -> Memory:
    return Memory(
        seq=1,
        id=content[:8],
        content=content,
        type="fact",
        importance=0.5,
        confidence=1.0,
        pinned=False,
        tags=(),
        who="user",
        why=None,
        scope=Scope(),
        source=Source(),
        session_id=None,
        created_at="2026-01-31T08:00:00.000Z",
        updated_at="2026-01-31T08:00:00.000Z",
        updated_by="user",
        runtime_path=None,
        last_accessed=None,
        access_count=0,
        version=1,
        is_deleted=False,
        deleted_at=None,
        extraction_status="none",
        embedding_model=None,
        worded_at="2026-01-31T08:00:00.000Z",
    )


def _candidate(
    content: str,
    basis: ConstraintBasis | None = None,
    group: ContextGroup | None = None,
    subject: int | None = None,
) -> ContextCandidate:
    return ContextCandidate(_memory(content), "fact", 0.5, basis, group, subject)


_CANDIDATES = st.lists(
    st.builds(
        _candidate,
        st.text(min_size=1, max_size=300)
        | st.sampled_from(["</intaglio-memory>", "𝄞" * 300, "<user", "One. " * 300, "x" * 1_200]),
        st.none() | st.sampled_from(get_args(ConstraintBasis)),
        st.none() | st.sampled_from(list(HEADINGS)),
        st.none() | st.integers(1, 3),
    ),
    max_size=20,
)


@given(_CANDIDATES, st.integers(0, 1_500), st.integers(0, 6_000), st.floats(0, 1))
def test_no_budget_is_exceeded(
    candidates: list[ContextCandidate], tokens: int, chars: int, reserve: float
) -> None:
    budget = ContextBudget(tokens, chars)
    packed = pack(candidates, budget, Fence(), _ATTRIBUTES, reserve=reserve)
    if packed.text:
        assert estimate_tokens(packed.text) <= tokens
        assert units(packed.text) <= chars
    assert packed == pack(candidates, budget, Fence(), _ATTRIBUTES, reserve=reserve)


@given(_CANDIDATES, st.integers(200, 1_500))
def test_every_constraint_is_told_or_counted(
    candidates: list[ContextCandidate], tokens: int
) -> None:
    packed = pack(candidates, ContextBudget(tokens, 9_500), Fence(), _ATTRIBUTES, reserve=0.3)
    constraints = [each for each in packed.entries if each.candidate.constraint]
    held = [each for each in constraints if not each.shown]
    assert len(constraints) == sum(each.constraint for each in candidates)
    assert {each.left_out for each in held} <= {HELD_BACK}
    if held:
        assert f"- {len(held)} more rule" in packed.text


@given(_CANDIDATES)
def test_packed_text_is_stripped_completely(candidates: list[ContextCandidate]) -> None:
    packed = pack(candidates, _WIDE, Fence(), _ATTRIBUTES)
    assert strip_injected(f"before\n{packed.text}\nafter").split() == ["before", "after"]


@given(_CANDIDATES)
def test_every_candidate_is_accounted_for(candidates: list[ContextCandidate]) -> None:
    packed = pack(candidates, ContextBudget(300, 2_000), Fence(), _ATTRIBUTES)
    found = Counter(id(entry.candidate) for entry in packed.entries)
    assert found == Counter(map(id, candidates))
    assert {each.left_out for each in packed.entries} <= {"", OVER_BUDGET, HELD_BACK, TOO_LONG}
    lines = [each for each in packed.text.splitlines()[2:-1] if not each.startswith("## ")]
    notices = [each for each in lines if " more rule" in each and "listed here" in each]
    told = [entry.line for entry in packed.entries if entry.shown]
    assert [each for each in lines if each not in notices] == told


def test_constraints_come_first_and_lines_stand_below_their_headings() -> None:
    packed = pack(
        [
            _candidate("The API is in Go", group="about"),
            _candidate("Never push", "outright", "rules", 1),
            _candidate("Always lint", "confirmed", "everywhere"),
            _candidate("Keep logs", "outright", "rules", 2),
            _candidate("Never rebase", "outright", "rules", 1),
            _candidate("We use Go", group="decided"),
        ],
        _WIDE,
        Fence(),
        _ATTRIBUTES,
    )
    assert packed.text.splitlines()[2:-1] == [
        "## Rules for this project",
        "- Never push",
        "- Never rebase",
        "- Keep logs",
        "## Rules for all projects",
        "- Always lint",
        "## Decided",
        "- We use Go (2026-01-31)",
        "## About this project",
        "- The API is in Go (2026-01-31)",
    ]


def test_many_constraints_leave_room_for_the_others_and_the_text_counts_the_rest() -> None:
    rules = [_candidate(f"{n}. {'word ' * 20}", "confirmed", "rules") for n in range(40)]
    others = [_candidate(f"recent {number}", group="about") for number in range(60)]
    packed = pack([*rules, *others], ContextBudget(600, 9_500), Fence(), _ATTRIBUTES, reserve=0.3)
    told = [each for each in packed.entries if each.shown]
    rest = sum(each.tokens for each in told if not each.candidate.constraint)
    assert 0.2 * 600 < rest < 0.3 * 600
    left_out = [each for each in packed.entries if each.left_out == HELD_BACK]
    assert f"- {len(left_out)} more rules aren't listed here" in packed.text
    texts = [each.candidate.memory.content for each in told if each.candidate.constraint]
    assert texts == [each.memory.content for each in rules[: len(texts)]]


def test_constraints_get_the_room_that_others_leave() -> None:
    rules = [_candidate(f"{n}. {'word ' * 20}", "confirmed") for n in range(60)]
    packed = pack(
        [*rules, _candidate("recent")], ContextBudget(600, 9_500), Fence(), _ATTRIBUTES, reserve=0.3
    )
    assert "recent" in packed.text
    assert estimate_tokens(packed.text) > 550


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("Short.", "Short."),
        ("First. " + "Second one " * 60, "First."),
        (f"{'word ' * 90}ends. Then more. {'word ' * 90}", f"{'word ' * 90}ends."),
        ("Ask e.g. Anna before " + "the long " * 60, ""),
        ("第一句。" + "第二" * 250, "第一句。"),
        ("- one\n- two\n" + "word " * 100, "- one - two"),
        ("word " * 400, ""),
    ],
    ids=["short", "one sentence", "a long one", "abbreviation", "Chinese", "lines", "no end"],
)
def test_only_whole_sentences_are_told(content: str, told: str) -> None:
    [entry] = pack([_candidate(content)], _WIDE, Fence(), _ATTRIBUTES).entries
    if not told and "e.g." in content:
        told = " ".join(content.split())
    assert entry.line == (f"- {told} (2026-01-31)" if told else "")
    assert entry.shortened == (SHORTENED if told and len(told) < len(content.strip()) - 5 else "")


@given(st.text(), st.integers(0, 60))
def test_first_sentences_are_the_beginning_of_a_text(text: str, limit: int) -> None:
    found = first_sentences(text, limit)
    assert len(found) <= limit
    assert text.strip().startswith(found)


def test_without_memories_the_text_is_empty() -> None:
    assert pack([], ContextBudget(1_000, 5_000), Fence(), _ATTRIBUTES).text == ""
    assert pack([_candidate("short")], ContextBudget(5, 5_000), Fence(), _ATTRIBUTES).text == ""


def test_a_line_says_who_noted_it_and_that_it_is_not_settled() -> None:
    noted = replace(_memory("The API listens on port 8080."), source=Source(AGENT_SOURCE))
    lines = [
        line_of(ContextCandidate(each, "a reason"), each.content)
        for each in (
            replace(noted, who="claude-code"),
            noted,
            replace(noted, dispute=AS_NEWER),
        )
    ]
    assert lines == [
        "- The API listens on port 8080. (noted by an agent, 2026-01-31)",
        # The user has kept it.
        "- The API listens on port 8080. (2026-01-31)",
        "- The API listens on port 8080. (unsettled: an older note says otherwise, 2026-01-31)",
    ]
