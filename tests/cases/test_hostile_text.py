"""Further inputs: no text stops the daemon, neither by what it costs nor by what it holds."""

import asyncio
import json
import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest
from _pytest.mark import ParameterSet

from cases.disk import make_repository
from cases.stage import Stage, prompt
from fakes.api import described, running_api
from fakes.daemon import NO_MODEL
from intaglio.capture.model import load_model

# Seconds of the processor, generous: what is meant takes milliseconds, what is refused a minute.
CPU_S: Final = 2
QUESTION: Final = "Which database does the ledger have?"
FACT: Final = "The ledger's database is PostgreSQL 15."

# Each text costs a process of its own.
_ONE_IN: Final = 5


def every_fifth(names: Iterable[str]) -> list[str | ParameterSet]:
    """Return the names as parameters, of which most are slow."""
    return [
        pytest.param(name, marks=pytest.mark.slow) if number % _ONE_IN else name
        for number, name in enumerate(names)
    ]


LONG_WORDS: Final = {
    "accents": "é" * 20_000,
    "Cyrillic": "ж" * 17_000,
    "Cyrillic behind a letter": "a" + "ж" * 17_000,
    "Georgian": "ა" * 11_000,
    "Ethiopic": "አ" * 11_000,
    "Hangul": "한" * 11_000,
    "Thai": "ก" * 12_000,
    "Greek with digits": "λ1" * 12_000,
    "Devanagari": "क" * 11_000,
    "Hebrew": "ש" * 16_500,
    "mathematical letters": "\N{MATHEMATICAL BOLD CAPITAL A}" * 9_000,
    "Armenian behind a digit": "7" + "\N{ARMENIAN SMALL LETTER AYB}" * 16_400,
    "Latin letters": "x" * 40_000,
}


@pytest.mark.parametrize("name", every_fifth(LONG_WORDS))
async def test_a_long_word_does_not_poison_the_index(
    own_home: Path, tmp_path: Path, one_model: None, name: str
) -> None:
    del one_model
    async with running_api(tmp_path) as api:
        for number in range(2):
            body = {"content": f"Dump {number}: {LONG_WORDS[name]} ends here."}
            # It may be refused, but it must not poison.
            await api.client.post("/api/memory/remember", json=body)
        await api.remember(FACT, project=str(own_home / "shop"))
    async with running_api(tmp_path) as api:
        stage = Stage(api, own_home)
        assert FACT in await stage.ask(own_home / "shop", QUESTION)
        found = await api.recall(QUESTION, project=str(own_home / "shop"))
        assert FACT in [each["content"] for each in found]
        reply = await api.client.get("/memory/search", params={"q": "ledger"})
        assert reply.status_code == 200, reply.text
        reply = await api.client.post(
            "/api/memory/recall", json={"query": LONG_WORDS[name][:9_000]}
        )
        assert reply.status_code == 200, reply.text


Work: TypeAlias = Callable[[Stage, str], Awaitable[object]]


def within(cpu_s: int, home: Path, works: Mapping[str, Work], text: str) -> dict[str, float]:
    """Do the works, in a process that the system ends once it has used so much of the processor.

    Returns the seconds of the processor that each of them took.
    """
    # Loaded once: a child has what its parent has.
    load_model()
    costs = home / "costs.json"
    costs.write_text("{}")
    child = multiprocessing.get_context("fork").Process(
        target=_limited, args=(cpu_s, home, works, text)
    )
    child.start()
    child.join()
    found: dict[str, float] = json.loads(costs.read_text())
    if child.exitcode == -signal.SIGKILL:
        return {**found, f"what comes after {list(found)}": float(cpu_s)}
    assert child.exitcode == 0, "it failed"
    return found


def _limited(cpu_s: int, home: Path, works: Mapping[str, Work], text: str) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    # The parent's other threads aren't here: nothing of it may run at the end.
    try:
        asyncio.run(_play(home, works, text))
    except BaseException as error:  # noqa: BLE001 - the last frame of this process
        os.write(2, f"{type(error).__name__}: {error}\n"[:2_000].encode())
        os._exit(1)
    os._exit(0)


async def _play(home: Path, works: Mapping[str, Work], text: str) -> None:
    settings = home / "app" / "agents" / "agent.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text(NO_MODEL)
    costs = dict[str, float]()
    async with running_api(home / "app") as api:
        for name, work in works.items():
            began = time.process_time()
            await work(Stage(api, home), text)
            costs[name] = time.process_time() - began
            (home / "costs.json").write_text(json.dumps(costs))


def too_dear(costs: Mapping[str, float]) -> dict[str, float]:
    return {name: cost for name, cost in costs.items() if cost > CPU_S}


async def asked(stage: Stage, text: str) -> None:
    await stage.ask(stage.folder(), text)


async def typed(stage: Stage, text: str) -> None:
    await stage.say(stage.folder(), prompt(text))


async def stored(stage: Stage, text: str) -> None:
    await stage.tool("memory_store", {"content": text}, stage.folder())


async def remembered(stage: Stage, text: str) -> None:
    reply = await stage.api.client.post("/api/memory/remember", json={"content": text})
    assert reply.status_code < 500, reply.text


async def recalled(stage: Stage, text: str) -> None:
    reply = await stage.api.client.post("/api/memory/recall", json={"query": text[:9_900]})
    assert reply.status_code < 500, reply.text


WAYS: Final[dict[str, Work]] = {
    "a prompt": asked,
    "remember": remembered,
    "recall": recalled,
    "a tool's argument": stored,
    "a message": typed,
}
SLOW: Final = {
    "blanks": " ",
    "tabs": "\t",
    "line feeds": "\n",
    "blanks and line feeds": " \n",
    "no-break spaces": "\u00a0",
    "ideographic spaces": "\u3000",
    "colons": ":",
    "labels": "文档 abc:",
    "labels without a blank": "文档abc:",
    "equals signs": "=",
    "dashes": "-",
    "full stops": ".",
    "opening tags": "<a ",
    "quotation marks": "'\"",
    "opening brackets": "([{",
    "mail addresses without an end": "a@b.",
    "addresses without an end": "https://",
    "words with dots": "a.b-",
    "digits": "1",
    "keys without values": "password ",
    "back quotes": "`",
    "commas": "foo, ",
    "conjunctions": "and ",
    "letters": "a",
    "Chinese text": "文",
}


@pytest.mark.parametrize("name", every_fifth(SLOW))
def test_no_text_takes_seconds(own_home: Path, name: str) -> None:
    unit = SLOW[name]
    part = unit * (9_000 // len(unit))
    text = f"Hello.\nFrom now on{part}always use tabs.\n- x{part}y\n{part}文档内容一律使用制表符"
    costs = within(2 * CPU_S, own_home, WAYS, text)
    assert too_dear(costs) == {}, costs


LONG: Final = ("blanks", "colons", "labels", "full stops", "dashes", "letters", "commas", "digits")


@pytest.mark.parametrize("name", every_fifth(LONG))
def test_no_long_memory_takes_seconds(own_home: Path, name: str) -> None:
    unit = SLOW[name]
    text = f"The log: {unit * (60_000 // len(unit))} 文档内容 ends."
    costs = within(2 * CPU_S, own_home, {"remember": remembered}, text)
    assert too_dear(costs) == {}, costs


CONFIGS: Final = {
    "blanks behind a remote": '[remote "origin"]\n\turl = x' + " " * 20_000 + "y\n",
    "blanks before an address": '[remote "origin"]\n\turl =' + " " * 20_000 + "\n",
    "blanks behind a section": '[remote "origin"]' + " " * 20_000 + "x\n",
    "line feeds": '[remote "origin"]\n' + "\n" * 20_000,
    "many lines without an address": '[remote "origin"]\n' + "a = b\n" * 3_300,
    "many sections without an address": '[remote "origin"]\n' * 1_100,
    "tabs": "\t" * 20_000 + "[core]\n",
    "a long address": '[remote "origin"]\n\turl = git@example.org:' + "a" * 20_000 + "\n",
    "colons and slashes": '[remote "origin"]\n\turl = ' + "a:/" * 6_600 + "\n",
    "quotation marks": '[remote "origin"]\n\turl = ' + '"' * 20_000 + "\n",
}


@pytest.mark.parametrize("name", every_fifth(CONFIGS))
def test_no_repository_takes_seconds(own_home: Path, name: str) -> None:
    costs = within(2 * CPU_S, own_home, {"a start": started_in_repository}, CONFIGS[name])
    assert too_dear(costs) == {}, costs


async def started_in_repository(stage: Stage, config: str) -> None:
    shop = make_repository(stage.home / "shop")
    (shop / ".git" / "config").write_text(config, encoding="utf-8")
    await stage.api.remember(FACT, project=str(shop))
    assert FACT in await stage.start(shop)


# What a line begins with, is filled with up to a thousand characters, and ends with.
LINES: Final = {
    "one word": ("", "a", ""),
    "many words": ("", "Never push to main, ", ""),
    "blanks": ("- Never push", " ", "to main."),
    "markup": ("", "*a_b`", ""),
    "a table": ("", "| a ", "|"),
    "sentences": ("", "Never do it. ", ""),
    "an address": ("https://example.org/", "a/b-", ""),
    "Chinese text": ("", "禁止直接推送到主分支", ""),
    "a heading with blanks": ("# Deploys", " ", "x"),
    "a heading of blanks": ("# ", " ", "x"),
    "a heading of number signs": ("# Deploys ", "#", "x"),
    "a heading of signs and blanks": ("# Deploys", " # ", "x"),
    "what is struck out": ("", "~~a", ""),
    "links without an end": ("", "[a](", ""),
    "an empty task": ("- [ ] ", " ", "x"),
    "comments without an end": ("", "<!-- a ", ""),
}


@pytest.mark.parametrize("name", every_fifth(LINES))
def test_no_line_of_an_instruction_file_takes_seconds(own_home: Path, name: str) -> None:
    first, unit, last = LINES[name]
    line = first + unit * ((980 - len(first)) // len(unit)) + last
    costs = within(2 * CPU_S, own_home, {"a start": started_with_instructions}, line)
    assert too_dear(costs) == {}, costs


async def started_with_instructions(stage: Stage, line: str) -> None:
    shop = stage.folder()
    (shop / "CLAUDE.md").write_text(f"# Rules\n\n{line}\n" * 20, encoding="utf-8")
    for number in range(8):
        await stage.api.remember(f"Room {number} seats {number + 3} people.", project=str(shop))
    assert "Room 3" in await stage.start(shop)


ODD_VALUES: Final = {
    "a NUL": "%00",
    "a NUL in a word": "a%00b",
    "a control character": "%01",
    "no UTF-8": "%FF",
    "half an emoji": "%ED%A0%BD",
    "a character that is cut short": "x%E2%82",
}


def _questions() -> list[tuple[str, str]]:
    """Return the path of every GET and each of its parameters that takes text."""
    document = json.loads(described())
    shared: dict[str, Any] = document["components"].get("parameters", {})
    paths: dict[str, Any] = document["paths"]
    found = list[tuple[str, str]]()
    for path, operations in paths.items():
        if path.endswith(("/events", "/stream")):
            continue
        for each in operations.get("get", {}).get("parameters", ()):
            given = shared[each["$ref"].rpartition("/")[2]] if "$ref" in each else each
            if given["in"] == "query" and "string" in json.dumps(given["schema"]):
                found.append((path, str(given["name"])))
    return found


@pytest.mark.parametrize("name", ODD_VALUES)
async def test_no_parameter_is_an_unexpected_error(stage: Stage, name: str) -> None:
    await stage.api.remember(FACT)
    asked_of = _questions()
    assert len(asked_of) > 20
    broken = list[str]()
    for path, parameter in asked_of:
        known = path.replace("{", "").replace("}", "")
        url = f"{known}?{parameter}={ODD_VALUES[name]}"
        reply = await stage.api.client.get(url, headers=stage.api.owner)
        if reply.status_code >= 500:
            broken.append(f"{url}: {reply.status_code}")
    assert broken == []


@pytest.mark.parametrize("parameter", ["q", "type", "project", "agentId"])
async def test_a_nul_in_a_question_about_entities_is_refused(stage: Stage, parameter: str) -> None:
    reply = await stage.api.client.get(f"/api/knowledge/entities?{parameter}=a%00")
    assert reply.status_code < 500, reply.text
    if parameter == "q":
        assert reply.status_code == 400
