"""JSON that others wrote is read whatever characters, values and lengths it has."""

import base64
import json
import tracemalloc
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.base.json.characters import readable
from intaglio.base.json.shortening import (
    MAX_DEPTH,
    MAX_DOCUMENT_BYTES,
    MAX_STRING_BYTES,
    MAX_TOKENS,
    Shortener,
    simplified,
)
from intaglio.base.json.tolerant import REFUSED, TolerantDecoder

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)


class _Part(msgspec.Struct):
    kind: str
    text: str | None = None


class _Record(msgspec.Struct, rename="camel"):
    name: str
    note: str | None = None
    is_meta: bool | None = None
    parts: str | list[_Part] | None = None
    others: dict[str, str | list[str]] = {}


_RECORD = TolerantDecoder(_Record)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (rb'"a \ud83d b"', "a \ufffd b"),
        (rb'"\ude00"', "\ufffd"),
        (rb'"\ud83d\ude00"', "😀"),
        (rb'"\ud83d\ud83d\ude00\ude00"', "\ufffd😀\ufffd"),
        (rb'"\\ud83d"', "\\ud83d"),
        (rb'"\\\ud83d"', "\\\ufffd"),
        (rb'"\\ud83d\ude00"', "\\ud83d\ufffd"),
        (b'"caf\xe9"', "caf\ufffd"),
        (b'"\xed\xa0\xbd"', "\ufffd\ufffd\ufffd"),
        (b'\xef\xbb\xbf"a"', "a"),
        (b'\x00\x00"a\x00b"\x00', "ab"),
    ],
)
def test_values_that_a_decoder_refuses_are_replaced(data: bytes, said: str) -> None:
    assert msgspec.json.decode(readable(data)) == said


@given(value=_JSON, ascii_only=st.booleans())
def test_valid_json_stays_as_it_is(value: object, ascii_only: bool) -> None:
    data = json.dumps(value, ensure_ascii=ascii_only).encode()
    if b"\\u0000" not in data:
        assert readable(data) == data
    assert msgspec.json.decode(simplified(data)) == value


@given(value=_JSON, sizes=st.lists(st.integers(1, 9), min_size=1))
def test_a_short_document_read_in_parts_stays_as_it_is(value: object, sizes: list[int]) -> None:
    data = json.dumps({"value": value, "quote": '\\" \\\\'}).encode()
    shortener, at = Shortener(), 0
    while at < len(data):
        size = sizes[at % len(sizes)]
        shortener.add(data[at : at + size])
        at += size
    assert shortener.text() == data


def _shortened(*parts: bytes) -> bytes:
    shortener = Shortener()
    for part in parts:
        shortener.add(part)
    return shortener.text()


def test_images_are_left_out_and_the_words_beside_them_stay() -> None:
    image = base64.b64encode(bytes(range(251)) * 12_000)
    document = b'{"a":"' + image + b'","b":"We use tabs.","c":"data:image/png;base64,'
    found: Any = json.loads(_shortened(document, image, b'","d":["x"]}'))
    assert found == {"a": "", "b": "We use tabs.", "c": "", "d": ["x"]}


@pytest.mark.parametrize("unit", ["word ", 'q" ', "é ", "\u4e2d ", "\\ ", "\n "])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_long_text_is_cut_between_characters(unit: str, ascii_only: bool) -> None:
    text = unit * (MAX_STRING_BYTES // 2)
    data = json.dumps([text, "end"], ensure_ascii=ascii_only).encode()
    found: Any = json.loads(readable(_shortened(data)))
    assert len(found[0].encode()) > MAX_STRING_BYTES // 10
    assert text.startswith(found[0].rstrip("\ufffd"))
    assert found[1] == "end"


def test_a_document_of_any_length_takes_bounded_memory() -> None:
    shortener = Shortener()
    part = b"A" * 1_000_000
    tracemalloc.start()
    try:
        shortener.add(b'{"a":"')
        for _ in range(100):
            shortener.add(part)
        shortener.add(b'","b":1}')
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert json.loads(shortener.text()) == {"a": "", "b": 1}
    assert most < 12_000_000


@pytest.mark.parametrize(
    "document",
    [b"[" + b"1," * MAX_DOCUMENT_BYTES, b'["",' + b'"",' * (MAX_TOKENS + 1)],
    ids=["numbers", "strings"],
)
def test_a_document_that_cannot_be_shortened_becomes_empty(document: bytes) -> None:
    assert _shortened(document) == b""


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), None),
        (b'{"a":' * 9_000 + b"1" + b"}" * 9_000, None),
        (b"NaN", "null"),
        (b"-Infinity", "null"),
        (b"1e999", "null"),
        (b"9" * 5_000, "null"),
        (b"01", "null"),
        (b"-0.5e3", "-0.5e3"),
        (b'"a\tb\nc"', '"a b c"'),
    ],
)
def test_odd_values_become_null(value: bytes, kept: str | None) -> None:
    found = simplified(b'{"x":' + value + b',"y":[true,false,null]}')
    assert msgspec.json.decode(found, type=dict[str, object])["y"] == [True, False, None]
    if kept is not None:
        assert found.startswith(b'{"x":' + kept.encode())


@pytest.mark.parametrize(
    "field",
    [
        b'"note": 5',
        b'"note": ["a"]',
        b'"isMeta": "yes"',
        b'"isMeta": 1',
        b'"parts": 5',
        b'"others": 5',
        b'"unused": "\\ud83d"',
        b'"unused": ' + b"[" * 50_000 + b"]" * 50_000,
        b'"unused": 1e999',
    ],
)
def test_a_field_that_is_not_needed_may_hold_anything(field: bytes) -> None:
    found = _RECORD.decode(b'{"name": "n", ' + field + b"}")
    assert found == _Record("n")


def test_the_usable_parts_of_a_field_stay() -> None:
    found = _RECORD.decode(
        b'{"name": "n", "others": {"a": "x", "b": 5, "c": ["y", 6]}, '
        b'"parts": [{"kind": "k", "text": "t"}, 5, {}, {"kind": "l", "text": 6}]}'
    )
    assert found.parts == [_Part("k", "t"), _Part("l")]
    assert found.others == {"a": "x", "c": ["y"]}


@pytest.mark.parametrize(
    "data", [b"", b"null", b"[]", b"{}", b'{"name": 5}', b'{"name": "n"', b"[" * 9_000, b"\xff"]
)
def test_without_a_required_field_decoding_fails(data: bytes) -> None:
    with pytest.raises(REFUSED):
        _RECORD.decode(data)


def test_the_last_of_two_fields_of_one_name_counts() -> None:
    assert _RECORD.decode(b'{"name": "a", "name": "b"}') == _Record("b")


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"[]", "got `array`"),
        (b"{}", "required field `name`"),
        (b'{"name": null}', r"got `null` - at `\$.name`"),
    ],
)
def test_a_refusal_names_what_is_wrong_in_the_data(data: bytes, fault: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=fault):
        TolerantDecoder(_Record).decode(data)
