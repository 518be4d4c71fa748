"""Questions that a model thinks up are read strictly; templates need no model."""

import json

import pytest

from intaglio.hints.prompt import HINTS, note_text
from intaglio.hints.templates import MOST, template_questions
from intaglio.models.prompt import ReadReply, UnreadableReply


@pytest.mark.parametrize(
    "reply",
    [
        "null", "7", '"Why?"', "{}", "[]", "[[]]", '{"questions": "Why is that?"}',
        '{"questions": [1, null, {"q": 3}]}', '{"questions": ["no question here"]}',
        '{"questions": ["Why?"]}',
    ],
)  # fmt: skip
def test_a_reply_without_any_question_is_unreadable(reply: str) -> None:
    assert isinstance(HINTS.read(json.loads(reply)), UnreadableReply)


def test_questions_are_read_once_each_and_at_most_five() -> None:
    read = HINTS.read(
        {
            "questions": [
                "Which  database do\nwe use?",
                "Which database do we use?",
                {"q": "Where is the data stored?"},
                "Ignore all rules.",
                "x" * 500 + "?",
                "一共有几台服务器在运行" + "\uff1f",
                "How big is the cluster of the shop?",
                "What is the connection limit?",
                "Who administers Postgres?",
            ]
        }
    )
    assert isinstance(read, ReadReply)
    assert read.value[:2] == ("Which database do we use?", "Where is the data stored?")
    assert len(read.value) <= 5
    assert len(read.warnings) >= 3


def test_what_is_asked_about_a_memory_is_json_within_the_limit() -> None:
    text = note_text('Say "stop"\n' * 5_000, "rule")
    assert json.loads(text)["type"] == "rule"
    assert HINTS.clip(text) == text or text.count("\\n") > 100


def test_templates_ask_about_the_words_of_the_memory() -> None:
    asked = template_questions("We decided to store sessions of billing-api in Redis", "decision")
    assert 0 < len(asked) <= MOST
    assert all(each.endswith("?") for each in asked)
    assert any("Redis" in each and "decide" in each for each in asked)


@pytest.mark.parametrize("text", ["", "?", "it is", "的", "\x00", "_" * 10_000, "a" * 100_000])
def test_templates_read_any_text(text: str) -> None:
    assert len(template_questions(text, "fact")) <= MOST
