"""The scanner reads exactly what JSON is, and knows where each value stands."""

import json
from typing import Never

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.connect.json_scanner import MAX_DEPTH, JsonValue, MalformedJson, scan

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=20,
).filter(lambda value: "Infinity" not in json.dumps(value))
NEARLY_JSON = st.text(alphabet='{}[]",:0123456789.eE+-truefalsn\\u/* \t\n\x0b', max_size=30)


def _refuse(constant: str) -> Never:
    raise ValueError(constant)


def _is_json(text: str) -> bool:
    try:
        json.loads(text, parse_constant=_refuse)
    except ValueError:
        return False
    return True


def _check(text: str, value: JsonValue) -> None:
    """Hold each span against what the standard reader makes of it."""
    plain = json.loads(text[value.start : value.end])
    if value.kind == "object":
        found = {m.key: json.loads(text[m.value.start : m.value.end]) for m in value.members}
        assert found == plain
        for member in value.members:
            assert text[member.start] == '"'
            _check(text, member.value)
    if value.kind == "array":
        assert [json.loads(text[i.start : i.end]) for i in value.items] == plain
        for item in value.items:
            _check(text, item)


@given(value=JSON, indent=st.sampled_from([None, 1, 4, "\t"]), ascii_only=st.booleans())
def test_every_span_holds_its_value(
    value: object, indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    found = scan(f" \n{text}\r\n")
    assert isinstance(found, JsonValue)
    _check(f" \n{text}\r\n", found)


@given(text=NEARLY_JSON)
def test_it_accepts_what_the_standard_reader_accepts(text: str) -> None:
    assert isinstance(scan(text), JsonValue) == _is_json(text)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("{\n// note\n}", 2, "a comment"),
        ('{"a": 1, /* note */ "b": 2}', 1, "a comment"),
        ('{\n"a": 1,\n}', 2, "a comma after the last entry"),
        ('{"a": "x\n"}', 1, "a string"),
        ('{"a": NaN}', 1, "'N'"),
        ("", 1, "unexpected end of file"),
        ("{} {}", 1, "'{'"),
    ],
)
def test_a_syntax_error_names_its_position_and_reason(text: str, line: int, message: str) -> None:
    found = scan(text)
    assert isinstance(found, MalformedJson)
    assert found.line == line
    assert message in found.message


def test_endless_nesting_is_refused() -> None:
    found = scan("[" * 100_000)
    assert found == MalformedJson(1, f"nested more than {MAX_DEPTH} levels deep")


def test_repeated_keys_are_reported() -> None:
    found = scan('{"a": 1, "b": 2, "a": 3}')
    assert isinstance(found, JsonValue)
    assert found.repeated() == ("a",)
