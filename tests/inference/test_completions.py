"""Every adapter of a language model keeps the same promises, whatever its other end does."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from fakes.agent_program import SERVERS_TEXT, agent_program
from fakes.model_server import Cut, Drip, Hang, Raw, Say, Status, model_server
from fakes.store import bench
from fakes.waiting import PATIENCE_S, until
from inference.completion_rig import AGENTS, KEY, REQUEST, SERVERS, Rig
from intaglio.inference.completion.choice import PROVIDERS, ModelProvider
from intaglio.inference.completion.ports import Completed, CompletionRequest, NotCompleted
from intaglio.store.tx import WriteTx

REPLY: Final = '{"facts": ["The port is 5433."]}'


@pytest.fixture(params=[*SERVERS, *AGENTS])
async def rig(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Rig]:
    provider: ModelProvider = request.param
    with ExitStack() as stack:
        if provider in SERVERS:
            made = Rig(provider, stack.enter_context(model_server()))
        else:
            monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
            made = Rig(provider, agent_program(PROVIDERS[provider].program, tmp_path))
        yield made
        await made.close()


async def ask(rig: Rig, request: CompletionRequest = REQUEST) -> Completed | NotCompleted:
    return await rig.completion().complete(request, timeout_s=PATIENCE_S)


async def refused(rig: Rig) -> NotCompleted:
    outcome = await ask(rig)
    assert isinstance(outcome, NotCompleted), outcome
    return outcome


async def test_a_reply_comes_with_the_tokens_that_were_counted(rig: Rig) -> None:
    rig.plays(Say(REPLY))
    outcome = await ask(rig)
    assert isinstance(outcome, Completed), outcome
    assert json.loads(outcome.text) == json.loads(REPLY)
    assert (outcome.tokens.read, outcome.tokens.written, outcome.attempts) == (7, 5, 1)
    assert not outcome.tokens.estimated


async def test_tokens_that_are_not_counted_are_estimated(rig: Rig) -> None:
    rig.plays(Say(REPLY, usage=False))
    outcome = await ask(rig)
    assert isinstance(outcome, Completed), outcome
    assert outcome.tokens.estimated
    assert (outcome.tokens.read, outcome.tokens.written) == (10, 8)


async def test_what_is_asked_arrives(rig: Rig) -> None:
    rig.plays(Say(REPLY))
    await ask(rig)
    sent = rig.last_request()
    for part in ("List the facts.", "/cost The port is 5433.", "facts", "some-model"):
        assert part in sent


async def test_plain_text_is_asked_for_without_more(rig: Rig) -> None:
    rig.plays(Say("It is 5433."))
    outcome = await ask(rig, CompletionRequest(system="Answer.", user="Which port?"))
    assert isinstance(outcome, Completed), outcome
    assert outcome.text == "It is 5433."
    for part in ("JSON Schema", "response_format", "output-schema", "tool_choice"):
        assert part not in rig.last_request()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html>Bad gateway</html>",
        b'{"facts": [',
        b"[]",
        b"null",
        b"{}",
        b'{"message": {"content": "\xff\xfe"}, "choices": [{"message": {"content": "\xff"}}]}',
        b"\xff\xfe\x00",
        b'{"content":' * 5_000,
        b'{"type": "result", "result": 5, "choices": 5, "message": 5, "content": 5}',
    ],
)
async def test_rubbish_is_refused_and_the_next_reply_taken(rig: Rig, data: bytes) -> None:
    rig.plays(Raw(data), Say(REPLY))
    completion = rig.completion()
    outcome = await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotCompleted), outcome
    assert outcome.reason == "refused"
    assert isinstance(await completion.complete(REQUEST, timeout_s=PATIENCE_S), Completed)


async def test_a_reply_of_ten_megabytes_is_too_long(rig: Rig) -> None:
    rig.plays(Raw(b"x" * 10_000_000) if rig.provider in SERVERS else Raw(b""))
    if rig.provider in AGENTS:
        rig.program.plays_raw({"output": "x" * 10_000, "times": 1_000, "hang": True})
    assert (await refused(rig)).reason == "too_long"


async def test_an_empty_reply_is_refused_with_its_tokens(rig: Rig) -> None:
    rig.plays(Say(" "))
    outcome = await ask(rig, CompletionRequest(system="Answer.", user="Which port?"))
    assert isinstance(outcome, NotCompleted), outcome
    assert outcome.reason == "refused"
    if rig.provider != "codex":
        assert outcome.tokens.written == 5


@pytest.mark.parametrize("step", [Hang(), Drip()])
async def test_a_model_that_never_ends_costs_no_more_than_the_deadline(
    rig: Rig, step: Hang | Drip
) -> None:
    rig.plays(step)
    completion = rig.completion()
    # Agents have to start first.
    calling = asyncio.ensure_future(
        completion.complete(REQUEST, timeout_s=0.1 if rig.provider in SERVERS else 0.25)
    )
    outcome = await calling
    assert isinstance(outcome, NotCompleted)
    assert outcome.reason == "timeout"
    if rig.requests():
        await rig.until_gone()


async def test_a_cancelled_call_is_cancelled_at_the_other_end(rig: Rig) -> None:
    rig.plays(Hang())
    calling = asyncio.ensure_future(rig.completion().complete(REQUEST, timeout_s=PATIENCE_S))
    await until(rig.requests, "the request is there")
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    await rig.until_gone()


async def test_closing_ends_what_runs_and_later_calls(rig: Rig) -> None:
    rig.plays(Hang())
    completion = rig.completion()
    calling = asyncio.ensure_future(completion.complete(REQUEST, timeout_s=PATIENCE_S))
    await until(rig.requests, "the request is there")
    await completion.close()
    outcome = await calling
    assert isinstance(outcome, NotCompleted)
    assert outcome.reason == "closed"
    await rig.until_gone()
    later = await completion.complete(REQUEST, timeout_s=PATIENCE_S)
    listed = await completion.models(timeout_s=PATIENCE_S)
    assert isinstance(later, NotCompleted)
    assert isinstance(listed, NotCompleted)
    assert later.reason == listed.reason == "closed"


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (Status(429), "rate_limited"),
        (Status(500), "refused"),
        (Status(404), "refused"),
        (Cut(), ""),
    ],
)
async def test_no_failure_tells_what_was_asked_or_answered(
    rig: Rig, step: Status | Cut, reason: str
) -> None:
    rig.plays(step)
    outcome = await refused(rig)
    assert outcome.reason == (reason or ("unreachable" if rig.provider in SERVERS else "refused"))
    assert outcome.detail
    for secret in (SERVERS_TEXT, KEY, "5433", "List the facts"):
        assert secret not in outcome.detail


async def test_a_write_transaction_cannot_call_the_model(
    rig: Rig, tmp_path_factory: pytest.TempPathFactory
) -> None:
    completion = rig.completion()

    def work(_: WriteTx) -> None:
        # Started by hand, as a transaction has no event loop to wait in.
        completion.complete(REQUEST, timeout_s=PATIENCE_S).send(None)

    async with bench(tmp_path_factory.mktemp("store")) as store:
        with pytest.raises(RuntimeError, match="transaction"):
            await store.db.write(work)
    assert not rig.requests()


async def test_the_models_are_listed_where_the_provider_can(rig: Rig) -> None:
    rig.plays(Say(""))
    listed = await rig.completion().models(timeout_s=PATIENCE_S)
    assert listed == (("big", "small") if rig.provider in SERVERS else ())
