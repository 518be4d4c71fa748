"""Further inputs: what the user said is read, whatever surrounds it."""

import json
from typing import Final

import pytest

from cases.stage import NATIVE, Record, Stage, check, further, holds, prompt, records_of, reply

RULE: Final = "From now on we run all migrations with Flyway, never by hand."
KINDS: Final = ("tag_prompts", "answers", "slash_arguments", "placeholders")


def _named(kind: str) -> list[object]:
    return [pytest.param(case, id=f"{kind}: {case['id']}") for case in further(kind)]


@pytest.mark.parametrize("case", [each for kind in KINDS for each in _named(kind)])
async def test_the_users_words_are_captured_and_nothing_else(stage: Stage, case: Record) -> None:
    await stage.say(stage.folder(), *records_of(case))
    await check(stage, case)


def line(text: str, **more: object) -> bytes:
    """Return a prompt's line as bytes, of a session that a test names ``odd``."""
    return json.dumps({**prompt(text), "uuid": "u1", "sessionId": "odd", **more}).encode()


FLYWAY: Final = line(RULE)
ODD_LINES: Final = {
    "half an emoji at the start": line("\udc4d " + RULE),
    "halves of an emoji in the wrong order": line(RULE.replace("Flyway", "Flyway \udc4d\ud83d")),
    "half an emoji in a field that is not used": line(RULE, gitBranch="feat/\ud83d"),
    "half an emoji in the name of a field": line(RULE, **{"x\udc4d": 1}),
    "a byte of Latin-1": line("A caf=: " + RULE).replace(b"caf=", b"caf\xe9"),
    "a sequence that is cut short": line(RULE.replace("hand.", "hand = .")).replace(
        b"hand =", b"hand \xe2\x82"
    ),
    "half an emoji in the bytes": line(RULE.replace("hand.", "hand = .")).replace(
        b"hand =", b"hand \xed\xa0\xbd"
    ),
    "an odd byte in a field that is not used": line(RULE, slug="a=b").replace(b"a=b", b"a\xffb"),
}


@pytest.mark.parametrize("name", ODD_LINES)
async def test_a_line_with_odd_characters_is_read(stage: Stage, name: str) -> None:
    await stage.say(stage.folder(), ODD_LINES[name], session="odd")
    assert holds([str(each["content"]) for each in await stage.captured()], ["Flyway"])


@pytest.mark.parametrize("odd", [b"\xff\xfe not JSON", b'{"type": "assistant", "x": "\xed\xa0\xbd'])
async def test_an_odd_line_does_not_lose_the_next_one(stage: Stage, odd: bytes) -> None:
    await stage.say(stage.folder(), odd, FLYWAY, session="odd")
    assert holds(await stage.contents(), ["Flyway"])


IMAGE: Final[Record] = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "iVBO" * 1_200_000},
}
TEXT: Final[Record] = {"type": "text", "text": RULE}
BIG: Final = "x" * 6_000_000
LONG_LINES: Final[dict[str, Record]] = {
    "text before three screenshots": prompt([TEXT, IMAGE, IMAGE, IMAGE]),
    "text between screenshots": prompt([IMAGE, TEXT, IMAGE]),
    "text behind a screenshot": prompt([IMAGE, TEXT]),
    "a document and text": prompt(
        [{"type": "document", "source": {"type": "base64", "data": BIG}}, TEXT]
    ),
    "a large field before the message": {"snapshot": BIG, **prompt(RULE)},
    "a large field behind the message": prompt(RULE, snapshot={"files": [BIG]}),
}


@pytest.mark.parametrize("name", LONG_LINES)
async def test_a_long_line_is_read(stage: Stage, name: str) -> None:
    await stage.say(stage.folder(), LONG_LINES[name], reply("OK."))
    assert holds([str(each["content"]) for each in await stage.captured()], ["Flyway"])


async def test_text_after_a_large_tool_result_is_read(stage: Stage) -> None:
    result = [{"type": "tool_result", "tool_use_id": "t1", "content": BIG}]
    await stage.say(stage.folder(), prompt(result, toolUseResult=BIG), prompt(RULE))
    assert holds(await stage.contents(), ["Flyway"])


ODD_FIELDS: Final[dict[str, dict[str, object]]] = {
    "a title": {"session_title": "fix \ud83d"},
    "what the agent said last": {"last_assistant_message": "Done \udc4d"},
    "a reason": {"reason": "other\udfff"},
    "a list that is not used": {"background_tasks": [{"description": "\ud83d"}]},
    "the name of a field": {"x\ud83d": 1},
    "an agent's type": {"effort": {"level": "\udc4d\ud83d"}},
}


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"])
@pytest.mark.parametrize("name", ODD_FIELDS)
async def test_a_hook_with_half_an_emoji_has_its_usual_effect(
    stage: Stage, name: str, event: str
) -> None:
    shop = stage.folder()
    await stage.api.remember("The ledger's database is PostgreSQL 15.", project=str(shop))
    stage.write("s1", shop, [prompt(RULE)])
    question = {"prompt": "Which database does the ledger have?", "source": "startup"}
    if event == "UserPromptSubmit":
        question["source"] = "user"
    told = await stage.hook(event, "s1", shop, **(question | ODD_FIELDS[name]))
    if event in {"SessionStart", "UserPromptSubmit"}:
        assert "PostgreSQL 15" in json.dumps(told)
    else:
        assert holds(await stage.contents(), ["Flyway"])


@pytest.mark.parametrize("odd", [b"\xff", b"\xe2\x82", b"\xed\xa0\xbd", b"\\ud83d", b"\\udc4d x"])
async def test_a_prompt_with_odd_bytes_is_answered(stage: Stage, odd: bytes) -> None:
    shop = stage.folder()
    await stage.api.remember("The ledger's database is PostgreSQL 15.", project=str(shop))
    body = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s1",
        "cwd": str(shop),
        "prompt": "Which database does the ledger have? =",
    }
    raw = json.dumps(body).encode().replace(b"? =", b"? " + odd)
    found = await stage.raw_hook(raw)
    assert found.status_code == 200, found.text
    assert b"PostgreSQL 15" in found.content


CONTRACT: Final[dict[str, Record]] = {
    "session-start": {"sessionKey": "k1", "title": "\ud83d"},
    "user-prompt-submit": {"userMessage": "Which database? \ud83d"},
    "recall": {"query": "database \udc4d"},
    "remember": {"content": "The \udc4d flag is broken"},
    "session-end": {"sessionKey": "k1", "reason": "\ud83d"},
}


@pytest.mark.parametrize("name", CONTRACT)
async def test_the_contracts_hooks_accept_half_an_emoji(stage: Stage, name: str) -> None:
    body = json.dumps({"harness": "openclaw", **CONTRACT[name]}).encode()
    found = await stage.api.client.post(
        NATIVE.partition("native")[0] + name,
        content=body,
        headers={"content-type": "application/json"},
    )
    assert found.status_code == 200, found.text
