"""Remembers the last walk of the graph, until the daemon stops."""

from dataclasses import dataclass

from intaglio.domain.entity_kinds import FocalSource
from intaglio.graph.traversal.values import GraphWalk, WalkPhase


@dataclass(frozen=True, slots=True)
class WalkReport:
    """Counts of a walk; ``focal`` are the ids of its focal entities, in order."""

    phase: WalkPhase
    at: str
    source: FocalSource
    focal: tuple[str, ...]
    traversed: int
    memories: int
    constraints: int
    timed_out: bool


class LastWalk:
    """The last walk; None before the first."""

    def __init__(self) -> None:
        self.report: WalkReport | None = None

    def note(self, walk: GraphWalk, phase: WalkPhase, at: str) -> None:
        """Remember a walk."""
        self.report = WalkReport(
            phase=phase,
            at=at,
            source=walk.focal.source,
            focal=tuple(each.entity.id for each in walk.focal.entities),
            traversed=len(walk.visited),
            memories=len(walk.memories),
            constraints=len(walk.constraints),
            timed_out=walk.timed_out,
        )
