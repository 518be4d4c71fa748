"""A model's reply is read as JSON whatever stands around it, and never for longer than it is."""

import json
import time
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intaglio.inference.completion.json_reply import parse_json

FACTS: Final = {"facts": [{"content": "The port is 5433."}]}
TEXT: Final = json.dumps(FACTS)

# Ten times the longest reply that is read at all.
LONG: Final = 10_000_000


@pytest.mark.parametrize(
    "reply",
    [
        TEXT,
        f"  \n{TEXT}\n ",
        f"\ufeff{TEXT}",
        json.dumps(FACTS, indent=2),
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```\nI hope that helps!",
        f"Here is the JSON that you asked for:\n\n{TEXT}\n\nTell me if {{you}} need more.",
        f"As [1] and [2, 3] say: {TEXT}",
        f"In `if (x) {{ return; }}` nothing is said. {TEXT}",
        f"<think>Is it {{}}? Or {{'port'}}?</think>{TEXT}",
        f'<think>a</think>{{"draft": 1}}<think>b</think>{TEXT}',
        f'It begins unmarked {{"draft": 1}} and then</think>\n{TEXT}',
        f'<Thinking>{{"draft": 1}}</thinking>{TEXT}',
        '{"facts": [{"content": "The port is 5433.",},],}',
        '```json\n{"facts": [ {"content": "The port is 5433."} , \n ] , \n}\n```',
        f'Example: {{"facts": [{{"content": "An example."}}]}}. Reply: {TEXT}',
        f'Example: {{"facts": [{{...}}]}}. Reply: {TEXT}',
        f'{TEXT} See also ["notes"].',
        f'{TEXT}\nI left out {{"content": "a"}}, as it is no fact.',
        f'```json\n{TEXT}\n```\nAn empty reply would be `{{"facts": []}}`.',
        f'{{"facts": []}}\n{TEXT}',
        f'<think>{{"draft": 1}}</think> {TEXT} Not {{"a": 1}}.',
        f"It failed: {{'facts': []}}. Again: {TEXT}",
    ],
)
def test_the_value_is_found_among_what_stands_around(reply: str) -> None:
    assert parse_json(reply) == FACTS


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I found no facts in this text.",
        "{",
        TEXT[:-1],
        TEXT[:-9],
        f"```json\n{TEXT[:-2]}\n```",
        f"<think>It could be {TEXT}",
        f"<think>It could be {TEXT}</thi",
        '{"facts": [{"content": "a"}, {"content": oops}]}',
        '{"facts": [{"content": "a"}, {"content": "b"]}',
        "{'facts': []}",
        '{facts: [{"content": "a"}]}',
        "So: " + "[" * 200 + "]" * 200,
        '{"a": ' * 2_000 + "1" + "}" * 2_000,
        f'{{"n": {"9" * 5_000}}}',
    ],
)
def test_nothing_is_read_out_of_prose_or_half_a_value(reply: str) -> None:
    assert parse_json(reply) is None


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('[{"content": "a"}]', [{"content": "a"}]),
        ('The list: [{"content": "a"},]', [{"content": "a"}]),
        ('["a"] or rather ["b"]', ["b"]),
        ('[{"content": "a"}]\nNot {"content": "b"}.', [{"content": "a"}]),
        ('Here: {"content": "a"}.\n[1] A footnote.', {"content": "a"}),
        ("So: {}. Or [1].", {}),
        ('{"text": "a } b ] c \\" , ] {"}', {"text": 'a } b ] c " , ] {'}),
        ('So: {"text": "keep , ] and ,}", }', {"text": "keep , ] and ,}"}),
        ('{"text": "the <think> tag, and </think>"}', {"text": "the <think> tag, and </think>"}),
        (
            'So: {"text": "the <think> tag, and </think>"}.',
            {"text": "the <think> tag, and </think>"},
        ),
        ('{"text": "two\nlines"}', {"text": "two\nlines"}),
        ('{"a": NaN, "b": -Infinity, "c": 1e999}', {"a": None, "b": None, "c": None}),
        ('{"a": "x\\ud800y\\u0000z", "\\ud83d\\ude00": 1}', {"a": "xyz", "\N{GRINNING FACE}": 1}),
        ("42", 42),
        ('"text"', "text"),
    ],
)
def test_a_value_is_read_as_it_stands(reply: str, value: object) -> None:
    assert parse_json(reply) == value


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "{",
        '{"',
        '{"a":',
        "{}",
        "[]",
        "[}",
        "[1 ",
        '{"a": x}',
        "x",
        "<think>",
        "</think>",
        "<think></think>",
        "{ ",
        ',"]',
    ],
)
@pytest.mark.parametrize("before", ["", "{", '{"', '{"a": [1', "<think>"])
def test_garbage_costs_no_more_than_its_length(before: str, unit: str) -> None:
    def seconds(length: int) -> float:
        text = before + unit * (length // len(unit))
        start = time.process_time()
        parse_json(text)
        return time.process_time() - start

    # Forty times the length may take four times as long again, but not forty.
    short = max(min(seconds(LONG // 1_000) for _ in range(3)), 0.001)
    assert seconds(LONG // 25) < short * 40 * 4


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=40, deadline=None)
@given(
    value=st.dictionaries(st.text(), JSON, min_size=1), prose=st.text("abc <(,. \n", max_size=30)
)
def test_every_object_is_read_behind_any_prose(value: dict[str, object], prose: str) -> None:
    assert parse_json(f"{prose} {json.dumps(value, ensure_ascii=False)} .") is not None


@settings(max_examples=60, deadline=None)
@given(st.text('{}[]",:\\ <>/think1\n', max_size=60))
def test_no_text_raises(text: str) -> None:
    parse_json(text)
