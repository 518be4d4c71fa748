"""Random histories on both sides: equal at the end or asked about, and nothing of a user lost."""

import asyncio
import random
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from fakes.workspace import USER, SyncedWorkspace, sections, synced_workspace
from intaglio.connect.managed_block import (
    ManagedBlock,
    NoBlock,
    find_block,
    is_blank,
    strip_block,
)
from intaglio.workspace import rows
from intaglio.workspace.values import BlockTarget

NAMES = ("AGENTS.md", "SOUL.md", "USER.md")
OWN = "agents/ann/SOUL.md"
LINE = re.compile(rb"line-\d+-end")


@dataclass
class Model:
    """What users have written, and what they have deleted themselves.

    ``outside`` is what stands outside of the block of each target, ``former`` what a file held
    before its last edit.
    """

    synced: SyncedWorkspace
    random: random.Random
    written: set[bytes] = field(default_factory=set[bytes])
    given_up: set[bytes] = field(default_factory=set[bytes])
    outside: dict[str, bytes] = field(default_factory=dict[str, bytes])
    former: dict[Path, bytes] = field(default_factory=dict[Path, bytes])

    def line(self) -> bytes:
        """Write a line that is nowhere else."""
        line = b"line-%d-end" % len(self.written)
        self.written.add(line)
        return line

    def put(self, file: Path, content: bytes | None) -> None:
        """Save a file as a user does, in one of several ways."""
        before = file.read_bytes() if file.exists() else b""
        gone = set(LINE.findall(before)) - set(LINE.findall(content or b""))
        self.given_up |= gone
        found = find_block(content or b"")
        # What a block has that nobody edited is the workspace's, not the user's.
        is_ours = isinstance(found, ManagedBlock) and not found.is_edited
        own = set(LINE.findall(strip_block(content or b"") if is_ours else content or b""))
        self.written |= own
        self.given_up -= own
        self.former[file] = before
        if content is None:
            file.unlink(missing_ok=True)
        elif self.random.random() < 0.5:
            aside = file.with_name(f".{file.name}.swp")
            aside.write_bytes(content)
            aside.replace(file)
        else:
            file.write_bytes(content)

    def some_target(self) -> BlockTarget:
        return self.random.choice(self.synced.targets)

    def some_source(self) -> Path:
        file = self.synced.folder / self.random.choice((*NAMES, OWN))
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def put_target(self, target: BlockTarget, content: bytes | None) -> None:
        self.put(target.file, content)
        self.outside[target.id] = strip_block(content or b"")


def edit_source(model: Model) -> None:
    file = model.some_source()
    before = file.read_bytes() if file.exists() else b""
    ending = model.random.choice([b"\n", b"\r\n"])
    lines = [*before.split(), model.line()]
    model.random.shuffle(lines)
    model.put(file, ending.join(lines) + model.random.choice([b"", ending]))


def rewrite_source(model: Model) -> None:
    model.put(model.some_source(), model.line() + b"\n")


def delete_source(model: Model) -> None:
    model.put(model.some_source(), model.random.choice([None, b"", b"\n"]))


def swap_sources(model: Model) -> None:
    one, other = model.some_source(), model.some_source()
    if one != other and one.exists():
        content = one.read_bytes()
        model.put(one, None)
        model.put(other, content)


def edit_outside(model: Model) -> None:
    target = model.some_target()
    before = target.file.read_bytes() if target.file.exists() else b""
    found = find_block(before)
    if isinstance(found, ManagedBlock):
        [(start, end)] = found.spans
        top = model.line() + b"\n" if model.random.random() < 0.3 else b""
        content = before[:start] + top + before[start:end] + before[end:] + model.line() + b"\r\n"
    else:
        content = before + model.line() + b"\n"
    model.put_target(target, content)


def edit_block(model: Model) -> None:
    target = model.some_target()
    before = target.file.read_bytes() if target.file.exists() else b""
    found = find_block(before)
    if not isinstance(found, ManagedBlock):
        return
    [(start, end)] = found.spans
    lines = before[start:end].splitlines(keepends=True)
    at = model.random.randrange(1, len(lines))
    if model.random.random() < 0.5 or lines[at].startswith(b"<!--"):
        lines.insert(at, model.line() + b"\n")
    else:
        lines[at] = model.line() + b"\n"
    model.put_target(target, before[:start] + b"".join(lines) + before[end:])


def remove_block(model: Model) -> None:
    target = model.some_target()
    if target.file.exists():
        model.put_target(target, strip_block(target.file.read_bytes()))


def delete_target(model: Model) -> None:
    model.put_target(model.some_target(), None)


def restore_former(model: Model) -> None:
    target = model.some_target()
    if target.file in model.former:
        model.put_target(target, model.former[target.file])


def switch(model: Model) -> None:
    target = model.some_target()
    model.synced.switch(target.id, model.random.choice(["synced", "synced", "off", "disconnected"]))


def reconnect(model: Model) -> None:
    target = model.some_target()
    model.synced.targets = [
        replace(each, connection=f"{each.connection}+") if each.id == target.id else each
        for each in model.synced.targets
    ]
    model.synced.switch(target.id, "synced")


def restart(model: Model) -> None:
    model.synced.sync = model.synced.restarted()


STEPS: tuple[Callable[[Model], None], ...] = (
    *(edit_source, edit_source, rewrite_source, delete_source, swap_sources),
    *(edit_outside, edit_block, edit_block, remove_block, delete_target, restore_former),
    *(switch, reconnect, reconnect, restart),
)


async def decide(model: Model) -> None:
    """Decide on an item or undo a decision, if there is one."""
    open_items, done = await model.synced.items(), await model.synced.items("done")
    if open_items and model.random.random() < 0.7:
        item = model.random.choice(open_items)
        action = model.random.choice(["use_workspace", "take_edit"])
        await model.synced.decisions.decide(item.id, action, USER)
    elif done:
        item = model.random.choice(done)
        await model.synced.decisions.undo_all([item.id], USER)


def expected(model: Model, target: BlockTarget) -> dict[str, str]:
    """Return what a target's block should say."""
    found: dict[str, str] = {}
    for name in NAMES:
        own = OWN if target.agent and name == "SOUL.md" else name
        for each in (own, name):
            file = model.synced.folder / each
            text = file.read_bytes().decode() if file.exists() else ""
            if text.strip():
                found[each] = text.replace("\r\n", "\n").rstrip("\n")
                break
    return found


def check_nothing_is_lost(model: Model) -> None:
    home = model.synced.home
    places = [home / "agents", home / "claude", home / "ann", home / "state"]
    files = [file for place in places for file in place.rglob("*") if file.is_file()]
    there = {line for file in files for line in LINE.findall(file.read_bytes())}
    assert model.written - model.given_up <= there


def check_outside(model: Model) -> None:
    for target in model.synced.targets:
        content = target.file.read_bytes() if target.file.exists() else b""
        assert strip_block(content) == model.outside.get(target.id, b"")


async def check_end(model: Model) -> None:
    """Check each target: equal, asked about, or off."""
    report = await model.synced.run()
    asked = {item.source.id for item in await model.synced.items()}
    for target, record in report.targets:
        content = target.file.read_bytes() if target.file.exists() else b""
        block = find_block(content)
        match record.state:
            case "synced":
                assert sections(target.file) == expected(model, target)
            case "conflict":
                assert target.id in asked
                assert isinstance(block, ManagedBlock)
                assert block.is_edited
            case "waiting":
                assert not expected(model, target)
                assert isinstance(block, NoBlock)
            case "off" | "disconnected":
                assert not isinstance(block, ManagedBlock) or block.is_edited
            case "refused":
                pytest.fail(record.reason)
        if record.state != "conflict" and target.id in asked:
            # An edit that was replaced and that the user wants back: there is no block for it.
            conflicts = await model.synced.store.db.read(rows.conflicts)
            assert conflicts[target.id].restores
        if is_blank(content) and target.id not in model.outside:
            assert not target.file.exists()


async def play(seed: int, steps: int) -> None:
    """Play a history and check it after each sync."""
    with tempfile.TemporaryDirectory() as folder:
        async with synced_workspace(Path(folder)) as synced:
            model = Model(synced, random.Random(seed))  # noqa: S311 - for a test
            synced.add_target("claude")
            synced.add_target("ann", agent="ann")
            for _ in range(steps):
                synced.seconds += 3_601
                if model.random.random() < 0.15:
                    await decide(model)
                else:
                    model.random.choice(STEPS)(model)
                if model.random.random() < 0.5:
                    await synced.run()
                    check_nothing_is_lost(model)
                    check_outside(model)
            await check_end(model)
            check_nothing_is_lost(model)
            check_outside(model)


@pytest.mark.parametrize("seed", range(4))
def test_both_sides_are_equal_or_asked_about_and_no_line_is_lost(seed: int) -> None:
    asyncio.run(play(seed, 60))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 112))
def test_so_they_are_after_many_histories(seed: int) -> None:
    asyncio.run(play(seed, 500))
