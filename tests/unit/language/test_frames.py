"""What a frame reads of a statement."""

import pytest

from intaglio.language.frames.frame import frame
from intaglio.language.frames.quantities import quantities
from intaglio.language.frames.tokens import forms, split


def measured(text: str) -> list[tuple[str, float]]:
    words = [token.form for token in split(text)]
    return [(each.measure, each.number) for each in quantities(words)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("after 30 min", [("time", 1_800)]),
        ("half an hour", [("time", 1_800)]),
        ("an hour and a half", [("time", 5_400)]),
        ("one and a half hours", [("time", 5_400)]),
        ("twenty-four hours", [("time", 86_400)]),
        ("two weeks", [("time", 1_209_600)]),
        ("zwei Stunden", [("time", 7_200)]),
        ("une heure", [("time", 3_600)]),
        ("三十秒", [("time", 30)]),
        ("每六个小时", [("period", 21_600)]),
        ("every 15 minutes", [("period", 900)]),
        ("toutes les 5 minutes", [("period", 300)]),
        ("nightly", [("period", 86_400)]),
        ("at nine", [("clock", 540)]),
        ("at 6 pm", [("clock", 1_080)]),
        ("half past five", [("clock", 330)]),
        ("下午三点", [("clock", 900)]),
        ("5 MB", [("size", 5_000_000)]),
        ("90KB", [("size", 90_000)]),
        ("80 %", [("share", 80)]),
        ("1.5 °C", [("temperature", 1.5)]),
        ("1.2 m/s", [("speed", 1.2)]),
        ("06:00 to 22:00", [("hours", 519_720)]),
        ("once per five minutes", [("period", 300)]),
        ("à 3 h 30", [("clock", 210)]),
        ("for 3 h", [("time", 10_800)]),
        ("from 40 to 25 euros", [("money", 4_000), ("money", 2_500)]),
        ("two years, not one", [("time", 63_072_000), ("time", 31_536_000)]),
        ("three times", [("times", 3)]),
        ("version 1.2.3", [("version", 1.23)]),
        ("a dozen", [("", 12)]),
        ("on the 15th", [("day_of_the_month", 15)]),
        ("no number here", []),
    ],
)
def test_quantities_are_read_in_the_smallest_unit(
    text: str, expected: list[tuple[str, float]]
) -> None:
    assert measured(text) == expected


def test_names_that_code_writes_in_one_piece_are_words() -> None:
    assert forms("end-to-end") == forms("end to end")
    assert forms("waitlist_autofill") == ("waitlist", "autofill")
    assert forms("eu-west-1 ./src/api #dev ORD-") == ("eu-west-1", "./src/api", "#dev", "ord-")
    assert forms("the shop's l'API don't") == ("the", "shop", "l", "api", "don't")


def test_a_count_is_of_what_is_counted() -> None:
    [attempts] = frame("3 failed attempts").values
    [workers] = frame("3 workers").values
    assert not attempts.classes_shared_with(workers)


@pytest.mark.parametrize(
    ("text", "rejected"),
    [
        ("Use Vite instead of webpack", {"webpack"}),
        ("webpack is gone, we use Vite", {"webpack"}),
        ("We moved from webpack to Vite", {"webpack"}),
        ("The build no longer uses webpack", {"webpack"}),
        ("Vite, not webpack", {"webpack"}),
        ("Vite statt webpack", {"webpack"}),
        ("on n'utilise plus webpack", {"webpack"}),
        ("ya no usamos webpack", {"webpack"}),
        ("不再用 webpack, 改用 Vite", {"webpack"}),
        ("webpack has finally been ripped out", {"webpack"}),
        ("webpack, c'est fini : on prend Vite", {"webpack"}),
        ("instead of webpack we use Vite", {"webpack"}),
    ],
)
def test_what_no_longer_holds_is_found(text: str, rejected: set[str]) -> None:
    assert {value.term for value in frame(text).values if value.rejected} == rejected


def test_a_range_rejects_nothing() -> None:
    assert not any(value.rejected for value in frame("open from Monday to Friday").values)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("Maybe we use Vite", "tentative"),
        ("Vite is also used", "additive"),
        ("we used to use webpack", "past"),
        ("for now we use Vite", "temporary"),
        ("never use webpack", "constraint"),
        ("only Mira may deploy", "constraint"),
        ("no personal data in the logs", "constraint"),
        ("webpack or Vite?", "question"),
    ],
)
def test_marks_are_found(text: str, mark: str) -> None:
    assert mark in frame(text).marks


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("Vite is too slow", "additive"),
        ("as of this sprint we use Vite", "temporary"),
        ("webpack was replaced by Vite", "past"),
        ("les cartes, Ana ne les valide plus", "additive"),
    ],
)
def test_marks_are_not_misread(text: str, mark: str) -> None:
    assert mark not in frame(text).marks


def test_a_capitalised_word_beside_what_only_people_do_is_a_person() -> None:
    [owner] = frame("Ystävä owns the ingress").values
    assert "person" in owner.classes
    assert not any("person" in value.classes for value in frame("Brakes hold the rotor").values)


def test_a_compound_has_the_terms_of_its_words() -> None:
    assert frame("the turn timer").parts["turn timer"].keys() == {"turn", "timer"}


def test_an_environment_is_no_part_of_the_subject() -> None:
    assert frame("Staging keeps logs").places == {"staging"}
    assert frame("staging models are views").places == frozenset()


def test_reasons_are_left_out() -> None:
    assert "stock" not in frame("Pages come from the server because of the stock").terms


def test_a_long_text_is_read_in_its_beginning_only() -> None:
    assert len(frame("word " * 10_000).words) <= 120
