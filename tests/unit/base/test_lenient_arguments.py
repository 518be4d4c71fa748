"""Arguments as models send them are read as what the struct's fields say."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Meta, UnsetType

from intaglio.base.arguments.lenient_arguments import ALIASES, FORM, TextForm, read_arguments

ID = Annotated[str, Meta(min_length=1, extra={FORM: TextForm.ID, ALIASES: ("memory_id",)})]


class Arguments(msgspec.Struct, kw_only=True):
    id: ID = "none"
    text: Annotated[str, Meta(min_length=1)] | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=50)] = 10
    score: Annotated[float, Meta(ge=0, le=1)] | UnsetType = UNSET
    type: Literal["fact", "decision", "session_summary", "policy"] | UnsetType = UNSET
    tags: Annotated[str, Meta(extra={FORM: TextForm.LIST})] | UnsetType = UNSET
    exact: bool = False
    names: list[str] = []
    ratings: dict[str, Annotated[float, Meta(ge=-1, le=1)]] = {}


class Required(msgspec.Struct, kw_only=True):
    query: Annotated[str, Meta(min_length=1)]


def read(**sent: object) -> Arguments:
    return read_arguments(sent, Arguments).arguments


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("5", 5), (5.0, 5), ("5.0", 5), (" 5 ", 5), ("'5'", 5), ([5], 5), (["5"], 5), (4.6, 5),
        (1000, 50), ("1000", 50), (0, 1), (-3, 1), ("-3", 1), (None, 10), ("", 10), ("null", 10),
        ("None", 10), ("+7", 7),
    ],
    ids=repr,
)  # fmt: skip
def test_whole_numbers_are_parsed_in_any_form(sent: object, meant: int) -> None:
    assert read(limit=sent).limit == meant


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("0.8", 0.8), ("0,8", 0.8), (" .5", 0.5), ("80%", 0.8), (1, 1), (5, 1), ("-1", 0),
        (None, UNSET), ("null", UNSET), ([0.25], 0.25),
    ],
    ids=repr,
)  # fmt: skip
def test_fractions_are_parsed_in_any_form(sent: object, meant: object) -> None:
    assert read(score=sent).score == meant


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("Decision", "decision"), ("DECISIONS", "decision"), (" decision ", "decision"),
        ('"decision"', "decision"), (["decision"], "decision"),
        ("Session Summary", "session_summary"),
        ("session-summaries", "session_summary"), ("policies", "policy"),
        ("sessionSummary", "session_summary"),
        (None, UNSET), ("", UNSET), ("any", UNSET), ("All", UNSET), ("none", UNSET),
    ],
    ids=repr,
)  # fmt: skip
def test_enumeration_values_are_parsed_in_any_form(sent: object, meant: object) -> None:
    assert read(type=sent).type == meant


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        (True, True), ("true", True), ("True", True), ("yes", True), (1, True), ("1", True),
        ("FALSE", False), (0, False), ("no", False), (None, False), ("", False),
    ],
    ids=repr,
)  # fmt: skip
def test_booleans_are_parsed_in_any_form(sent: object, meant: bool) -> None:
    assert read(exact=sent).exact is meant


@pytest.mark.parametrize(
    "sent",
    ["ab12", "`ab12`", "'ab12'", '"ab12"', "[ab12]", "(ab12)", "<ab12>", " ab12. ", "id: ab12",
     "ID:ab12", "memory ab12", "\u201cab12\u201d", "**ab12**", "#ab12", "ab12\u2026", "ab12...",
     ["ab12"], {"id": "ab12"}],
    ids=repr,
)  # fmt: skip
def test_an_id_is_read_without_the_marks_around_it(sent: object) -> None:
    assert read(id=sent).id == "ab12"
    assert read(memoryId=sent).id == "ab12"


@pytest.mark.parametrize(
    "sent",
    ["a,b", " a , b ", ["a", "b"], '["a", "b"]', ["a", None, "b"]],
    ids=repr,
)
def test_lists_are_parsed_in_any_form(sent: object) -> None:
    assert read(tags=sent).tags is not UNSET
    assert [each.strip() for each in str(read(tags=sent).tags).split(",")] == ["a", "b"]
    assert read(names=sent).names == ["a", "b"]
    assert read(names="a").names == ["a"]


@pytest.mark.parametrize(
    "sent",
    [
        {"a1": 0.5, "b2": -1}, {"a1": "0.5", "b2": "-1"}, '{"a1": 0.5, "b2": "-1.0"}',
        [{"id": "a1", "rating": 0.5}, {"id": "b2", "rating": -5}],
        [{"memory_id": "`a1`", "score": "0.5"}, {"memoryId": "b2", "value": -1}],
        [["a1", 0.5], ["b2", "-1"]], [{"a1": 0.5}, {"b2": -1}],
        {"a1": {"rating": 0.5}, "b2": {"score": -1}}, {"a1": 0.5, "b2": -1, "c3": None},
        '[{"id": "a1", "rating": "0.5"}, {"id": "b2", "rating": -1}]',
    ],
    ids=repr,
)  # fmt: skip
def test_ratings_are_parsed_in_any_form(sent: object) -> None:
    assert read(ratings=sent).ratings == {"a1": 0.5, "b2": -1}


def test_a_single_rating_may_be_an_object() -> None:
    assert read(ratings={"id": "a1", "rating": "1"}).ratings == {"a1": 1}


@pytest.mark.parametrize(
    "sent", ["x", {"limit": 3}, {"Limit": "3", "x": None}, '{"limit": "3"}', None, "", {}], ids=repr
)
def test_arguments_may_be_an_object_or_its_json_text(sent: object) -> None:
    if sent == "x":
        with pytest.raises(msgspec.ValidationError):
            read_arguments(sent, Arguments)
        return
    read = read_arguments(sent, Arguments)
    assert read.arguments.limit == (3 if sent else 10)
    assert read.ignored == (("x",) if isinstance(sent, dict) and "x" in sent else ())


@pytest.mark.parametrize("name", ["min_score", "minScore", "MIN-SCORE", "Min Score"])
def test_argument_names_are_accepted_in_any_spelling(name: str) -> None:
    class Scored(msgspec.Struct):
        min_score: float

    assert read_arguments({name: 1}, Scored).arguments.min_score == 1


@pytest.mark.parametrize(
    ("sent", "limited"),
    [
        ({"limit": 0}, {"limit": "a whole number from 1 to 50"}),
        ({"limit": "4.6"}, {"limit": "a whole number from 1 to 50"}),
        ({"score": 9}, {"score": "a number from 0 to 1"}),
        ({"ratings": {"a1": 0.5, "b2": -5}}, {"ratings": "a number from -1 to 1"}),
        ({"limit": "5.0", "score": "80%", "ratings": {"a1": 1}, "exact": 1, "text": "9"}, {}),
        ({"limit": None, "score": 1, "ratings": None}, {}),
    ],
    ids=repr,
)
def test_a_field_says_what_it_accepts_where_another_number_is_used(
    sent: object, limited: dict[str, str]
) -> None:
    assert read_arguments(sent, Arguments).limited == limited


@pytest.mark.parametrize(
    "sent",
    [
        {"limit": "five"}, {"limit": {}}, {"limit": [1, 2]}, {"limit": True},
        {"limit": "1" * 5_000},
        {"limit": float("inf")}, {"limit": float("nan")}, {"score": "nan"}, {"limit": "inf"},
        {"type": "rules and facts"},
        {"type": ["fact", "decision"]}, {"exact": "perhaps"}, {"ratings": "good"}, {"ratings": [1]},
        {"ratings": {"a": "good"}},
        {"text": {"a": 1}}, {"text": ["a", "b"]}, {"id": []}, {"id": {}},
    ],
    ids=repr,
)  # fmt: skip
def test_unreadable_arguments_are_refused(sent: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        read_arguments(sent, Arguments)


@pytest.mark.parametrize("sent", [{}, {"query": None}, {"query": ""}], ids=repr)
def test_a_missing_required_argument_is_refused(sent: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        read_arguments(sent, Required)


@pytest.mark.parametrize(
    "text", ["null", "5", "true", "`x`", "[a]", " a ", '{"a": 1}', "any"], ids=repr
)
def test_a_text_is_never_changed(text: str) -> None:
    assert read(text=text).text == text
    assert read_arguments({"query": text}, Required).arguments.query == text


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda each: (
        st.lists(each, max_size=4) | st.dictionaries(st.text(max_size=9), each, max_size=4)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(Arguments.__struct_fields__), _JSON))
def test_any_input_is_parsed_or_refused(sent: dict[str, Any]) -> None:
    try:
        found = read_arguments(sent, Arguments).arguments
    except msgspec.ValidationError:
        return
    again = read_arguments(msgspec.to_builtins(found), Arguments).arguments
    assert again == found
