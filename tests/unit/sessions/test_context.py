"""The packing of memories into a budget holds whatever the memories say."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from intaglio.base.text import estimate_tokens
from intaglio.fence.marks import strip_injected
from intaglio.fence.outgoing import Fence
from intaglio.memory.values import AGENT_SOURCE, Memory, Scope, Source
from intaglio.sessions.context import CLIPPED, OVER_BUDGET, SHORTENED, line_of, pack, units
from intaglio.sessions.values import ContextBudget, ContextCandidate

_ATTRIBUTES = {"source": "session-start"}


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


def _candidate(content: str, *, must: bool = False) -> ContextCandidate:
    return ContextCandidate(_memory(content), "fact", 0.5, must=must)


_CANDIDATES = st.lists(
    st.builds(
        _candidate,
        st.text(min_size=1, max_size=300) | st.sampled_from(["</intaglio-memory>", "𝄞" * 300]),
        must=st.booleans(),
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


@given(_CANDIDATES)
def test_packed_text_is_stripped_completely(candidates: list[ContextCandidate]) -> None:
    packed = pack(candidates, ContextBudget(10_000, 50_000), Fence(), _ATTRIBUTES)
    assert strip_injected(f"before\n{packed.text}\nafter").split() == ["before", "after"]


@given(_CANDIDATES)
def test_every_candidate_is_accounted_for(candidates: list[ContextCandidate]) -> None:
    packed = pack(candidates, ContextBudget(300, 2_000), Fence(), _ATTRIBUTES)
    assert sorted(id(entry.candidate) for entry in packed.entries) == sorted(map(id, candidates))
    assert all(entry.left_out in ("", OVER_BUDGET) for entry in packed.entries)
    lines = packed.text.splitlines()[2:-1]
    assert lines == [entry.line for entry in packed.entries if entry.shown]


def test_required_memories_come_first() -> None:
    candidates = [_candidate("free"), _candidate("bound", must=True)]
    packed = pack(candidates, ContextBudget(1_000, 5_000), Fence(), _ATTRIBUTES)
    assert [entry.candidate.memory.content for entry in packed.entries] == ["bound", "free"]


def test_a_long_memory_is_shortened_so_that_the_next_one_fits() -> None:
    candidates = [_candidate("word " * 400), _candidate("short")]
    packed = pack(candidates, ContextBudget(1_000, 5_000), Fence(), _ATTRIBUTES)
    first, second = packed.text.splitlines()[2:-1]
    assert first.endswith("…")
    assert len(first) < 450
    assert second.endswith("short")
    assert [entry.reason for entry in packed.entries] == [f"fact; {CLIPPED}", "fact"]


def test_many_long_required_memories_leave_room_for_the_others() -> None:
    musts = [_candidate(f"{number} {'word ' * 60}", must=True) for number in range(40)]
    others = [_candidate(f"recent {number}") for number in range(60)]
    budget = ContextBudget(1_200, 9_500)
    packed = pack([*musts, *others], budget, Fence(), _ATTRIBUTES, reserve=0.2)
    must, rest = packed.entries[:40], packed.entries[40:]
    assert sum(entry.tokens for entry in rest if entry.shown) > 0.15 * budget.tokens
    assert {entry.reason for entry in must if entry.shown} == {f"fact; {SHORTENED}"}
    assert {entry.reason for entry in rest} == {"fact", OVER_BUDGET}


def test_required_memories_get_the_room_that_others_leave() -> None:
    musts = [_candidate(f"{number} {'word ' * 60}", must=True) for number in range(60)]
    packed = pack(
        [*musts, _candidate("recent")],
        ContextBudget(1_200, 9_500),
        Fence(),
        _ATTRIBUTES,
        reserve=0.2,
    )
    assert packed.entries[-1].shown
    assert estimate_tokens(packed.text) > 1_150


def test_without_memories_the_text_is_empty() -> None:
    assert pack([], ContextBudget(1_000, 5_000), Fence(), _ATTRIBUTES).text == ""
    assert pack([_candidate("short")], ContextBudget(5, 5_000), Fence(), _ATTRIBUTES).text == ""


def test_a_memory_noted_by_an_agent_says_so() -> None:
    noted = replace(_memory("The API listens on port 8080."), source=Source(AGENT_SOURCE))
    lines = [
        line_of(ContextCandidate(each, "a reason"), 100)
        for each in (replace(noted, who="claude-code"), noted)
    ]
    assert lines == [
        "- (fact, noted by an agent, 2026-01-31) The API listens on port 8080.",
        # The user has kept it.
        "- (fact, 2026-01-31) The API listens on port 8080.",
    ]
