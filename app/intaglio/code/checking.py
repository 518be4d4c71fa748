"""Checks all places of a project in the background, and stores what became of them.

Git is asked where a file went; a symbol that is named without a file may be defined in another one
by now. What is told reads what is stored here, and the working tree.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from intaglio.base.process.threads import RunInThread
from intaglio.code import place_rows
from intaglio.code.index import open_with_head
from intaglio.code.judging import judge
from intaglio.code.lookup import files_defining
from intaglio.code.renames import renamed_path
from intaglio.code.values import GONE_STATES, FoundState, MemoryPlace
from intaglio.code.working_tree import Absent, WorkingTree
from intaglio.git.command import Git
from intaglio.git.repository import Repository
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

_AT_ONCE: Final = 50
_MOST_DEFINING: Final = 3
# For git, in one check; what it wasn't asked about follows at the next.
_LIMIT_S: Final = 30.0
_MOST_KNOWN: Final = 2_000
_Renames = dict[tuple[str, str, str, str], str | None]
"""Where files went: by project, checked-out commit, the commit in which it was, and path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChecks:
    """Checks the places of projects; ``seconds`` is a monotonic clock."""

    db: Database
    git: Git
    context: ChangeContext
    seconds: Callable[[], float]
    in_thread: RunInThread
    _renames: _Renames = field(default_factory=_Renames)

    async def check(self, project: str) -> int:
        """Check all places of a project; return of how many something else is known now."""
        after, changed = 0, 0
        asked = _Asked(self.git, project, self._renames, self.seconds)
        while True:
            places, elsewhere = await self.db.read(partial(_read, project=project, after=after))
            if not places:
                return changed
            after = places[-1].seq
            judged = await self.in_thread(partial(_judged, places, elsewhere, asked))
            if judged:
                await self.db.write(partial(_write, judged=judged, at=self.context.now))
                changed += len(judged)


def _read(
    tx: ReadTx, project: str, after: int
) -> tuple[list[MemoryPlace], Mapping[str, Sequence[str]]]:
    """Return the next places, and the files that define the symbols named without a file."""
    places = place_rows.of_project(tx, project, after, _AT_ONCE)
    symbols = {each.symbol for each in places if each.symbol and not each.by_path}
    return places, files_defining(tx, project, symbols)


def _write(tx: WriteTx, judged: Sequence[tuple[MemoryPlace, FoundState]], at: str) -> None:
    for place, found in judged:
        place_rows.set_state(tx, place, found, at)


def _judged(
    places: Sequence[MemoryPlace], elsewhere: Mapping[str, Sequence[str]], asked: "_Asked"
) -> list[tuple[MemoryPlace, FoundState]]:
    """Return the places of which something else is known now."""
    tree = WorkingTree(Path(asked.project))
    if not tree.is_there():
        return []
    found: list[tuple[MemoryPlace, FoundState]] = []
    for place in places:
        state = judge(place, tree)
        if state.state in GONE_STATES:
            for path in _candidates(place, state, tree, elsewhere, asked):
                moved = replace(place, now_path=path, size=-1, changed_ns=-1)
                again = judge(moved, tree)
                if again.state not in GONE_STATES or (place.by_path and again.state != "gone"):
                    state = again
                    break
        if state != place.known_state:
            found.append((place, state))
    return found


def _candidates(
    place: MemoryPlace,
    state: FoundState,
    tree: WorkingTree,
    elsewhere: Mapping[str, Sequence[str]],
    asked: "_Asked",
) -> list[str]:
    """Return where a place that is gone may be now."""
    if not place.by_path:
        listed = elsewhere.get(place.symbol, ())
        return [*listed] if len(listed) <= _MOST_DEFINING else []
    if state.state == "gone" and isinstance(tree.stat(place.path), Absent):
        renamed = asked.renamed(place.commit, place.path)
        return [renamed] if renamed else []
    return []


class _Asked:
    """What git says of files that are gone; each is asked about once for a checked-out commit."""

    def __init__(
        self, git: Git, project: str, known: _Renames, seconds: Callable[[], float]
    ) -> None:
        self.project = project
        self._git = git
        self._known = known
        self._seconds = seconds
        self._ends = seconds() + _LIMIT_S
        self._opened: tuple[Repository, str] | None = None

    def renamed(self, since: str, path: str) -> str | None:
        """Return the path that a file has now; None too if there is no time left to ask."""
        self._opened = self._opened or open_with_head(self._git, self.project)
        if self._opened is None or not self._opened[1]:
            return None
        repository, head = self._opened
        key = (self.project, head, since, path)
        if key not in self._known and self._seconds() < self._ends:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = renamed_path(self._git, repository, since, head, path)
        return self._known.get(key)
