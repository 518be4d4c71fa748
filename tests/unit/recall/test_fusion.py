"""How the signals of keywords and meaning become one order."""

from hypothesis import given
from hypothesis import strategies as st

from intaglio.recall.ranking.fusion import Signal
from intaglio.recall.ranking.fusion import fuse as fuse_signals

SEQS = st.integers(1, 12)
WORDS = st.dictionaries(SEQS, st.floats(0, 40), max_size=12)
COSINES = st.dictionaries(SEQS, st.floats(-1, 1), max_size=12)
ALPHAS = st.floats(0, 1)


def fuse(bm25: dict[int, float], cosines: dict[int, float], alpha: float) -> dict[int, float]:
    return fuse_signals([Signal(bm25, 1 - alpha, relative=True), Signal(cosines, alpha)])


def falling(signals: dict[int, float]) -> list[int]:
    """Order by signal, best first, newest first among equals."""
    return sorted(signals, key=lambda seq: (-signals[seq], -seq))


def turned(signals: dict[int, float]) -> dict[int, float]:
    return dict(reversed(signals.items()))


@given(WORDS, COSINES, ALPHAS)
def test_every_candidate_gets_a_score_between_0_and_1_best_first(
    bm25: dict[int, float], cosines: dict[int, float], alpha: float
) -> None:
    fused = fuse(bm25, cosines, alpha)
    assert fused.keys() == bm25.keys() | cosines.keys()
    assert all(0 <= score <= 1 + 1e-9 for score in fused.values())
    assert list(fused) == falling(fused)


@given(WORDS, COSINES, ALPHAS)
def test_the_order_does_not_depend_on_the_order_of_candidates(
    bm25: dict[int, float], cosines: dict[int, float], alpha: float
) -> None:
    assert list(fuse(bm25, cosines, alpha)) == list(fuse(turned(bm25), turned(cosines), alpha))


@given(
    st.dictionaries(SEQS, st.integers(0, 400), min_size=1).filter(lambda found: any(found.values()))
)
def test_with_no_semantic_weight_keywords_decide_the_order(found: dict[int, int]) -> None:
    bm25 = {seq: number / 10 for seq, number in found.items()}
    against = {seq: 1 - seq / 20 for seq in found}
    assert list(fuse(bm25, against, 0)) == falling(bm25)


@given(st.dictionaries(SEQS, st.integers(0, 100), min_size=1))
def test_with_full_semantic_weight_cosines_decide_the_order(found: dict[int, int]) -> None:
    cosines = {seq: number / 100 for seq, number in found.items()}
    against = {seq: float(seq) for seq in found}
    assert list(fuse(against, cosines, 1)) == falling(cosines)


@given(st.dictionaries(SEQS, st.integers(1, 400), min_size=1), ALPHAS)
def test_keywords_decide_where_no_candidate_has_a_cosine(
    found: dict[int, int], alpha: float
) -> None:
    bm25 = {seq: number / 10 for seq, number in found.items()}
    fused = fuse(bm25, {}, alpha)
    assert list(fused) == falling(bm25)
    assert max(fused.values()) == 1


@given(st.dictionaries(SEQS, st.integers(0, 100), min_size=1), ALPHAS)
def test_cosines_decide_where_no_keyword_matches(found: dict[int, int], alpha: float) -> None:
    cosines = {seq: number / 100 for seq, number in found.items()}
    assert fuse(dict.fromkeys(cosines, 0.0), cosines, alpha) == cosines
    assert fuse({}, cosines, alpha) == cosines


def test_a_negative_cosine_counts_as_none() -> None:
    assert fuse({1: 2.0, 2: 2.0}, {1: -0.5, 2: 0.0}, 0.5) == {2: 0.5, 1: 0.5}


def test_both_signals_add_up_by_their_weights() -> None:
    assert fuse({1: 4.0, 2: 2.0}, {1: 0.2, 3: 0.8}, 0.25) == {
        1: 0.25 * 0.2 + 0.75,
        2: 0.375,
        3: 0.2,
    }
