"""What was said while capture was paused never comes in: not live, from the spool, or later."""

import json
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import pytest
import structlog
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.sessions import HARNESS, House
from fakes.store import MovableClock, bench, change_context
from intaglio.base.clock import iso
from intaglio.base.ids import uuid7_source
from intaglio.harness.connected_tools import ConnectedTools
from intaglio.harness.dispatch import Dispatch
from intaglio.harness.registry import harnesses
from intaglio.harness.transcript_files import TranscriptFiles
from intaglio.pauses.values import Pause
from intaglio.sessions.open_sessions import OpenSessions

NAMES = ("one", "two")


@dataclass
class Scene:
    """A user with sessions of Claude Code, a daemon that may be away, and what should be kept."""

    folder: Path
    house: House
    said: dict[str, datetime] = field(default_factory=dict[str, datetime])
    spooled: int = 0

    @property
    def now(self) -> datetime:
        return self.house.bench.clock()

    @property
    def dispatch(self) -> Dispatch:
        house = self.house
        return Dispatch(
            harnesses=harnesses(),
            starts=house.starts,
            prompts=house.prompts,
            edits=house.edits,
            ends=house.ends,
            checkpoints=house.checkpoints,
            transcripts=TranscriptFiles(harnesses(), lambda _: [self.folder / "projects"]),
            open_sessions=OpenSessions(house.bench.db),
            tools=ConnectedTools(OpenSessions(house.bench.db), lambda _: False),
            spool=self.folder / "spool",
            log=structlog.get_logger(),
        )

    def transcript(self, session: str) -> Path:
        file = self.folder / "projects" / "-p" / f"{session}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def say(self, session: str, *, timed: bool = True) -> str:
        """Let the user decide something now."""
        number = len(self.said)
        # Each about something of its own: what is said later in a session replaces the earlier.
        name = "".join(chr(ord("a") + int(digit)) for digit in f"{number:04}")
        text = f"We decided to use lib{name} for the {name}parser."
        self.said[text] = self.now
        record = {
            "type": "user",
            "uuid": f"message-{number}",
            "sessionId": session,
            "cwd": "/p",
            "message": {"role": "user", "content": text},
        }
        with self.transcript(session).open("a") as stream:
            stream.write(
                json.dumps(record | ({"timestamp": iso(self.now)} if timed else {})) + "\n"
            )
        return text

    async def hook(self, session: str, event: str) -> None:
        """Tell the daemon of an event."""
        body = {
            "hook_event_name": event,
            "session_id": session,
            "cwd": "/p",
            "transcript_path": str(self.transcript(session)),
        }
        await self.dispatch.answer(HARNESS, json.dumps(body).encode())
        await self.house.settle()

    def leave(self, session: str, event: str) -> None:
        """Leave an event in the spool, as the hook does while the daemon is away."""
        self.spooled += 1
        entry = {
            "harness": HARNESS,
            "event": event,
            "session": session,
            "cwd": "/p",
            "transcript_path": str(self.transcript(session)),
            "time": self.now.timestamp(),
        }
        (self.folder / "spool").mkdir(exist_ok=True)
        (self.folder / "spool" / f"{self.spooled:020d}-1.json").write_text(json.dumps(entry))

    async def wait(self, minutes: float) -> None:
        """Let time pass; the daemon looks after what it missed now and then."""
        self.house.bench.clock.forward(minutes=minutes)

    async def look(self) -> None:
        """Do what the daemon does at its start and now and then."""
        await self.house.pauses.refresh()
        await self.dispatch.drain()
        await self.dispatch.catch_up()

    async def kept(self) -> list[str]:
        return await self.house.contents()

    def said_outside(self, pauses: Iterable[Pause]) -> list[str]:
        """Name what was said while nothing was paused."""
        known = list(pauses)
        return [
            text
            for text, moment in self.said.items()
            if not any(pause.contains(moment) for pause in known)
        ]


@asynccontextmanager
async def scene(folder: Path) -> AsyncGenerator[Scene]:
    async with bench(folder) as opened:
        yield Scene(folder, House(opened))


@pytest.fixture
async def user(tmp_path: Path) -> AsyncGenerator[Scene]:
    async with scene(tmp_path) as found:
        yield found


async def test_nothing_is_captured_while_paused(user: Scene) -> None:
    await user.house.pauses.pause(None, "me")
    user.say("one")
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"):
        await user.hook("one", event)
    assert await user.kept() == []
    assert await user.house.rows("SELECT id FROM sessions") == []


async def test_the_next_turn_after_the_pause_brings_its_own_message_alone(user: Scene) -> None:
    await user.house.pauses.pause(None, "me")
    user.say("one")
    await user.hook("one", "Stop")
    await user.wait(1)
    await user.house.pauses.resume()
    after = user.say("one")
    await user.hook("one", "Stop")
    assert await user.kept() == [after]
    position = await user.house.rows("SELECT transcript_position FROM sessions")
    assert position == [(str(user.transcript("one").stat().st_size),)]


async def test_a_turn_across_a_pause_is_split_by_message_times(user: Scene) -> None:
    await user.hook("one", "SessionStart")
    before = user.say("one")
    await user.wait(1)
    await user.house.pauses.pause(user.now + timedelta(minutes=15), "me")
    await user.wait(1)
    user.say("one")
    await user.hook("one", "Stop")
    assert await user.kept() == []
    await user.wait(15)
    await user.look()
    assert await user.kept() == [before]


async def test_the_spool_waits_while_paused_and_is_judged_by_time(user: Scene) -> None:
    before = user.say("one")
    user.leave("one", "Stop")
    await user.wait(1)
    await user.house.pauses.pause(user.now + timedelta(minutes=15), "me")
    await user.wait(1)
    user.say("two")
    user.leave("two", "Stop")
    user.leave("two", "SessionEnd")
    assert await user.dispatch.drain() == 0
    await user.wait(15)
    assert await user.dispatch.drain() == 3
    assert await user.kept() == [before]
    assert await user.house.rows("SELECT id FROM sessions") == [("one",)]


async def test_an_end_during_a_pause_is_not_recorded_later(user: Scene) -> None:
    await user.hook("one", "SessionStart")
    await user.house.pauses.pause(user.now + timedelta(minutes=15), "me")
    await user.wait(1)
    user.leave("one", "SessionEnd")
    await user.wait(20)
    assert await user.dispatch.drain() == 1
    assert await user.house.rows("SELECT ended_at FROM sessions") == [(None,)]


async def test_a_message_without_a_time_written_in_a_pause_is_not_captured(user: Scene) -> None:
    await user.hook("one", "SessionStart")
    user.say("one")
    await user.hook("one", "Stop")
    await user.wait(5)
    await user.house.pauses.pause(user.now + timedelta(minutes=15), "me")
    await user.wait(5)
    user.say("one", timed=False)
    await user.wait(20)
    await user.look()
    assert len(await user.kept()) == 1
    await user.wait(5)
    user.say("one", timed=False)
    await user.hook("one", "Stop")
    assert len(await user.kept()) == 2


Step = tuple[str, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            (
                *("say", "say", "say", "untimed", "start", "stop", "stop", "end", "spool"),
                *("spool end", "pause", "pause for", "pause for", "resume", "wait", "look"),
                "restart",
            )
        ),
        st.integers(0, 9),
    ),
    min_size=4,
    max_size=25,
)


async def step(user: Scene, what: str, number: int) -> None:
    name = NAMES[number % len(NAMES)]
    pauses = user.house.pauses
    match what:
        case "say":
            user.say(name)
        case "start" | "stop" | "end":
            await user.hook(
                name, {"start": "SessionStart", "stop": "Stop", "end": "SessionEnd"}[what]
            )
        case "spool":
            user.leave(name, "Stop")
        case "spool end":
            user.leave(name, "SessionEnd")
        case "pause":
            await pauses.pause(None, "me")
        case "pause for":
            await pauses.pause(user.now + timedelta(minutes=1 + number), "me")
        case "resume":
            await pauses.resume()
        case "look":
            await user.look()
        case _:
            await user.wait(number / 2)


async def play(steps: list[Step], folder: Path, *, untimed: bool) -> None:
    said: dict[str, datetime] = {}
    without: set[str] = set()
    clock = MovableClock()
    spooled = 0
    left = list(steps)
    while True:
        async with bench(folder) as opened:
            opened.clock.moment = clock.moment
            # The numbers of another opening would come again.
            opened.context = change_context(opened.clock, uuid7_source(opened.clock))
            user = Scene(folder, House(opened), said, spooled)
            while left and left[0][0] != "restart":
                what, number = left.pop(0)
                if what == "untimed":
                    text = user.say(NAMES[number % 2], timed=not untimed)
                    without.add(text)
                else:
                    await step(user, what, number)
                # Two things never happen in one millisecond.
                user.house.bench.clock.forward(milliseconds=7)
            if not left:
                await end(user, without if untimed else set())
                return
            left.pop(0)
            clock.moment, spooled = opened.clock.moment, user.spooled


async def end(user: Scene, without: set[str]) -> None:
    """Resume, let every session tell of its last turn, and compare."""
    await user.house.pauses.resume()
    await user.wait(1)
    for name in NAMES:
        await user.hook(name, "Stop")
    await user.look()
    expected = set(user.said_outside(await user.house.pauses.latest(100)))
    kept = await user.kept()
    assert len(kept) == len(set(kept))
    # One without a time may be left out though it was said outside, never the other way round.
    assert expected - without <= set(kept) <= expected


def run(steps: list[Step], parent: Path, *, untimed: bool) -> None:
    # Each example has a folder of its own, in memory like those of all tests.
    with TemporaryDirectory(dir=parent) as folder:
        anyio.run(lambda: play(steps, Path(folder), untimed=untimed))


@settings(max_examples=60)
@given(steps=STEPS)
def test_exactly_the_statements_outside_pauses_are_captured(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step]
) -> None:
    run(steps, tmp_path_factory.getbasetemp(), untimed=False)


@pytest.mark.slow
@settings(max_examples=40)
@given(steps=STEPS)
def test_nothing_said_in_a_pause_is_captured_where_times_are_missing(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step]
) -> None:
    run(steps, tmp_path_factory.getbasetemp(), untimed=True)
