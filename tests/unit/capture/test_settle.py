"""What later turns do to earlier statements, and how two statements relate."""

import pytest

from intaglio.capture.settle import (
    Repeated,
    Replaced,
    Said,
    SettleEffect,
    TakenBack,
    Withdrawn,
    dismissed,
    settle,
    settle_session,
)
from intaglio.language.relations import Wording, in_other_words


def said(key: str, turn: int, text: str, *, corrects: bool = False, before: str = "") -> Said:
    return Said(key, turn, Wording(text), "decision", corrects, before)


@pytest.mark.parametrize(
    ("text", "answers_proposal", "effects"),
    [
        ("no, keep dates simple", False, (Replaced("a", "b"),)),
        ("no, keep dates simple", True, ()),
        ("I changed my mind, keep dates simple", True, (Replaced("a", "b"),)),
        ("no, we use date-fns for dates, not Luxon", True, (Replaced("a", "b"),)),
    ],
)
def test_a_no_to_the_agents_proposal_denies_the_proposal(
    text: str, answers_proposal: bool, effects: tuple[SettleEffect, ...]
) -> None:
    old = said("a", 0, "we use Luxon for dates")
    new = Said("b", 1, Wording(text), "decision", corrects=True, answers_proposal=answers_proposal)
    assert settle((old,), new) == effects


@pytest.mark.parametrize(
    ("text", "answers_proposal", "is_withdrawn"),
    [
        ("never mind", False, True),
        ("never mind", True, False),
        ("forget what I said", True, True),
        ("forget Luxon", True, True),
    ],
)
def test_never_mind_after_a_proposal_takes_back_nothing_of_the_user(
    text: str, answers_proposal: bool, is_withdrawn: bool
) -> None:
    old = said("a", 0, "we use Luxon for dates")
    found = settle((old,), TakenBack(1, text, answers_proposal))
    assert found == ((Withdrawn("a"),) if is_withdrawn else ())


def test_what_was_said_about_something_is_taken_back_and_not_what_was_said_last() -> None:
    staging = said("a", 0, "The staging server is stg.example.com.")
    tests = said("b", 2, "From now on we always run the tests with unittest.")
    asked = TakenBack(3, "please ignore what I said about the staging server")
    assert settle((staging, tests), asked) == (Withdrawn("a"),)


def test_a_copy_is_not_a_paraphrase() -> None:
    text = "Always run the linter before pushing."
    assert not in_other_words(text, text.upper())
    assert in_other_words(text, "Run the linter first, before each push.")


@pytest.mark.parametrize(
    ("old", "new", "before"),
    [
        ("saves are stored as json", "saves are binary", "Ugh, that stutters. Scrap that, "),
        ("threads then, one per connection", "single thread, the loop owns the world",
         "I changed my mind: "),
        ("wir nehmen traefik", "wir bleiben beim nginx ingress", "warte mal, "),
        ("vamos con nomad", "el cluster chico va en k3s", "espera, hablé con soporte. "),
        ("on prend yarn", "on reste avec npm", "attends, "),
        ("用本地缓存", "缓存换 redis", "等等 "),
    ],
)  # fmt: skip
def test_a_change_of_mind_replaces_the_statement(old: str, new: str, before: str) -> None:
    first, second = said("a", 1, old), said("b", 2, new, before=before)
    assert settle((first,), second) == (Replaced("a", "b"),)


def test_correcting_the_agent_retracts_nothing() -> None:
    first = said("a", 1, "offsets get committed after the row is durable")
    second = said("b", 2, "plain pgx here, no ORM", corrects=True)
    assert settle((first,), second) == ()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Let's use Luxon for dates.", "keep date-fns", (Replaced("a", "b"),)),
        ("wir nehmen Luxon", "wir bleiben bei date-fns", (Replaced("a", "b"),)),
        ("那我们用 Luxon", "还是用 date-fns", (Replaced("a", "b"),)),
        ("Let's use Luxon for dates.", "keep the old header for now", ()),
        ("the site is built with eleventy", "keep date-fns", ()),
    ],
)
def test_a_bare_no_retracts_the_choice_just_made(
    old: str, new: str, expected: tuple[SettleEffect, ...]
) -> None:
    first, second = said("a", 1, old), said("b", 2, new, corrects=True)
    assert settle((first,), second) == expected


def test_a_prohibition_is_no_correction() -> None:
    first = said("a", 1, "the site is built with eleventy")
    second = said("b", 2, "no carousels on this site", corrects=True)
    assert settle((first,), second) == ()


@pytest.mark.parametrize(("distance", "taken"), [(0, True), (1, True), (2, True), (3, False)])
def test_an_unnamed_retraction_means_the_previous_statement(distance: int, *, taken: bool) -> None:
    first = said("a", 1, "saves are stored as json")
    found = settle((first,), TakenBack(1 + distance, "scratch that"))
    assert found == ((Withdrawn("a"),) if taken else ())


def test_a_named_retraction_finds_its_statement() -> None:
    earlier = (said("a", 1, "show percentages in the ui"), said("b", 2, "keep the logs in loki"))
    assert settle(earlier, TakenBack(4, "forget the percentages")) == (Withdrawn("a"),)
    assert settle(earlier, TakenBack(4, "forget the colours")) == ()
    assert dismissed("remove the handler") == ""


def test_a_retraction_never_affects_later_statements() -> None:
    assert settle((said("a", 5, "saves are stored as json"),), TakenBack(1, "scratch that")) == ()


def test_the_last_version_of_a_statement_remains() -> None:
    effects = settle_session(
        [
            said("a", 0, "let's use Luxon for dates"),
            said("b", 1, "we take Luxon for dates"),
            said("c", 2, "keep date-fns for dates, not Luxon"),
            said("d", 3, "fixtures live in tests/fixtures"),
        ]
    )
    assert effects == (Repeated("b", "a"), Replaced("a", "c"))
