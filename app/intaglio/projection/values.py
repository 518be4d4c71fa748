"""The values of maps: which memories one covers, and the state of its layouts."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Dimensions: TypeAlias = Literal[2, 3]
Method: TypeAlias = Literal["umap", "pca"]
RunPhase: TypeAlias = Literal["queued", "reading", "neighbours", "layout", "saving"]

EXTENT: Final = 210.0
"""Coordinates are within [-EXTENT, EXTENT]."""


@dataclass(frozen=True, slots=True)
class MapScope:
    """Which memories a map covers: all, or those of a project or an agent.

    ``project`` is a project's key; a project's map covers its own memories, also those under its
    other names, without global ones. At most one of both is set.
    """

    project: str | None = None
    agent: str | None = None

    @property
    def key(self) -> str:
        """The text that identifies the scope in a table and as the subject of a job."""
        if self.project is not None:
            return f"project:{self.project}"
        return "all" if self.agent is None else f"agent:{self.agent}"

    @classmethod
    def of(cls, key: str) -> "MapScope":
        """Return the scope with this key."""
        kind, _, name = key.partition(":")
        match kind:
            case "project":
                return cls(project=name)
            case "agent":
                return cls(agent=name)
            case _:
                return cls()


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A stored layout of a scope.

    ``generation`` grows with every full run and ``revision`` with every change of a point, both
    for this layout alone. ``points`` were laid out by the full run, ``placed`` were placed since.
    ``model`` is the embedding model's row.
    """

    number: int
    scope: MapScope
    dimensions: Dimensions
    generation: int
    revision: int
    method: Method
    model: int
    points: int
    placed: int
    computed_at: str
    asked_at: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run that is queued or going on; ``fraction`` is done of it, from 0 to 1."""

    phase: RunPhase
    fraction: float
    dimensions: tuple[Dimensions, ...]
    started_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFailure:
    """Why the last run of a scope failed, in words for people, and what to do about it."""

    reason: str
    hint: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MapState:
    """The state of a scope's map: its layouts, the run going on, and how the last one failed.

    ``memories`` counts the live memories of the scope, ``embedded`` those of them with a vector.
    ``failure`` is None once a run succeeded or was asked for again. ``is_outdated`` tells that
    enough has changed since for another full run.
    """

    scope: MapScope
    layouts: tuple[Layout, ...]
    run: Run | None
    failure: RunFailure | None
    memories: int
    embedded: int
    is_outdated: bool

    def layout(self, dimensions: Dimensions) -> Layout | None:
        """Return the layout of these dimensions if there is one."""
        return next((each for each in self.layouts if each.dimensions == dimensions), None)
