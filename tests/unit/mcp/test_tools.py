"""The tools as section 10 of the contract has them, at a size that every session can afford."""

from typing import Any, Final

import pytest

from intaglio.base.text import estimate_tokens
from intaglio.mcp.schemas import describe
from intaglio.mcp.tool_list import TOOLS

_MAX_TOKENS: Final = 600

# A star marks what is required.
CONTRACT: Final = {
    "memory_search": {
        "query*": "string",
        "limit": "integer",
        "type": "string",
        "min_score": "number",
        "expand": "boolean",
    },
    "memory_get": {"id*": "string", "offset": "integer"},
    "memory_list": {"limit": "integer", "offset": "integer", "type": "string"},
    "memory_store": {
        "content*": "string",
        "type": "string",
        "evidence": "array",
        "replaces": "array",
        "known": "string",
        "importance": "number",
        "tags": "string",
    },
    "memory_modify": {
        "id*": "string",
        "reason*": "string",
        "content": "string",
        "type": "string",
        "importance": "number",
        "tags": "string",
    },
    "memory_forget": {"id*": "string", "reason*": "string"},
    "memory_feedback": {"session_key*": "string", "ratings*": "object"},
    "knowledge_expand": {
        "entity_name*": "string",
        "aspect_filter": "string",
        "question": "string",
        "max_tokens": "integer",
    },
    "session_bypass": {"session_key*": "string", "enabled*": "boolean"},
}


def schema_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = describe(TOOLS[name])["inputSchema"]
    return found


def test_the_expected_tools_are_listed() -> None:
    assert set(TOOLS) == set(CONTRACT)


@pytest.mark.parametrize("name", CONTRACT)
def test_the_arguments_match_the_contract(name: str) -> None:
    schema = schema_of(name)
    required = schema["required"]
    assert schema["type"] == "object"
    assert {
        f"{each}*" if each in required else each: about["type"]
        for each, about in schema["properties"].items()
    } == CONTRACT[name]


def test_a_rating_is_between_minus_one_and_one() -> None:
    rating = schema_of("memory_feedback")["properties"]["ratings"]["additionalProperties"]
    assert (rating["type"], rating["minimum"], rating["maximum"]) == ("number", -1, 1)


def test_all_descriptions_together_are_short() -> None:
    texts = [
        text
        for tool in map(describe, TOOLS.values())
        for text in (
            tool["description"],
            *(each.get("description", "") for each in tool["inputSchema"]["properties"].values()),
        )
    ]
    assert sum(map(estimate_tokens, texts)) <= _MAX_TOKENS


def test_read_only_tools_are_marked_as_such() -> None:
    hints = {name: describe(tool)["annotations"] for name, tool in TOOLS.items()}
    reading = {name for name, each in hints.items() if each["readOnlyHint"]}
    removing = {name for name, each in hints.items() if each["destructiveHint"]}
    assert reading == {"memory_search", "memory_get", "memory_list", "knowledge_expand"}
    assert removing == {"memory_forget"}
