"""Which words of a question are searched, and what they weigh."""

from hypothesis import given
from hypothesis import strategies as st

from intaglio.store.fts import Vocabulary
from intaglio.terms.query_terms import bm25, coverage, plan_terms, stop_terms, weight

WORDS = st.sampled_from(["alpha", "beta", "gamma", "delta", "the", "is", "common"])
VOCABULARY = Vocabulary(1000, 1000, 30.0, {"alpha": 2, "beta": 50, "gamma": 400, "common": 900})


@given(st.lists(WORDS, max_size=12), st.integers(1, 2000))
def test_the_budget_holds_unless_one_word_alone_exceeds_it(words: list[str], budget: int) -> None:
    plan = plan_terms(words, VOCABULARY, budget)
    assert plan.postings <= budget or len(plan.terms) == 1
    assert bool(plan.terms) == bool(words)


@given(st.lists(WORDS, max_size=12), st.integers(1, 2000))
def test_every_word_is_either_searched_or_dropped(words: list[str], budget: int) -> None:
    plan = plan_terms(words, VOCABULARY, budget)
    assert sorted({*plan.terms, *plan.dropped}) == sorted(set(words))
    assert not set(plan.terms) & set(plan.dropped)


def test_the_rarest_word_comes_first() -> None:
    plan = plan_terms(["gamma", "alpha", "beta"], VOCABULARY, 100)
    assert plan.terms == ("alpha", "beta")
    assert plan.dropped == ("gamma",)


def test_stop_words_are_searched_only_when_there_is_nothing_else() -> None:
    assert plan_terms(["the", "alpha"], VOCABULARY, 100).terms == ("alpha",)
    assert plan_terms(["the", "is"], VOCABULARY, 100).terms == ("is", "the")


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    assert weight("alpha", VOCABULARY) > weight("gamma", VOCABULARY) > weight("common", VOCABULARY)


@given(st.lists(WORDS, min_size=1), st.frozensets(WORDS))
def test_coverage_is_between_0_and_1(asked: list[str], held: frozenset[str]) -> None:
    assert 0 <= coverage(asked, held, VOCABULARY) <= 1 + 1e-9


@given(st.lists(WORDS, min_size=1))
def test_a_text_with_all_words_has_full_coverage(asked: list[str]) -> None:
    assert abs(coverage(asked, frozenset(asked), VOCABULARY) - 1) < 1e-9


def test_stop_terms_are_written_as_the_index_has_them() -> None:
    assert {"thi", "becaus", "veri", "onli", "ar", "fur"} <= stop_terms()


def test_counting_many_terms_gives_the_same_result_as_counting_few() -> None:
    tokens = ["a"] * 3 + ["b"] + ["x"] * 20
    few = {"a": 1.0, "b": 0.5, "none": 2.0}
    many = few | {f"other{number}": 9.0 for number in range(100)}
    assert bm25(many, tokens, 12.0) == bm25(few, tokens, 12.0) > 0
