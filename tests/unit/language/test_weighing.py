"""What rules find of two statements is weighed against what the cross-encoder reads."""

import pytest

from intaglio.domain.statement_pairs import StatementPair
from intaglio.language.frames.weighing import can_read
from intaglio.language.relations import Relation, Wording, relate

REDIS = "The sessions of all our customers are stored in Redis."
INSTEAD = "We store sessions of our customers in PostgreSQL, all of them."
SQUASHED = "Every pull request ends up as a single commit on main."
MERGED = "Feature branches are merged with a merge commit."
NO_LONGER = "Feature branches no longer get a merge commit, we squash them."
CHANGED = "From now on every pull request ends up as a single commit on main."
SAME = "Feature branches are merged with a merge commit, always."
LIMIT = "Never merge a feature branch without a merge commit."


def read(older: str, newer: str, contradict: float, *, constraint: bool = False) -> Relation:
    return relate(
        Wording(newer), Wording(older), older_is_constraint=constraint, contradiction=contradict
    )


@pytest.mark.parametrize(
    ("contradict", "wanted"), [(0.9, "replaces"), (0.2, "uncertain"), (0.01, "uncertain")]
)
def test_what_rules_replace_is_asked_about_unless_the_cross_encoder_confirms_it(
    contradict: float, wanted: Relation
) -> None:
    assert read(REDIS, INSTEAD, contradict) == wanted


def test_a_contradiction_in_other_words_is_asked_about_however_sure() -> None:
    assert relate(Wording(SQUASHED), Wording(MERGED)) in {"unrelated", "both_true"}
    assert read(MERGED, SQUASHED, 0.999) == "uncertain"
    assert read(MERGED, SQUASHED, 0.4) != "uncertain"


def test_what_says_that_something_changed_replaces_it_if_the_cross_encoder_is_sure() -> None:
    assert read(MERGED, CHANGED, 0.99) == "replaces"
    assert read(MERGED, CHANGED, 0.8) == "uncertain"
    assert relate(Wording(CHANGED), Wording(MERGED)) != "replaces"


@pytest.mark.parametrize("contradict", [0.9, 0.999])
def test_a_constraint_is_never_replaced(contradict: float) -> None:
    assert read(LIMIT, NO_LONGER, contradict) == "uncertain"
    assert read(MERGED, NO_LONGER, contradict, constraint=True) == "uncertain"


@pytest.mark.parametrize(
    "newer",
    [
        "Should we squash feature branches instead of merging them?",
        "Maybe we could squash feature branches instead.",
    ],
)
def test_a_question_or_an_idea_changes_nothing_however_it_is_read(newer: str) -> None:
    assert read(MERGED, newer, 0.999) not in {"replaces", "uncertain"}


def test_the_cross_encoder_never_makes_a_repetition_of_a_contradiction() -> None:
    found = relate(Wording(NO_LONGER), Wording(MERGED), contradiction=0.0)
    assert found not in {"duplicate", "refines"}


def test_what_may_break_a_limit_is_asked_even_if_the_cross_encoder_sees_nothing() -> None:
    port = "The service must never listen on port 80."
    assert read(port, "The service now listens on port 80.", 0.0) == "uncertain"


def test_what_the_cross_encoder_takes_for_a_contradiction_is_no_repetition() -> None:
    assert relate(Wording(SAME), Wording(MERGED)) in {"duplicate", "refines"}
    assert read(MERGED, SAME, 0.05) in {"duplicate", "refines"}
    assert read(MERGED, SAME, 0.5) == "both_true"


@pytest.mark.parametrize(
    ("older", "newer", "wanted"),
    [
        (REDIS, INSTEAD, True),
        ("Wir nutzen Postgres.", "Wir nutzen jetzt MariaDB statt Postgres.", False),
        (REDIS, "\u6211\u4eec\u4e0d\u518d\u4f7f\u7528 Redis\u3002", False),
        (REDIS, f"{INSTEAD} " * 9, False),
    ],
)
def test_short_texts_in_english_are_read(older: str, newer: str, *, wanted: bool) -> None:
    assert can_read(StatementPair(older, newer)) is wanted


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("We deploy on Fridays.", "We no longer deploy on Fridays."),
        ("Tests run with Jest.", "Tests run with Vitest now."),
        ("We deploy with Helm.", "We no longer deploy with Helm but with Kustomize."),
    ],
)
def test_of_a_few_words_the_cross_encoder_only_adds_to_what_rules_find(
    older: str, newer: str
) -> None:
    alone = relate(Wording(newer), Wording(older))
    assert alone in {"replaces", "uncertain"}
    assert read(older, newer, 0.01) == alone
    assert read(older, newer, 0.99) in {"replaces", "uncertain"}


def test_of_one_word_that_is_exchanged_rules_decide() -> None:
    postgres = "We decided to use Postgres for the billing worker from now on."
    assert read(postgres, postgres.replace("Postgres", "MySQL"), 0.01) == "replaces"


def test_what_says_outright_that_something_no_longer_holds_is_not_doubted() -> None:
    mailgun = "We decided to send all invoice mails through Mailgun."
    postmark = "We no longer use Mailgun for invoice mails, use Postmark instead."
    assert read(mailgun, postmark, 0.05) == "replaces"
