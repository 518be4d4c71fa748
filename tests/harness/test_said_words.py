"""What a user says to Claude Code is captured, whatever it stands beside and however it's said."""

import json
from collections.abc import AsyncGenerator, Iterable
from pathlib import Path
from typing import Any

import pytest

from fakes.sessions import HARNESS, House
from fakes.store import bench
from harness.test_dispatch import Desk
from intaglio.harness.asked_prompts import AskedPrompts

# As version 2.1.330 writes them.
COMMON = {"isSidechain": False, "userType": "external", "cwd": "/p", "version": "2.1.330"}
TYPED: dict[str, Any] = {
    "promptSource": "typed",
    "turnOrigin": "human",
    "origin": {"kind": "human"},
}
LOGIN = "Which login should we use?"
QUESTION = {"question": LOGIN, "options": [{"label": "Own table"}, {"label": "Auth0"}]}


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncGenerator[Desk]:
    async with bench(tmp_path) as opened:
        yield Desk(House(opened), tmp_path)


def record(content: object, number: int = 1, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {
        **COMMON,
        "type": "user",
        "uuid": f"u{number}",
        "sessionId": "s",
        "timestamp": "2026-01-30T10:00:00.000Z",
        "message": {"role": "user", "content": content},
        **more,
    }


def answers(**answer: str) -> list[dict[str, Any]]:
    use: dict[str, Any] = {"type": "tool_use", "id": "t1", "name": "AskUserQuestion", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "The user answered: …"}
    asked = {**record([use], 0), "type": "assistant"}
    told = {"questions": [QUESTION], "answers": {LOGIN: answer["login"]}, "annotations": {}}
    return [asked, record([result], 1, toolUseResult=told)]


async def capture(desk: Desk, records: Iterable[object]) -> tuple[list[str], list[str]]:
    """Return what is kept and what is suggested of a session with these records."""
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in records]
    desk.transcript("s").write_bytes(b"\n".join(lines) + b"\n")
    await desk.report("Stop", "s")
    await desk.report("SessionEnd", "s")
    suggested = await desk.house.rows("SELECT content FROM inbox_items WHERE status = 'open'")
    return await desk.stored(), [str(content) for (content,) in suggested]


@pytest.mark.parametrize(
    ("records", "kept"),
    [
        (
            answers(login="Neither. We decided to use Keycloak for login, never our own table."),
            "We decided to use Keycloak for login, never our own table.",
        ),
        (
            [
                record(
                    "<command-message>discuss</command-message>\n"
                    "<command-name>/discuss</command-name>\n"
                    "<command-args>We decided to host the docs on Cloudflare Pages.</command-args>",
                    turnOrigin="sdk",
                ),
                record(
                    [{"type": "text", "text": "Discuss this.\nAlways be brief."}], 2, isMeta=True
                ),
            ],
            "We decided to host the docs on Cloudflare Pages.",
        ),
        (
            [record("[Image #1] From now on the sidebar is always on the left.")],
            "From now on the sidebar is always on the left.",
        ),
        (
            [record("@docs/style.md Never use gradients in the dashboard.")],
            "Never use gradients in the dashboard.",
        ),
        (
            [record("<Button> must always get an aria-label in this project.", **TYPED)],
            "<Button> must always get an aria-label in this project.",
        ),
        (
            [record("<user-memory-input>always use pnpm in this repo.</user-memory-input>")],
            "always use pnpm in this repo.",
        ),
        (
            [
                json.dumps(record("We decided to keep the HALF parser strict."))
                .replace("HALF", r"\ud83d")
                .encode()
            ],
            "We decided to keep the \ufffd parser strict.",
        ),
        (
            [
                record(
                    [
                        {"type": "image", "source": {"data": "A" * 2_600_000}},
                        {"type": "image", "source": {"data": "B" * 2_600_000}},
                        {
                            "type": "text",
                            "text": "[Image #1] [Image #2] We decided to use the second mockup's "
                            "palette for all charts.",
                        },
                    ]
                )
            ],
            "We decided to use the second mockup's palette for all charts.",
        ),
    ],
    ids=["answer", "command", "image", "file", "tag", "memory", "half", "screenshots"],
)
async def test_an_answer_is_kept(desk: Desk, records: list[object], kept: str) -> None:
    assert await capture(desk, records) == ([kept], [])


async def test_an_option_stands_with_its_question(desk: Desk) -> None:
    kept, suggested = await capture(desk, answers(login="Auth0"))
    assert [*kept, *suggested] == ["Use Auth0 as the login."]


async def test_a_short_answer_of_the_users_own_stands_with_its_question(desk: Desk) -> None:
    kept, suggested = await capture(desk, answers(login="Keycloak"))
    assert [*kept, *suggested] == ["Use Keycloak as the login."]


async def test_the_session_page_shows_an_answer_with_its_question(desk: Desk) -> None:
    await capture(desk, answers(login="Auth0"))
    bench = desk.house.bench
    prompts = AskedPrompts(desk.dispatch.transcripts, bench.db, bench.clock)
    found = await prompts.read(HARNESS, "s", str(desk.transcript("s")))
    assert [each.text for each in found.prompts] == [f"{LOGIN}\nAuth0"]


@pytest.mark.parametrize("event", ["UserPromptSubmit", "SessionStart", "Stop", "SessionEnd"])
@pytest.mark.parametrize(
    "field",
    [
        r'"last_assistant_message": "Fixed \ud83d"',
        r'"prompt": "Which database? \ud83d"',
        r'"effort": {"level": "\udc00"}',
        '"agent_type": 5, "prompt_id": 7, "source": null',
        '"permission_mode": ' + "[" * 9_000 + "]" * 9_000,
    ],
)
async def test_an_event_is_handled_whatever_its_other_fields_hold(
    desk: Desk, event: str, field: str
) -> None:
    desk.say("s", "We decided to use Postgres for the ledger.")
    body = desk.payload(event).decode().removesuffix("}") + f", {field}}}"
    await desk.dispatch.answer(HARNESS, body.encode())
    await desk.report("Stop", "s")
    assert await desk.stored() == ["We decided to use Postgres for the ledger."]
