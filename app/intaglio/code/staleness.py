"""Says of memories that are about to be told what became of the places that they name.

Reads what the background found, and the working tree where a file has changed since; writes
nothing. What isn't judged in time, or can't be, has no mark.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from intaglio.base.error_text import error_text
from intaglio.base.log import get_logger
from intaglio.base.process.threads import RunInThread
from intaglio.code import place_rows
from intaglio.code.judging import judge, mark_of
from intaglio.code.settings import CodeSettings
from intaglio.code.values import FoundState, MemoryPlace, PlaceMark
from intaglio.code.working_tree import WorkingTree
from intaglio.git.finder import find_repository, find_working_tree
from intaglio.store.database import Database

# A disk that doesn't answer holds a thread for as long.
_MOST_WAITING: Final = 2
_MOST_KNOWN: Final = 2_000
_Known = dict[tuple[Path, int, str, FoundState], FoundState]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceMarks:
    """Marks memories; ``seconds`` is a monotonic clock.

    What was judged is kept in memory, so that a file that is being worked on isn't read with every
    prompt.
    """

    db: Database
    settings: Callable[[], CodeSettings]
    seconds: Callable[[], float]
    in_thread: RunInThread
    _known: _Known = field(default_factory=_Known)
    _waiting: set[int] = field(default_factory=set[int])

    async def of(
        self, memory_ids: Collection[str], project: str | None, folder: str | None = None
    ) -> Mapping[str, PlaceMark]:
        """Return the mark of each of these memories of which something is to be said.

        ``folder`` is where the session works: perhaps a working tree beside the project's own.
        """
        limit_s = self.settings().check_ms / 1000
        if not (memory_ids and project and limit_s and self.settings().enabled):
            return {}
        if len(self._waiting) >= _MOST_WAITING:
            return {}
        listed = list(memory_ids)
        try:
            places = await self.db.read(lambda tx: place_rows.of_memories(tx, listed))
            return await self._judged(places, project, folder, limit_s) if places else {}
        except Exception as error:  # noqa: BLE001 - a mark is never worth a session's context
            get_logger("code").warning("places not checked", error=error_text(error))
            return {}

    async def _judged(
        self, places: Sequence[MemoryPlace], project: str, folder: str | None, limit_s: float
    ) -> Mapping[str, PlaceMark]:
        by_memory: dict[str, list[MemoryPlace]] = {}
        for each in places:
            by_memory.setdefault(each.memory_id, []).append(each)
        marks: dict[str, PlaceMark] = {}
        ends = self.seconds() + limit_s

        def work() -> None:
            tree = WorkingTree(_root(project, folder))
            if not tree.is_there():
                return
            for memory_id, some in by_memory.items():
                if self.seconds() >= ends:
                    return
                mark = mark_of((each, self._state(each, tree)) for each in some)
                if mark is not None:
                    marks[memory_id] = mark

        number = id(marks)
        self._waiting.add(number)
        task = asyncio.ensure_future(self.in_thread(work))
        task.add_done_callback(lambda _: self._waiting.discard(number))
        done, _ = await asyncio.wait({task}, timeout=limit_s)
        if done:
            await task
        return dict(marks)

    def _state(self, place: MemoryPlace, tree: WorkingTree) -> FoundState:
        stored = place.known_state
        key = (tree.root, place.seq, place.found_at, stored)
        known = self._known.get(key)
        if known is not None:
            place = replace(
                place,
                state=known.state,
                now_path=known.now_path,
                size=known.size,
                changed_ns=known.changed_ns,
            )
        found = judge(place, tree)
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[key] = found
        return found


def _root(project: str, folder: str | None) -> Path:
    """Return the working tree that a session works in, if it is one of the project's."""
    root = Path(project)
    if folder and folder != project and Path(folder).is_absolute():
        path = Path(folder).resolve()
        if find_repository(path) == root:
            return find_working_tree(path) or root
    return root
