"""The mixed set of questions asks for what is in it."""

import json
from pathlib import Path
from typing import Any

import pytest

FILES = sorted((Path(__file__).parents[1] / "bench" / "mixed").glob("*.json"))


def _spaces() -> list[Any]:
    return [
        pytest.param(space, id=space["id"])
        for file in FILES
        for space in json.loads(file.read_text(encoding="utf-8"))["spaces"]
    ]


@pytest.mark.parametrize("space", _spaces())
def test_gold_is_among_the_memories_of_its_project(space: dict[str, Any]) -> None:
    memories = [memory["id"] for memory in space["memories"]]
    assert len(set(memories)) == len(memories)
    for question in space["questions"]:
        assert set(question["gold"]) <= set(memories), question
        assert bool(question["gold"]) == (question["category"] != "no-answer"), question


@pytest.mark.parametrize("space", _spaces())
def test_a_literal_phrase_stands_in_one_memory(space: dict[str, Any]) -> None:
    for question in space["questions"]:
        if question["category"] == "literal-phrase":
            phrase = question["query"].strip('"').lower()
            holders = [m["id"] for m in space["memories"] if phrase in m["content"].lower()]
            assert holders == question["gold"], question
