"""Repairs: which there are, what they did, and the maintenance that chooses them."""

from typing import Literal

from msgspec import Struct


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
