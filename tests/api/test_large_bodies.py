"""Bodies of many tiny values: refused by counting; those of long texts and many tags are read."""

import json

import msgspec
import pytest

from fakes.api import Api
from intaglio.api.gate.body import MAX_VALUES, check_values
from intaglio.api.gate.declaration import Principal
from intaglio.api.gate.request_agent import find_agent
from intaglio.base.errors import InvalidInputError, TooLargeError


@pytest.mark.parametrize("value", [b"1", b"{}", b'"a,b"', b'"\\""'])
def test_more_values_than_any_request_needs_are_refused(value: bytes) -> None:
    check_values(b"[" + b",".join([value] * MAX_VALUES) + b"]")
    with pytest.raises(TooLargeError):
        check_values(b"[" + b",".join([value] * (MAX_VALUES + 2)) + b"]")


@pytest.mark.parametrize("text", ["," * 300_000, '",\\"' * 100_000, "\\," * 200_000])
def test_commas_in_texts_do_not_count(text: str) -> None:
    check_values(json.dumps({"content": text}).encode())
    # Not even where the text has no end.
    check_values(json.dumps({"content": text}).encode()[:-2])


@pytest.mark.parametrize("patches", [{}, [1], "a", None, [{"agentId": None}], [[]]])
def test_an_invalid_patch_names_no_agent(patches: object) -> None:
    body = msgspec.json.encode({"patches": patches})
    assert find_agent(Principal.AGENT, {}, "", body).agent_id is None


def test_an_agent_named_in_a_patch_counts() -> None:
    body = msgspec.json.encode({"patches": [1, {"id": "a", "agent_id": "ann"}]})
    assert find_agent(Principal.AGENT, {}, "", body).agent_id == "ann"
    with pytest.raises(InvalidInputError):
        find_agent(Principal.AGENT, {}, "agentId=bob", body)


async def test_too_many_values_and_patches_are_refused_with_a_hint(api: Api) -> None:
    for body, status in (
        (b'{"patches": [' + b",".join([b"{}"] * 150_000) + b"]}", 413),
        (b'{"patches": [' + b",".join([b'{"id": "a"}'] * 70_000) + b'], "reason": "many"}', 400),
    ):
        reply = await api.client.post("/api/memory/modify", content=body)
        assert reply.status_code == status
        assert reply.json()["hint"] == "Split it into several requests."


async def test_an_unreadable_patch_fails_alone(api: Api) -> None:
    memory = await api.remember("We use tabs")
    patches = (
        b'1, {"id": "x", "importance": "a"}, {"id": "' + memory.encode() + b'", "pinned": true}'
    )
    body = b'{"reason": "some", "patches": [' + patches + b"]}"
    reply = await api.client.post("/api/memory/modify", content=body)
    assert reply.status_code == 200
    assert [each["status"] for each in reply.json()["results"]] == [
        "invalid_request",
        "invalid_request",
        "updated",
    ]


async def test_a_hook_is_read_whatever_surrounds_its_fields(api: Api) -> None:
    noise = b",".join([b"1"] * 150_000)
    body = (
        b'{"harness": "openclaw", "sessionKey": "s", "userMessage": "hello", "x": [' + noise + b"]}"
    )
    reply = await api.client.post("/api/hooks/user-prompt-submit", content=body)
    assert reply.status_code == 200
