"""Values of the code package: what an index holds, and places that memories name."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

PlaceState: TypeAlias = Literal["there", "moved", "changed", "symbol_gone", "gone"]
"""What became of a place, best first.

``moved``: git found its file under another path. ``gone``: the file is gone. ``changed``: fewer
than half of the remembered lines are left.
"""

STATES: Final[tuple[PlaceState, ...]] = ("there", "moved", "changed", "symbol_gone", "gone")
"""The states, from that of which nothing is said to the worst."""

GONE_STATES: Final = frozenset[PlaceState]({"symbol_gone", "gone"})
"""The states in which nothing is left of a place."""


@dataclass(frozen=True, slots=True)
class CodeReading:
    """The index of a project's code: ``head`` is the commit, ``read_at`` when it was read.

    ``stopped`` says why the index is incomplete; empty if it is complete.

    ``placed`` is the row number of the last memory whose places were looked for.
    """

    seq: int
    project: str
    head: str
    read_at: str | None
    stopped: str
    placed: int


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file of the checked-out commit: hashes of what it defines, and what a test imports."""

    path: str
    blob: str
    terms: tuple[int, ...] = ()
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPlace:
    """Where a memory was found to stand in the code.

    ``symbol`` is empty if the memory names the file only; ``by_path`` says whether it names the
    file at all. ``blob`` is git's hash of the file's content, ``commit`` is empty for a file that
    isn't committed. ``lines`` are the hashes of the place's lines, 4 bytes each; ``size`` and
    ``changed_ns`` are the file's.
    """

    path: str
    symbol: str
    by_path: bool
    blob: str
    commit: str
    lines: bytes
    size: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """A place of a memory, and what became of it; ``checked_at`` is when a check last changed that.

    ``now_path`` is where it is now, if its file was renamed. ``size`` and ``changed_ns`` are those
    of the file at that time; -1 if there was none.
    """

    seq: int
    memory_id: str
    path: str
    symbol: str
    by_path: bool
    blob: str
    commit: str
    lines: bytes
    found_at: str
    state: PlaceState
    now_path: str
    size: int
    changed_ns: int
    checked_at: str
    asked: str

    @property
    def current_path(self) -> str:
        """Where it was last found."""
        return self.now_path or self.path

    @property
    def known_state(self) -> "FoundState":
        """What was found of it last."""
        return FoundState(self.state, self.now_path, self.size, self.changed_ns)


@dataclass(frozen=True, slots=True)
class FoundState:
    """What became of a place, where it is now, and the size and time of the file that shows it."""

    state: PlaceState
    now_path: str = ""
    size: int = -1
    changed_ns: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceMark:
    """What a memory's line says of the worst of its places; ``text`` has at most three words.

    ``nothing_left``: it has two places at least, and all of them are gone.
    """

    text: str
    kind: PlaceState
    path: str
    symbol: str = ""
    now_path: str = ""
    nothing_left: bool = False

    @property
    def where(self) -> str:
        """The place as people read it."""
        named = f"{self.symbol} in {self.path}" if self.symbol else self.path
        return f"{named}, now {self.now_path}" if self.now_path else named
