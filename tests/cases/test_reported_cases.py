"""The inputs of real users' reports that failed here once, each with the expected result."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from cases.disk import make_repository, make_submodule
from cases.stage import Record, Stage, check, holds, prompt, reply, shared, shared_lines
from fakes.connect_home import make_home
from intaglio.connect.values import ConnectionApplied

FLYWAY = "From now on we run all migrations with Flyway, never by hand."


async def remember(stage: Stage, project: Path, *contents: str) -> None:
    for content in contents:
        await stage.api.remember(content, project=str(project))


async def play(stage: Stage, name: str, folder: Path) -> None:
    """Play a transcript case in a session of its own."""
    await stage.say(folder, *({**line, "cwd": str(folder)} for line in shared_lines(name)))


class TestC1:
    """What stands around a question doesn't hide the memory that answers it."""

    @pytest.mark.parametrize("name", ["git-status", "code-block", "marked-paste"])
    async def test_a_question_with_more_is_answered_as_without(
        self, stage: Stage, name: str
    ) -> None:
        case, shop = shared(f"c1-question-with-{name}"), stage.folder()
        await remember(stage, shop, *case["memories"])
        rooms = [f"Meeting room {number} seats {number + 3} people." for number in range(60)]
        await remember(stage, shop, *rooms)
        await stage.embed()
        for each in (*case["control"], *case["prompts"]):
            assert each["expected_injected"] in await stage.ask(shop, each["prompt"]), each

    async def test_a_query_behind_an_agents_preamble_finds_the_memory(self, stage: Stage) -> None:
        case, shop = shared("c1-mcp-query-with-preamble"), stage.folder()
        await remember(stage, shop, *case["memories"])
        text, failed = await stage.tool("memory_search", case["arguments"], shop)
        assert not failed
        first, *_ = json.loads(text)["results"]
        assert first["content"] == case["expected_first"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("reviewer", ("Never approve", "Always respond")),
        ("commit-message", ("Always answer", "Never use emojis")),
        ("nightly", ("treat every warning",)),
    ],
)
async def test_c2_a_role_prompt_becomes_no_memory(
    stage: Stage, name: str, words: tuple[str, ...]
) -> None:
    shop = make_repository(stage.home / "shop")
    await play(stage, f"c2-headless-{name}", shop)
    await check(stage, {"not_saved": words})
    told = await stage.start(shop)
    assert not [word for word in words if word in told]


async def test_c3_a_typed_answer_is_captured(stage: Stage) -> None:
    await play(stage, "c3-ask-user-question-typed-answer", stage.folder())
    await check(stage, {"captured": [["Keycloak"]]})


async def test_c3_words_behind_a_slash_command_are_captured(stage: Stage) -> None:
    await play(stage, "c3-slash-command-arguments", stage.folder())
    await check(stage, {"captured": [["Cloudflare Pages"]], "nowhere": ["Always be brief"]})


async def test_c4_a_typed_prompt_that_begins_with_markup_is_captured(stage: Stage) -> None:
    await play(stage, "c4-prompt-starts-with-tag", stage.folder())
    await check(stage, {"captured": [["aria-label"]]})


async def test_c4_text_beside_screenshots_is_captured_however_large_they_are(stage: Stage) -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "A" * 2_600_000}
    image = {"type": "image", "source": source}
    text = {"type": "text", "text": shared("c4-two-screenshots")["text"]}
    await stage.say(stage.folder(), prompt([image, image, text]), reply("OK."))
    await check(stage, {"captured": [["second mockup's palette"]]})


async def test_c4_half_an_emoji_in_a_line_does_not_lose_the_message(stage: Stage) -> None:
    line = shared("c4-lone-surrogate-in-user-line")["transcript_line_raw"]
    shop = stage.folder()
    await stage.say(shop, line.replace('"S"', '"surrogate"'), session="surrogate")
    await check(stage, {"captured": [["We decided to keep the \ufffd parser strict"]]})


async def test_c4_hooks_with_half_an_emoji_are_accepted(stage: Stage) -> None:
    case, shop = shared("c4-lone-surrogate-in-hook"), stage.folder()
    await remember(stage, shop, "The ledger's database is PostgreSQL 15.")
    stage.write("s1", shop, [prompt(FLYWAY)])
    bodies = (case["prompt_hook_raw"], case["stop_hook_raw"])
    for body in bodies:
        own = body.replace('"S"', '"s1"').replace('"/P"', json.dumps(str(shop)))
        own = own.replace('"/T"', json.dumps(str(stage.transcript("s1"))))
        found = await stage.raw_hook(own.encode())
        assert found.status_code == 200, found.text
    assert holds(await stage.contents(), ["Flyway"])
    body = b'{"harness": "openclaw", "content": "The \\ud83d flag is broken"}'
    kind = {"content-type": "application/json"}
    found = await stage.api.client.post("/api/hooks/remember", content=body, headers=kind)
    assert found.status_code == 200, found.text
    assert holds(await stage.contents(), ["flag is broken"])


async def test_c5_a_folder_that_the_agent_entered_is_not_another_project(stage: Stage) -> None:
    cookbook = stage.folder("cookbook")
    soups = stage.folder("cookbook/recipes/soups")
    lines = shared_lines("c5-cd-into-subfolder-of-plain-folder")
    place = {"/home/me/cookbook": cookbook, "/home/me/cookbook/recipes/soups": soups}
    await stage.hook("SessionStart", "s1", cookbook, source="startup")
    for line in lines:
        folder = place[line["cwd"]]
        stage.write("s1", folder, [{**line, "sessionId": "s1", "cwd": str(folder)}])
        if line["type"] == "assistant":
            await stage.hook("Stop", "s1", folder)
    await stage.hook("SessionEnd", "s1", soups, reason="prompt_input_exit")
    told = await stage.start(cookbook)
    assert "amounts in grams" in told
    assert "sponsored recipes" in told


async def test_c5_a_submodule_that_the_agent_entered_is_not_another_project(stage: Stage) -> None:
    platform = make_repository(stage.home / "platform", "git@example.org:me/platform.git")
    billing = make_submodule(platform, "services/billing", "git@example.org:me/billing.git")
    await stage.hook("SessionStart", "s1", platform, source="startup")
    await stage.hook("UserPromptSubmit", "s1", billing, prompt=FLYWAY)
    stage.write("s1", billing, [prompt(FLYWAY), reply()])
    await stage.finish("s1", billing)
    assert FLYWAY in await stage.start(platform)


@pytest.mark.parametrize(
    "name", ["everywhere-in-the-api", "all-projects-in-this-monorepo", "utc-everywhere"]
)
async def test_c6_everywhere_within_a_project_belongs_to_it(stage: Stage, name: str) -> None:
    await _stays_here(stage, f"c6-{name}")


async def test_c6_globally_within_a_project_belongs_to_it(stage: Stage) -> None:
    await _stays_here(stage, "c6-globally-strict")


async def _stays_here(stage: Stage, name: str) -> None:
    shop = stage.folder()
    await play(stage, name, shop)
    captured = await stage.captured()
    assert captured
    assert {each["project"] for each in captured} == {str(shop)}


async def test_c7_a_moved_repository_keeps_its_memory(stage: Stage) -> None:
    old = make_repository(stage.home / "code" / "app", "git@github.com:acme/app.git")
    await stage.remember("Deploy only from the release branch.", old)
    new = stage.home / "work" / "app"
    new.parent.mkdir()
    shutil.move(old, new)
    told = await stage.start(new)
    assert "release branch" in told or "moved" in told


async def test_c9_null_is_what_is_left_out(stage: Stage) -> None:
    case = shared("c9-mcp-null-optionals")
    text, failed = await stage.tool(case["name"], case["arguments"], stage.folder())
    assert not failed, text
    assert await stage.contents() == [case["arguments"]["content"]]


async def test_c9_a_number_may_be_text(stage: Stage) -> None:
    case = shared("c9-mcp-number-as-string")
    shop = stage.folder()
    await remember(stage, shop, "Feature flags live in flags.json.")
    text, failed = await stage.tool(case["name"], case["arguments"], shop)
    assert not failed, text
    assert json.loads(text)["count"] == 1


async def test_c10_what_is_said_instead_replaces(stage: Stage) -> None:
    case, shop = shared("c10-instead-of"), stage.folder()
    await stage.say(shop, prompt(case["session1"], at="2026-11-24T10:00:00.000Z"))
    await stage.say(shop, prompt(case["session2"]))
    told = await stage.start(shop)
    assert case["session2"] in told
    lines = [line for line in told.splitlines() if case["session1"] in line]
    assert all("replaced" in line for line in lines), told


async def test_c10_statements_about_different_things_do_not_contradict(stage: Stage) -> None:
    case, shop = shared("c10-false-contradiction"), stage.folder()
    await stage.say(shop, prompt(case["session1"], at="2026-11-24T10:00:00.000Z"))
    await stage.say(shop, prompt(case["session2"]))
    assert len(await stage.contents()) == 2
    assert [item["kind"] for item in await stage.inbox()] == []


async def test_c11_a_hebrew_word_is_found_without_its_article(stage: Stage) -> None:
    case, shop = shared("c11-hebrew-article"), stage.folder()
    await remember(stage, shop, case["memory"])
    found = await stage.api.recall(case["query"], project=str(shop))
    assert [each["content"] for each in found] == [case["memory"]]


async def test_c11_chinese_prompts_that_nothing_answers_are_told_nothing(stage: Stage) -> None:
    case, shop = shared("c11-chinese-noise"), stage.folder()
    await remember(stage, shop, *case["memories"])
    await stage.embed()
    told = [await stage.ask(shop, each) for each in case["unrelated_prompts"]]
    assert told == [""] * len(told)
    found = await stage.api.recall(case["question"], project=str(shop))
    assert found[0]["content"] == case["expected_first"]


@pytest.fixture
def kiritimati(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Pacific/Kiritimati")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("kiritimati")
async def test_c12_a_session_is_told_local_days(stage: Stage) -> None:
    shop = stage.folder()
    said = "We decided to deploy on Fridays only."
    await stage.say(shop, prompt(said, at="2026-11-25T18:16:00.000Z"))
    told = await stage.start(shop)
    assert said in told
    assert "2026-11-26" in told
    assert "2026-11-25" not in told


@pytest.mark.parametrize("state_too", [False, True], ids=["clone", "clone and state"])
def test_c13_hooks_whose_program_is_gone_end_silently(tmp_path: Path, *, state_too: bool) -> None:
    # What stands in the client's settings runs as it stands there: in exec form, or by a shell.
    home = make_home(tmp_path)
    clone = tmp_path / "clone" / "bin" / "python3"
    clone.parent.mkdir(parents=True)
    clone.symlink_to("/usr/bin/python3")
    assert isinstance(home.connect(str(clone)), ConnectionApplied)
    shutil.rmtree(tmp_path / "clone")
    if state_too:
        shutil.rmtree(home.paths.state)
    settings = json.loads(home.settings.read_text())
    commands = [
        hook
        for groups in settings["hooks"].values()
        for group in groups
        for hook in group["hooks"]
        if hook["type"] == "command"
    ]
    assert commands
    for hook in commands:
        done = _as_the_client_does(hook, home.folder)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), hook


def _as_the_client_does(hook: Record, folder: Path) -> "subprocess.CompletedProcess[bytes]":
    """Run a hook's command; a program that can't be started is what the client reports."""
    args: list[str] | None = hook.get("args")
    command: list[str] = (
        [hook["command"], *args] if args is not None else ["sh", "-c", hook["command"]]
    )
    env = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    payload = json.dumps({"hook_event_name": "SessionEnd", "session_id": "s1", "cwd": "/"})
    return subprocess.run(
        command, input=payload.encode(), capture_output=True, cwd=folder, env=env, check=False
    )


async def test_c14_an_images_place_is_no_part_of_a_rule(stage: Stage) -> None:
    await play(stage, "c14-image-placeholder", stage.folder())
    await check(stage, {"saved": ["From now on the sidebar is always on the left."]})


async def test_c14_a_file_that_is_mentioned_is_no_part_of_a_rule(stage: Stage) -> None:
    await play(stage, "c14-file-mention", stage.folder())
    await check(stage, {"saved": ["Never use gradients in the dashboard."]})


async def test_c15_what_was_said_last_holds_however_late_the_other_is_read(stage: Stage) -> None:
    case: dict[str, Any] = shared("c15-old-transcript-read-late")
    newer, older = (str(case[key]).split(": ")[1] for key in ("1", "2"))
    shop = stage.folder()
    await stage.say(shop, prompt(newer, at="2026-11-25T09:00:00.000Z"))
    await stage.say(shop, prompt(older, at="2026-11-05T09:00:00.000Z"))
    told = await stage.start(shop)
    assert newer in told
    assert older not in told
