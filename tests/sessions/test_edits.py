"""An edit is told what failed before near the file: once a session, seldom, and in few words."""

from datetime import timedelta
from typing import Final

import pytest

from fakes.sessions import PROJECT, House, session
from intaglio.base.text import estimate_tokens
from intaglio.fence.marks import strip_injected
from intaglio.memory.values import HEARD, Source
from intaglio.sessions.values import InjectedContext
from intaglio.store.tx import WriteTx

FILE: Final = "/work/shop/src/importer.py"
LOCKS: Final = "We tried advisory locks in src/importer.py already, they deadlocked under load."


async def edit(
    house: House, path: str = FILE, name: str = "s1", **given: object
) -> InjectedContext:
    shown = await house.edits.show(session(name, **given), path)
    await house.settle()
    return shown


async def learned(house: House, content: str = LOCKS, **given: object) -> str:
    heard = {"type": "learning", "who": "user", "why": f"{HEARD}learning"}
    return await house.remember(content, **{**heard, **given})


async def placed(house: House, memory_id: str, path: str, state: str = "there") -> None:
    await house.bench.db.write(
        lambda tx: tx.execute(
            "INSERT INTO memory_places(memory_id, project, path, symbol, by_path, blob, "
            "commit_hash, lines, found_at, state, checked_at) "
            "VALUES (?, ?, ?, 'take', 0, '', '', x'', '', ?, '')",
            (memory_id, PROJECT, path, state),
        )
    )


async def reverted(house: House, commit: str, *paths: str) -> None:
    def work(tx: WriteTx) -> None:
        tx.execute(
            "INSERT INTO commits(seq, project, hash, committed_at, kind, subject, body, symbols, "
            "words) VALUES (1, ?, ?, '2026-01-01T00:00:00Z', 'revert', 's', 'b', '', 2)",
            (PROJECT, commit),
        )
        for seq, path in enumerate(paths):
            tx.execute("INSERT INTO commit_paths VALUES (?, ?, ?)", (seq, PROJECT, path))
            tx.execute("INSERT INTO commit_files VALUES (1, ?)", (seq,))

    await house.bench.db.write(work)


async def test_a_learning_that_names_the_file_is_told_once(house: House) -> None:
    memory_id = await learned(house)
    shown = await edit(house)
    assert f"- Tried before, and it failed: {LOCKS} (" in shown.text
    assert strip_injected(shown.text) == ""
    assert estimate_tokens(shown.text) <= 120
    assert not (await edit(house)).text
    assert (await edit(house, name="s2")).text
    told = await house.rows(
        "SELECT i.event, m.memory_id, m.injected FROM injections i "
        "JOIN session_memories m ON m.injection = i.seq ORDER BY i.seq"
    )
    assert told == [("edit", memory_id, 1)] * 2


async def test_an_edit_of_nothing_known_is_told_and_records_nothing(house: House) -> None:
    await learned(house)
    await house.remember("The importer in src/importer.py runs at night.", type="fact")
    for path in ("", "/work/shop/src/exporter.py", "/work/shop/importer.py", "src"):
        assert not (await edit(house, path)).text
    assert await house.rows("SELECT 1 FROM injections") == []


@pytest.mark.parametrize(
    ("content", "path", "is_told"),
    [
        ("Threads in importer.py failed: the GIL made it slower.", FILE, True),
        ("Threads in `./src/importer.py` failed: the GIL.", FILE, True),
        ("Threads in lib/importer.py failed: the GIL.", FILE, False),
        ("Threads in myimporter.py failed: the GIL.", FILE, False),
        ("Threads in index.ts failed.", "/work/shop/src/index.ts", False),
        ("Threads in src/index.ts failed.", "/work/shop/src/index.ts", True),
        ("Threads in src/importer.py failed.", "C:\\work\\src\\importer.py", True),
    ],
)
async def test_which_file_a_text_names(
    house: House, content: str, path: str, *, is_told: bool
) -> None:
    await learned(house, content)
    assert bool((await edit(house, path)).text) is is_told


async def test_a_place_in_the_file_is_enough(house: House) -> None:
    gone = await learned(house, "Batches of ten in take() lost rows, we tried it twice.")
    await placed(house, gone, "src/importer.py", "symbol_gone")
    assert not (await edit(house)).text
    there = await learned(house, "Batches of nine in take() lost rows, we tried it twice.")
    await placed(house, there, "src/importer.py")
    assert "Batches of nine" in (await edit(house)).text


async def test_what_a_commit_took_back_is_told_with_its_files(house: House) -> None:
    content = 'Reverted in 3fa21c0: "Use advisory locks". It deadlocked under load.'
    await learned(house, content, why=None, source=Source("commit", "3fa21c0"), who="commit")
    await reverted(house, "3fa21c0", "src/importer.py", "src/locks.py")
    assert f"- Tried before and taken back: {content} (" in (await edit(house)).text


async def test_a_commit_of_many_files_says_nothing_of_each(house: House) -> None:
    await learned(house, "Reverted.", source=Source("commit", "3fa21c0"))
    await reverted(house, "3fa21c0", "src/importer.py", *(f"src/{n}.py" for n in range(12)))
    assert not (await edit(house)).text


async def test_at_most_two_are_told_in_an_hour(house: House) -> None:
    for name in ("one", "two", "three"):
        await learned(house, f"Locks in {name}.py failed under load, never again.")
    told = [bool((await edit(house, f"/p/{name}.py")).text) for name in ("one", "two", "three")]
    assert told == [True, True, False]
    house.bench.clock.moment += timedelta(minutes=61)
    assert (await edit(house, "/p/three.py")).text


async def test_a_start_tells_it_as_a_lesson(house: House) -> None:
    await learned(house)
    told = (await house.start(session())).text
    assert f"## Lessons learned\n- {LOCKS} (" in told
    assert not (await edit(house)).text


async def test_what_the_session_holds_already_is_not_told(house: House) -> None:
    await learned(house, pinned=True)
    await house.start(session())
    assert not (await edit(house)).text
    assert (await edit(house, name="s2")).text


async def test_a_prompt_does_not_tell_again_what_an_edit_told(house: House) -> None:
    await learned(house)
    question = "Should the importer use advisory locks, or did they deadlock under load?"
    assert LOCKS in (await house.prompt(session("s2"), question)).text
    await edit(house)
    assert LOCKS not in (await house.prompt(session(), question)).text


async def test_subagents_and_other_projects_are_told_nothing(house: House) -> None:
    await learned(house)
    assert not (await edit(house, subagent=True)).text
    assert not (await edit(house, project="/other")).text
    assert not (await edit(house, project=None)).text


async def test_what_an_agent_noted_by_itself_is_not_told(house: House) -> None:
    await learned(house, source=Source("agent", "a1"), who="claude", why=None)
    assert not (await edit(house)).text
