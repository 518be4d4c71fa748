"""When two texts say the same; and that comparing few of them misses none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.language.restatements import PhrasingIndex, phrasing, say_the_same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use pnpm, not npm, for this repo", "We use pnpm and not npm in our project."),
        ("Tests run with pytest", "Run the tests with pytest."),
        ("Run the linter before each push", "Always run the linter before pushing!"),
        ("We decided to use PostgreSQL for billing.", "Use PostgreSQL for billing"),
        ("Never push to main", "Don't push to main"),
        ("All tests must pass in CI", "Tests must pass in CI"),
        ("Wir verwenden pnpm, nicht npm", "Bitte pnpm verwenden, nicht npm"),
        ("Migrations run every night", "Run the migrations every night"),
        ("Do we use Redis?", "do we use Redis ?"),
        ("Refuse pushes to main", "Always refuse pushes to main."),
        (
            "The billing service keeps its invoices in the PostgreSQL database server",
            "The billing service keeps its invoices in the PostgreSQL database",
        ),
    ],
)
def test_texts_that_differ_in_few_words_are_duplicates(one: str, other: str) -> None:
    assert say_the_same(phrasing(one), phrasing(other))
    assert say_the_same(phrasing(other), phrasing(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use npm", "Don't use npm"),
        ("The API listens on port 8080.", "The API listens on port 8081."),
        ("Deploy the billing service in Frankfurt", "Deploy the billing service in Dublin"),
        ("Use tabs", "Use spaces"),
        ("Cache users, do not log them", "Do not cache users, log them"),
        ("Run the linter before pushing", "Run the linter after pushing"),
        ("Migrate Postgres to SQLite", "Migrate SQLite to Postgres"),
        ("npm to pnpm migration", "pnpm to npm migration"),
        (
            "The shop service calls the billing service",
            "The billing service calls the shop service",
        ),
        ("Some tests must pass in CI", "All tests must pass in CI"),
        ("The old worker was removed", "The old worker will be removed"),
        ("Never do this", "Never do that"),
        ("Käytä välilyöntejä", "Älä käytä välilyöntejä"),
        ("使用 npm 构建", "不使用 npm 构建"),
        (
            "Keep the invoices of the billing service in the database for seven years",
            "Keep the invoices of the billing service in the database for seven years unless paid",
        ),
        ("Only admins may delete projects", "Admins may only delete projects"),
        ("Only admins may delete projects", "Admins only may delete projects"),
        ("Alpha calls beta gamma", "calls beta alpha gamma"),
        ("We used PostgreSQL for reporting", "We use PostgreSQL for reporting"),
        ("We had a staging cluster", "We have a staging cluster"),
        ("Did the importer check invoices", "The importer does check invoices"),
        ("Do we use Redis?", "We use Redis."),
        ("We use Redis?", "We use Redis"),
        ("(Do we use Redis?)", "We use Redis"),
        ("", ""),
        ("!!!", "???"),
    ],
)
def test_another_negation_number_name_or_order_is_no_duplicate(one: str, other: str) -> None:
    assert not say_the_same(phrasing(one), phrasing(other))
    assert not say_the_same(phrasing(other), phrasing(one))


_REVERSING = """
    nobody none nothing neither nor hardly barely scarcely seldom refuse refuses rejects ignore
    ignored disable disabling forbid forbidden prohibits avoids skips stops only
    niemand nichts weder kaum selten verbietet verboten personne rien interdit refuser
    nadie nada ninguno tampoco apenas prohibido rechazar
"""
_STATEMENT = "eploys billing service releases on production clusters during weekends"


@pytest.mark.parametrize("word", _REVERSING.split())
def test_a_word_that_reverses_a_statement_makes_it_no_duplicate(word: str) -> None:
    plain = phrasing(f"D{_STATEMENT}")
    for text in (f"{word.capitalize()} d{_STATEMENT}", f"D{_STATEMENT}, {word}"):
        assert not say_the_same(phrasing(text), plain)
        assert not say_the_same(plain, phrasing(text))


_WORD = st.sampled_from(("never", "use", "npm", "port", "8080", "billing", "before", "tests", "in"))
_WORDS = st.lists(_WORD)


@given(st.lists(_WORDS.map(" ".join), max_size=8), _WORDS.map(" ".join))
def test_the_index_finds_the_same_duplicates_as_comparing_all_pairs(
    texts: list[str], wanted: str
) -> None:
    index, own = PhrasingIndex(), phrasing(wanted)
    for text in texts:
        index.add(phrasing(text))
    same = [at for at, text in enumerate(texts) if say_the_same(own, phrasing(text))]
    assert index.find(own) == (same[0] if same else None)
