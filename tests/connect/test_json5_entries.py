"""Values are placed in JSON5 and removed again without touching anything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.connect.json5_entries import (
    Placement,
    add,
    check,
    is_placed,
    remove,
    value_at,
    without_fragments,
)
from intaglio.connect.json_scanner import JSON5, JsonValue, scan, value_of
from intaglio.connect.values import ConnectionRefused

WANTED = (
    Placement(("plugins", "slots", "memory"), "ours"),
    Placement(("plugins", "entries", "ours"), {"enabled": True}),
)
NUMBERS = (".5", "+0xFf", "-Infinity", "5.")
NAMES = st.sampled_from(["plugins", "slots", "entries", "memory", "a", "b c", "'q'"])
VALUES = st.recursive(
    st.sampled_from(
        ["'it\\'s'", '"x\\\ny"', "+1", ".5", "0xff", "-Infinity", "true", "null", "[1,]"]
    ),
    lambda inner: st.lists(st.tuples(NAMES, inner), max_size=3, unique_by=lambda each: each[0]).map(
        lambda members: "{" + ", ".join(f'"{name}": {value}' for name, value in members) + "}"
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("{a: 1, 'b': \"c\",}", {"a": "1", "b": "c"}),
        ("// x\n{ /* y * */ a: [true, null,], } // z", {"a": [True, None]}),
        ("{$a_1: 'it\\'s', b: '\\x41\\u0042\\\n'}", {"$a_1": "it's", "b": "AB"}),
        ("{a: .5, b: +0xFf, c: -Infinity, d: 5.}", dict(zip("abcd", NUMBERS, strict=True))),
    ],
)
def test_json5_is_read(text: str, meant: object) -> None:
    root = scan(text, JSON5)
    assert isinstance(root, JsonValue)
    assert value_of(text, root, JSON5) == meant


@pytest.mark.parametrize(
    "text",
    ["{a 1}", "{a: 1 b: 2}", "{,}", "[,]", "{a: 'x\n'}", "{a: tru}", "{a: 1} x", "{/* }", "{"],
)
def test_what_is_not_json5_is_refused_with_its_line(text: str) -> None:
    refused = check(text, WANTED)
    assert isinstance(refused, ConnectionRefused)
    assert "line" in refused.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[]", "The settings isn't an object"),
        ("{plugins: []}", "plugins in the settings isn't an object"),
        ("{plugins: {slots: 1}}", "plugins.slots in the settings isn't an object"),
        ("{plugins: {}, 'plugins': {}}", "contain the key"),
        ("{$include: './base.json5'}", "The settings file includes another,"),
        ("{plugins: {$include: './plugins.json5'}}", "plugins includes another,"),
    ],
)
def test_settings_that_cannot_be_edited_safely_are_refused(text: str, reason: str) -> None:
    refused = check(text, WANTED)
    assert isinstance(refused, ConnectionRefused)
    assert reason in refused.reason


def test_a_comment_stays_with_the_entry_before_it() -> None:
    text = "{\n  a: 1, // one\n  b: 2 // two\n}\n"
    added = add(text, WANTED[:1])
    assert added.text.startswith("{\n  a: 1, // one\n  b: 2 // two\n  , ")
    assert value_at(added.text, ("plugins", "slots", "memory")) == "ours"
    assert add("{ a: 1, }", WANTED[:1]).text == '{ a: 1, "plugins": {"slots": {"memory": "ours"}} }'


def test_an_item_joins_a_list_and_leaves_it() -> None:
    text, item = "{allow: ['other',]}", Placement(("allow",), "ours", item=True)
    added = add(text, (item,))
    assert value_at(added.text, ("allow",)) == ["other", "ours"]
    assert value_at(remove(added.text, (item,), added.containers), ("allow",)) == ["other"]
    own = "{allow: ['ours']}"
    assert remove(own, (item,), ()) == own


@given(VALUES.filter(lambda text: check(text, WANTED) is None))
def test_removing_what_was_added_restores_each_byte(text: str) -> None:
    wanted = tuple(each for each in WANTED if value_at(text, each.path) is None)
    added = add(text, wanted)
    assert all(is_placed(added.text, each) for each in wanted)
    plain = remove(added.text, wanted, added.containers)
    assert value_at(plain, ()) == value_at(text, ())
    assert without_fragments(added.text, plain, added.fragments) == text


def test_a_file_that_was_rewritten_loses_our_values_alone() -> None:
    added = add("{a: 1}", WANTED)
    rewritten = (
        '{\n  "a": 1,\n  "plugins": {\n    "slots": {"memory": "ours"},\n'
        '    "entries": {"ours": {"enabled": true, "x": 1}, "b": {}}\n  }\n}\n'
    )
    plain = remove(rewritten, WANTED, added.containers)
    rest = without_fragments(rewritten, plain, added.fragments)
    assert value_at(rest, ()) == {"a": "1", "plugins": {"entries": {"b": {}}}}


def test_a_value_that_the_user_has_changed_since_stays() -> None:
    added = add("{}", WANTED)
    changed = added.text.replace('"memory": "ours"', '"memory": "theirs"')
    plain = remove(changed, WANTED, added.containers)
    assert value_at(plain, ()) == {"plugins": {"slots": {"memory": "theirs"}}}
