"""Recalls a known memory each hour, end to end: whether search finds what is saved."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.base.text import clip
from intaglio.domain.health import Checked, Figure
from intaglio.domain.issues import Issue
from intaglio.domain.reader import USER
from intaglio.memory.filters import Filter
from intaglio.recall import canary_rows
from intaglio.recall.query import Recall
from intaglio.recall.values import Question
from intaglio.store.database import Database
from intaglio.store.values import Ready

FIRST_S: Final = 180.0
EVERY_S: Final = 3_600.0
_AGAIN_S: Final = 30.0
_TRIES: Final = 3
# Texts that differ in a number only are found together.
_RESULTS: Final = 50
_QUESTION_CHARS: Final = 300
_EMBED_WITHIN_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class CanaryResult:
    """A run: when, how long it took, and whether the memory was found; None if there was none."""

    at: str
    ms: float
    is_found: bool | None


@dataclass(slots=True, kw_only=True)
class Canary:
    """Chooses a memory by ``random`` (0 to 1) and asks for it with its own words.

    While the model isn't in memory (``is_loaded``), keywords are asked alone: nothing is loaded for
    this. The runs are no use of the memories, and say nothing of them.
    """

    db: Database
    recall: Recall
    is_loaded: Callable[[], bool]
    random: Callable[[], float]
    clock: Clock
    seconds: Callable[[], float]
    last: CanaryResult | None = None
    _failures: int = field(default=0)

    async def run(self) -> None:
        """Recall for as long as the daemon runs; sooner after a run that found nothing."""
        await asyncio.sleep(FIRST_S)
        while True:
            if isinstance(self.db.state, Ready):
                await self.recall_once()
            await asyncio.sleep(_AGAIN_S if self._failures else EVERY_S)

    async def recall_once(self) -> None:
        """Recall a memory, or another one if it isn't found."""
        began_s, found = self.seconds(), None
        try:
            for _ in range(_TRIES):
                found = await self._recall_one()
                if found is not False:
                    break
        except UnavailableError:
            return
        took_ms = round((self.seconds() - began_s) * 1_000, 1)
        self._failures = self._failures + 1 if found is False else 0
        self.last = CanaryResult(iso(self.clock()), took_ms, found)

    async def _recall_one(self) -> bool | None:
        position = self.random()
        known = await self.db.read(lambda tx: canary_rows.known_memory(tx, position))
        if known is None:
            return None
        memory_id, content = known
        question = Question(
            text=clip(content, _QUESTION_CHARS),
            limit=_RESULTS,
            filters=Filter(reader=USER),
            min_score=0.0,
            embed_within_s=_EMBED_WITHIN_S,
            counts_as_use=False,
        )
        recall = self.recall
        if not self.is_loaded():
            recall = replace(recall, other_retrievers=())
        answer = await recall.recall(question)
        if any(hit.memory.id == memory_id for hit in (*answer.hits, *answer.near_misses)):
            return True
        # It may have been forgotten meanwhile.
        again = await self.db.read(lambda tx: canary_rows.known_memory(tx, position))
        return False if again == known else None

    async def check(self) -> Checked:
        """Return what the last run found; a single failure is looked into before it is told."""
        last = self.last
        is_wrong = self._failures > 1
        issue = Issue(
            "recall_canary",
            "warn",
            "Search doesn't find what is saved",
            f"None of {_TRIES} saved memories was found by its own words, twice in a row. Nothing "
            "is lost: the search index can be made again from the memories.",
            action="repair",
            repair="check-fts",
        )
        return Checked(
            issues=(issue,) if is_wrong else (),
            figures=(
                Figure(
                    "canaryAt", "Last recall of a known memory", last.at if last else None, "moment"
                ),
                Figure("canaryFound", "It was found", last.is_found if last else None),
                Figure("canaryMs", "It took", last.ms if last else None, "ms"),
            ),
            penalty=0.5 if is_wrong else 0.0,
        )
