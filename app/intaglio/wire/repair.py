"""Repairs: which there are, what they did, and the maintenance that chooses them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

RepairLimit = Annotated[int, Meta(ge=1, le=100_000)]


class RepairRequest(Struct, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """The extent of a repair; what doesn't concern a repair is ignored.

    An unknown field is refused: a misspelled ``dryRun`` would let the repair run.

    ``dry_run`` only reports what it would do. ``batch_size`` or ``limit`` is the most that it
    changes, and ``full_sweep`` ignores them. check-fts only counts unless it gets ``repair``, or
    ``dry_run`` false. ``semantic_threshold``, ``semantic_enabled`` and ``max_mentions`` are for
    deduplicate and for prune-singleton-entities.
    """

    batch_size: RepairLimit | None = None
    limit: RepairLimit | None = None
    dry_run: bool | None = None
    full_sweep: bool = False
    repair: bool = False
    semantic_threshold: Annotated[float, Meta(ge=0.8, le=1.0)] | None = None
    semantic_enabled: bool = True
    max_mentions: Annotated[int, Meta(ge=1, le=100)] = 1


class RepairReply(Struct, kw_only=True):
    """The result of a repair; ``clusters`` counts groups of duplicates.

    ``runId`` names the run, null for a dry run and while it still runs; with ``canUndo`` it can be
    undone.
    """

    action: str
    success: bool
    affected: int
    message: str
    clusters: int = 0
    run_id: str | None = field(default=None, name="runId")
    can_undo: bool = field(default=False, name="canUndo")


class DedupStats(Struct, kw_only=True, rename="camel"):
    """How many groups of memories have the same content, and how many are more than one of each."""

    exact_clusters: int
    exact_excess: int
    total_active: int


class ColdStats(Struct, kw_only=True, rename="camel"):
    """The memories that are stored but told to nobody.

    ``by_reason`` counts them: forgotten, replaced and outdated. ``oldest`` and ``newest`` are when
    the first and the last stopped being told; ``total_bytes`` is the size of their text.
    """

    count: int
    oldest: str | None
    newest: str | None
    total_bytes: int
    by_reason: dict[str, int]


class RepairRow(Struct, kw_only=True, frozen=True, rename="camel"):
    """A repair that can be run: POST /api/repair/{action}.

    ``title`` is an imperative phrase, ``text`` says what it does. ``changes_content`` means that it
    changes memories or entities, and that a run can be undone. ``refused`` says why it may not run
    now, empty if it may.
    """

    action: str
    title: str
    text: str
    changes_content: bool
    refused: str
    last_run_at: str | None


class RepairRunRow(Struct, kw_only=True, frozen=True, rename="camel"):
    """A repair that was run: by whom (user, agent or daemon), why, and what became of it.

    ``can_undo`` until it is undone or what it changed is gone; undo by POST
    /api/repair/runs/{id}/undo.
    """

    id: str
    action: str
    title: str
    at: str
    actor: str
    reason: str
    affected: int
    message: str
    can_undo: bool
    undone_at: str | None


class MaintenanceStatus(Struct, kw_only=True, frozen=True, rename="camel"):
    """The maintenance loop: it observes, or also executes what it recommends.

    ``recommended`` names repairs by the last cycle; ``halted`` those that three cycles in a row
    didn't improve the score; ``waiting`` says why heavy work waits (battery, load), empty if it
    doesn't.
    """

    mode: Literal["off", "observe", "execute"]
    last_cycle_at: str | None
    recommended: list[str]
    halted: list[str]
    waiting: str


class RepairList(Struct, kw_only=True, frozen=True):
    """All repairs, the newest runs first, and the maintenance."""

    repairs: list[RepairRow]
    runs: list[RepairRunRow]
    maintenance: MaintenanceStatus
