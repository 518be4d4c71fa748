"""No answer, score or reason depends on what the reader may not see, whatever lies beside it.

A store is compared with one that holds only what the reader may see: the same question has the same
answer in both. In the first, memories of several agents, projects and visibilities mix in the same
sessions, and some are rewritten, moved, forgotten and recovered after they were embedded.
"""

import random
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from fakes.hybrid import Hybrid, hybrid
from fakes.late_recall import late_embedder
from fakes.semantic_index import ACTOR
from fakes.waiting import PATIENCE_S
from intaglio.base.clock import iso
from intaglio.domain.reader import (
    USER,
    GroupReader,
    IsolatedReader,
    Reader,
    SharedReader,
    may_read,
)
from intaglio.memory import rows
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import Change, Memory
from intaglio.recall.values import Answer
from intaglio.recall.vocabulary import VocabularyCache
from intaglio.store.tx import WriteTx

WHY: Final = Audit(ACTOR)
AGENTS = ("default", "ann", "bob")
PROJECTS = (None, "/a", "/b")
WORDS = ("car", "doctor", "granite", "harbour", "invoice", "kettle", "lantern", "meadow")
# Only Ann's memories have these.
SECRETS = ("salary", "diagnosis", "password", "lawsuit")
READERS: tuple[Reader, ...] = (
    IsolatedReader("bob"),
    SharedReader("bob"),
    SharedReader("bob", ("ann",)),
    GroupReader("bob", ("default",)),
    USER,
)
MEMORIES: Final = 90
MOVES: Final[tuple[tuple[str, str | None], ...]] = (
    *(("project", each) for each in PROJECTS),
    *(("agent_id", each) for each in AGENTS),
    ("visibility", "private"),
    ("visibility", "global"),
    ("session_id", "t"),
)


def allowed(wanted: Filter, memory: Memory) -> bool:
    """Say in plain words whether a memory may take part in an answer."""
    scope = memory.scope
    if not may_read(wanted.reader, scope.agent_id, scope.visibility):
        return False
    if wanted.global_only:
        return scope.project is None
    if wanted.project is None or scope.project == wanted.project:
        return True
    return scope.project is None and not wanted.exact_project


def filters(dice: random.Random) -> Filter:
    return Filter(
        reader=dice.choice(READERS),
        project=dice.choice(PROJECTS),
        exact_project=dice.random() < 0.3,
        global_only=dice.random() < 0.1,
    )


def said(dice: random.Random, agent: str) -> str:
    """Return six words: if all texts are that long, the mean length is the same in every store."""
    known = WORDS + SECRETS if agent == "ann" else WORDS
    return f"{' '.join(dice.sample(known, 5))} mark{dice.randrange(10**9)}{dice.choice('.?')}"


def asked(dice: random.Random) -> str:
    words = dice.sample(WORDS + SECRETS, dice.randint(1, 5))
    return " ".join((dice.choice(("", "what did Ann say of", "in January 2026")), *words)).strip()


async def ready(store: Hybrid) -> None:
    """Have the model's scale chosen by the same memory in every store, which is then erased."""
    store.index.embed.timeout_s = PATIENCE_S
    first = await store.index.remember("the first memory of all")
    await store.index.work()
    await store.index.store.remove.erase(first, WHY)


async def settle(store: Hybrid) -> None:
    while await store.index.work() or await store.index.tracker.fill_if_low():
        pass
    await store.index.follow()


async def talk(store: Hybrid, dice: random.Random) -> list[str]:
    """Let all agents talk in the same few sessions, in all projects."""
    ids: list[str] = []
    for _ in range(MEMORIES):
        agent = dice.choice(AGENTS)
        kept = await store.index.remember(
            said(dice, agent),
            agent_id=agent,
            who=dice.choice(("Ann", "Bob", "user")),
            project=dice.choice(PROJECTS),
            visibility=dice.choice(("global", "global", "private")),
            session_id=dice.choice(("s", "s", "t", None)),
            created_at=iso(store.index.store.clock()),
        )
        store.index.store.clock.forward(minutes=dice.choice((1, 1, 1, 90)))
        ids.append(kept)
    return ids


async def change(store: Hybrid, dice: random.Random, id_: str) -> None:
    """Rewrite, move, hide, forget or recover a memory."""
    bench = store.index.store
    match dice.randrange(5):
        case 0:
            await bench.remove.forget(id_, WHY)
        case 1:
            await bench.remove.recover(id_, WHY)
        case 2:
            await bench.revise.modify(id_, Change(content=said(dice, "ann")), WHY)
        case _:
            column, value = dice.choice(MOVES)

            def move(tx: WriteTx) -> None:
                sql = f"UPDATE memories SET {column} = ? WHERE id = ?"  # noqa: S608 - a constant
                tx.execute(sql, (value, id_))

            await bench.db.write(move)


async def live(store: Hybrid) -> list[Memory]:
    """Return the live memories, oldest first."""
    seqs = await store.index.store.db.read(
        lambda tx: tx.column(int, "SELECT seq FROM memories WHERE is_deleted = 0 ORDER BY seq")
    )
    found = await store.index.store.db.read(lambda tx: rows.by_seq(tx, seqs))
    return [found[seq] for seq in seqs]


async def copy(store: Hybrid, memories: list[Memory]) -> None:
    await ready(store)
    for each in memories:
        scope = each.scope
        await store.index.remember(
            each.content,
            agent_id=scope.agent_id,
            who=each.who,
            project=scope.project,
            visibility=scope.visibility,
            session_id=each.session_id,
            created_at=each.created_at,
        )
    await settle(store)


def shown(answer: Answer) -> tuple[object, ...]:
    """Return all that an answer tells its reader, without ids."""
    plan = answer.plan
    hits = [
        (
            hit.memory.content,
            round(hit.score, 3),
            hit.answers,
            hit.source,
            round(hit.signals.bm25, 3),
            round(hit.signals.coverage, 3),
            round(hit.signals.cosine or 0.0, 3),
            round(hit.signals.meaning or 0.0, 3),
            tuple((name, round(share, 2)) for name, share in hit.signals.shares),
            hit.signals.matched,
            hit.signals.reasons,
        )
        for hit in (*answer.hits, *answer.near_misses)
    ]
    return (answer.method, plan, hits)


async def ask(store: Hybrid, question: str, wanted: Filter) -> Answer:
    recall = replace(store.recall, vocabulary=VocabularyCache())
    return await replace(store, recall=recall).ask(question, wanted, limit=100, min_score=0.0)


async def compare(folder: Path, worlds: int, views: int, questions: int) -> tuple[int, int]:
    """Compare answers; return how many were compared, and how many found turns of a talk."""
    compared, in_talk = 0, 0
    for world in range(worlds):
        dice = random.Random(world)  # noqa: S311 - a repeatable roll, no secret
        place = folder / str(world)
        place.mkdir()
        embedder = late_embedder(place)
        async with hybrid(place / "all", embedder) as store:
            await ready(store)
            ids = await talk(store, dice)
            await settle(store)
            for id_ in dice.sample(ids, 30):
                await change(store, dice, id_)
            await settle(store)
            memories = await live(store)
            for view in range(views):
                wanted = filters(dice)
                async with hybrid(place / f"view{view}", embedder) as seen:
                    visible = [each for each in memories if allowed(wanted, each)]
                    await copy(seen, visible)
                    for _ in range(questions):
                        question = asked(dice)
                        whole = shown(await ask(store, question, wanted))
                        part = shown(await ask(seen, question, wanted))
                        assert whole == part, f"{question!r} {wanted}"
                        compared += 1
                        in_talk += "previous" in str(part)
    return compared, in_talk


async def test_answers_are_the_same_where_hidden_memories_do_not_exist(tmp_path: Path) -> None:
    compared, in_talk = await compare(tmp_path, worlds=2, views=3, questions=5)
    # Answers without turns of a conversation would prove little.
    assert in_talk > compared / 3


@pytest.mark.slow
@pytest.mark.timeout(1_800)
async def test_ten_thousand_answers_are_the_same_without_hidden_memories(tmp_path: Path) -> None:
    compared, in_talk = await compare(tmp_path, worlds=40, views=10, questions=25)
    assert compared == 10_000
    assert in_talk > 3_000
