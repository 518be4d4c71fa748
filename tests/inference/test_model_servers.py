"""Model servers: in which form they are asked, what they refuse, and connections that go wrong."""

from collections.abc import AsyncGenerator
from datetime import timedelta
from email.utils import format_datetime
from typing import Any, Final

import pytest

from fakes.model_server import Cut, Raw, Say, Status, model_server
from fakes.waiting import PATIENCE_S
from inference.completion_rig import KEY, REQUEST, SCHEMA, SERVERS, Rig
from intaglio.base.clock import system_clock
from intaglio.base.errors import InvalidInputError
from intaglio.inference.completion.choice import ModelChoice
from intaglio.inference.completion.factory import completion_of
from intaglio.inference.completion.instructions import is_closed
from intaglio.inference.completion.ports import Completed, CompletionRequest, NotCompleted

REPLY: Final = '{"facts": []}'


@pytest.fixture(params=SERVERS)
async def rig(request: pytest.FixtureRequest) -> AsyncGenerator[Rig]:
    with model_server() as server:
        made = Rig(request.param, server)
        yield made
        await made.close()


@pytest.fixture
async def openai() -> AsyncGenerator[Rig]:
    with model_server() as server:
        made = Rig("openai", server)
        yield made
        await made.close()


@pytest.fixture
async def ollama() -> AsyncGenerator[Rig]:
    with model_server() as server:
        made = Rig("ollama", server)
        yield made
        await made.close()


async def completed(rig: Rig, request: CompletionRequest = REQUEST, model: str = "m") -> Completed:
    outcome = await rig.completion(model).complete(request, timeout_s=PATIENCE_S)
    assert isinstance(outcome, Completed), outcome
    return outcome


def formats(rig: Rig) -> list[Any]:
    """The type of the format that each request asked for."""
    return [body.get("response_format", {}).get("type") for body in rig.server.bodies]


@pytest.mark.parametrize(
    "trouble",
    [
        Status(408),
        Status(429),
        Status(500),
        Status(503),
        Status(529),
        Cut(),
        Cut(at=0),
    ],
)
async def test_trouble_that_passes_is_waited_out(rig: Rig, trouble: Status | Cut) -> None:
    rig.plays(trouble, Say(REPLY))
    assert (await completed(rig)).attempts == 2
    assert rig.time.slept == [0.75]


async def test_retry_after_is_honoured_in_both_forms(rig: Rig) -> None:
    later = format_datetime(system_clock() + timedelta(seconds=12), usegmt=True)
    headers = [{"retry-after": "5"}, {"retry-after": later}]
    rig.plays(*(Status(429, each) for each in headers), Say(REPLY))
    await completed(rig)
    first, second = rig.time.slept
    assert first == 5
    assert 5 < second <= 12


@pytest.mark.parametrize("header", ["-5", "soon", "nan", "inf", "", "Mon, 99 Foo 2026"])
async def test_a_retry_after_that_says_nothing_is_ignored(rig: Rig, header: str) -> None:
    rig.plays(Status(429, {"retry-after": header}), Say(REPLY))
    await completed(rig)
    assert rig.time.slept == [0.75]


async def test_a_minute_of_refusals_is_reported_with_its_length(rig: Rig) -> None:
    rig.plays(Status(429, {"retry-after": "60"}), Say(REPLY))
    completion = rig.completion()
    outcome = await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotCompleted)
    assert (outcome.reason, outcome.retry_after_s, completion.rest_s) == ("rate_limited", 60, 60)
    assert rig.requests() == 1


async def test_a_days_wait_is_no_longer_than_an_hour(rig: Rig) -> None:
    rig.plays(Status(429, {"retry-after": "86400"}))
    completion = rig.completion()
    await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    assert completion.rest_s == 3_600


@pytest.mark.parametrize(
    ("code", "said"), [(401, "key"), (402, "credit"), (403, "key"), (404, "know the model")]
)
async def test_a_refusal_that_stays_rests_at_once(rig: Rig, code: int, said: str) -> None:
    rig.plays(Status(code))
    completion = rig.completion()
    outcome = await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotCompleted)
    assert (outcome.reason, rig.requests(), completion.rest_s) == ("refused", 1, 30)
    assert said in outcome.detail


async def test_a_redirect_is_not_followed(rig: Rig) -> None:
    rig.plays(Status(307, {"location": f"{rig.server.url}/elsewhere"}))
    outcome = await rig.completion().complete(REQUEST, timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotCompleted)
    assert rig.requests() == 1


async def test_a_compressed_reply_is_not_unpacked(rig: Rig) -> None:
    rig.plays(Status(200, {"content-encoding": "gzip"}, b"\x1f\x8b\x08\x00"))
    outcome = await rig.completion().complete(REQUEST, timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotCompleted)
    assert rig.server.asked[0].headers["accept-encoding"] == "identity"


async def test_calls_share_one_connection(rig: Rig) -> None:
    rig.plays(Say(REPLY))
    completion = rig.completion()
    for _ in range(3):
        await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    assert len({each.client_port for each in rig.server.asked}) == 1


async def test_the_key_is_sent_where_the_server_reads_it(rig: Rig) -> None:
    rig.plays(Say(REPLY))
    await completed(rig)
    headers = rig.server.asked[0].headers
    if rig.provider == "anthropic":
        assert headers["x-api-key"] == KEY
        assert headers["anthropic-version"]
        assert "authorization" not in headers
    else:
        assert headers["authorization"] == f"Bearer {KEY}"


async def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    rig.plays(Say(REPLY))
    await completed(rig)


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("localhost:11434", ""),
        ("file:///etc/passwd", ""),
        ("http://user:word@localhost", ""),
        ("http://models.example/v1", "sk-1"),
        ("https://models.example/v1", "sk\r\nx: y"),
    ],
)
def test_an_address_that_is_invalid_or_reveals_the_key_is_refused(address: str, key: str) -> None:
    with pytest.raises(InvalidInputError):
        completion_of(ModelChoice(provider="openai", model="m", address=address, key=key))


async def test_a_server_is_asked_for_less_until_it_accepts_and_so_from_then_on(
    openai: Rig,
) -> None:
    # The last is what llama-cpp-python's server answers.
    said = b"Input should be 'text' or 'json_object'; response_format"
    openai.plays(Status(400), Status(422), Status(500, {}, said), Say(REPLY))
    completion = openai.completion()
    await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    assert formats(openai) == ["json_schema"] * 2 + ["json_object"] * 3
    strict, loose, with_schema, as_object, _ = openai.server.bodies
    assert with_schema["response_format"]["schema"] == SCHEMA
    assert "schema" not in as_object["response_format"]
    assert strict["response_format"]["json_schema"]["strict"] is True
    assert loose["response_format"]["json_schema"]["strict"] is False
    assert "JSON Schema" not in str(loose["messages"])
    assert "JSON Schema" in str(as_object["messages"])


async def test_a_request_that_every_form_fails_is_at_fault_itself(openai: Rig) -> None:
    openai.plays(*[Status(400)] * 5, Say(REPLY))
    completion = openai.completion()
    outcome = await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotCompleted)
    assert (outcome.reason, outcome.attempts) == ("refused", 1)
    await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    objects = ["json_object", "json_object"]
    assert formats(openai) == ["json_schema", "json_schema", *objects, None, "json_schema"]


async def test_what_one_schema_needs_is_not_remembered_for_another(openai: Rig) -> None:
    openai.plays(Status(400), Status(400), Say(REPLY))
    completion = openai.completion()
    await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    other = CompletionRequest(system="s", user="u", schema=SCHEMA, schema_name="other")
    await completion.complete(other, timeout_s=PATIENCE_S)
    assert formats(openai)[-1] == "json_schema"


async def test_a_parameter_that_a_model_refuses_is_left_out_from_then_on(openai: Rig) -> None:
    def refusing(name: str) -> Status:
        said = f"Unsupported parameter: '{name}' is not supported with this model."
        return Status(400, {}, f'{{"error": {{"message": "{said}"}}}}'.encode())

    openai.plays(refusing("max_tokens"), refusing("temperature"), Say(REPLY))
    completion = openai.completion()
    await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    first, *_, third, fourth = openai.server.bodies
    assert (first["max_tokens"], first["temperature"]) == (2_000, 0.1)
    assert third["max_completion_tokens"] == 2_000
    assert not {"max_tokens", "temperature"} & set(third)
    assert third == fourth
    assert set(formats(openai)) == {"json_schema"}


async def test_a_model_that_thinks_is_asked_to_think_little(openai: Rig) -> None:
    openai.plays(Say(REPLY))
    await completed(openai, model="openai/gpt-5-mini")
    (body,) = openai.server.bodies
    assert body["reasoning_effort"] == "low"
    assert "temperature" not in body


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"error": {"code": 429, "message": "wait"}}', "rate_limited"),
        (b'{"error": {"code": "x", "message": "?"}}', "refused"),
        (b'{"choices": []}', "refused"),
    ],
)
async def test_an_error_within_a_good_status_is_an_error(
    openai: Rig, data: bytes, reason: str
) -> None:
    openai.plays(Raw(data))
    outcome = await openai.completion().complete(REQUEST, timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotCompleted)
    assert outcome.reason == reason


async def test_a_reply_in_parts_is_joined_without_the_thoughts(openai: Rig) -> None:
    parts = b'[{"type": "thinking", "thinking": []}, {"type": "text", "text": "{}"}]'
    openai.plays(Raw(b'{"choices": [{"message": {"content": ' + parts + b"}}]}"))
    assert (await completed(openai)).text == "{}"


async def test_ollama_is_given_the_schema_and_told_not_to_think(ollama: Rig) -> None:
    ollama.plays(Say(REPLY))
    await completed(ollama, model="qwen3:4b")
    await completed(ollama, model="llama3.2:3b")
    thinks, plain = ollama.server.bodies
    assert thinks["format"] == SCHEMA
    assert thinks["think"] is False
    assert thinks["stream"] is False
    assert thinks["options"] == {"temperature": 0.1, "num_predict": 2_000}
    assert thinks["messages"][-1]["content"].endswith("\n/no_think")
    assert plain["messages"][-1]["content"] == REQUEST.user


async def test_an_old_ollama_is_asked_without_what_it_refuses(ollama: Rig) -> None:
    ollama.plays(Status(400), Status(400), Say(REPLY))
    await completed(ollama)
    first, second, third = ollama.server.bodies
    assert "think" in first
    assert (second["format"], "think" in second) == (SCHEMA, False)
    assert third["format"] == "json"
    assert "JSON Schema" in third["messages"][0]["content"]


@pytest.mark.parametrize(
    "data",
    [
        b'{"message": {"content": "{\\"facts\\": [\\"a"}, "done_reason": "length"}',
        b'{"message": {"content": ""}, "done_reason": "length"}',
    ],
)
async def test_a_reply_that_was_cut_at_its_limit_says_so(ollama: Rig, data: bytes) -> None:
    ollama.plays(Raw(data))
    outcome = await ollama.completion().complete(REQUEST, timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotCompleted)
    assert outcome.reason == "too_long"
    assert "2000 tokens" in outcome.detail


async def test_a_cut_call_of_anthropics_tool_is_no_reply() -> None:
    called = b'{"type": "tool_use", "name": "facts", "input": {"facts": []}}'
    with model_server() as server:
        rig = Rig("anthropic", server)
        rig.plays(Raw(b'{"content": [' + called + b'], "stop_reason": "max_tokens"}'))
        outcome = await rig.completion().complete(REQUEST, timeout_s=PATIENCE_S)
        assert isinstance(outcome, NotCompleted)
        assert outcome.reason == "too_long"
        await rig.close()


async def test_anthropic_is_given_the_schema_as_a_tool_and_else_as_text() -> None:
    with model_server() as server:
        rig = Rig("anthropic", server)
        rig.plays(Say(REPLY), Status(400), Say(REPLY))
        completion = rig.completion()
        await completion.complete(REQUEST, timeout_s=PATIENCE_S)
        other = CompletionRequest(system="s", user="u", schema=SCHEMA, schema_name="other")
        await completion.complete(other, timeout_s=PATIENCE_S)
        first, _, last = server.bodies
        assert first["tools"][0]["input_schema"] == SCHEMA
        assert first["tool_choice"] == {"type": "tool", "name": "facts"}
        assert "tools" not in last
        assert "JSON Schema" in last["system"]
        await rig.close()


@pytest.mark.parametrize(
    ("schema", "closed"),
    [
        (SCHEMA, True),
        ({"type": "array", "items": {"type": "string"}}, True),
        ({"type": "object"}, False),
        ({**SCHEMA, "required": []}, False),
        ({"type": "array", "items": {"type": "object", "properties": {"a": {}}}}, False),
        ({"anyOf": [SCHEMA, {"type": "object"}]}, False),
    ],
)
def test_only_schemas_without_open_objects_are_strict(schema: object, *, closed: bool) -> None:
    assert is_closed(schema) is closed
