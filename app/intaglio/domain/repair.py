"""Repairs: what a package can put right on request, with a dry run and an undo."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

RepairBudget: TypeAlias = Literal["queue", "embedding", "content"]
"""Which cooldown and hourly budget of the settings limit a repair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairOptions:
    """The extent of a repair; each repair reads the options that concern it.

    ``limit`` is a number of items, None for the repair's own; ``everything`` ignores it.
    ``max_mentions`` is how often an entity is mentioned at most that is pruned; ``threshold`` the
    least similarity of duplicates in meaning, None for that of the settings; without ``semantic``
    only exact duplicates count. ``actor`` and ``actor_type`` say who requests it; these and the
    fields below are recorded with what is changed.
    """

    limit: int | None = None
    everything: bool = False
    max_mentions: int = 1
    threshold: float | None = None
    semantic: bool = True
    actor: str = "daemon"
    actor_type: str = "daemon"
    reason: str | None = None
    session_id: str | None = None
    request_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairResult:
    """What a repair did, or would do.

    ``affected`` is a number of rows, items or entities, and ``message`` says it in a few words.
    ``clusters`` is the number of groups of duplicates. ``undo`` is what ``undo`` of the repair
    needs, ids as JSON and never text; empty if there is nothing to undo.
    """

    affected: int
    message: str
    clusters: int = 0
    undo: str = ""


@dataclass(frozen=True, slots=True)
class RepairRefused:
    """Why a repair doesn't run now, and in how many seconds it may be requested again.

    ``hint`` says what to do if waiting alone doesn't help; ``reason`` is for people what
    ``message`` is for programs, if they differ.
    """

    message: str
    wait_s: float
    hint: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A repair of a package: running one twice is harmless.

    ``action`` is stable and unique, such as "check-fts"; ``title`` is an imperative phrase, and
    ``text`` says in a sentence what it does. ``count`` is the dry run and writes nothing. ``run``
    and ``undo`` write in chunks of milliseconds and raise UnavailableError while the database can't
    be written. With ``changes_content`` a run changes memories or entities: it may not be requested
    by an agent, and it has an ``undo``, which receives what the run returned and says how many were
    restored. One that ``is_heavy`` waits in maintenance on battery and under load.
    """

    action: str
    title: str
    text: str
    budget: RepairBudget
    count: Callable[[RepairOptions], Awaitable[RepairResult]]
    run: Callable[[RepairOptions], Awaitable[RepairResult | RepairRefused]]
    undo: Callable[[str, RepairOptions], Awaitable[RepairResult]] | None = None
    changes_content: bool = False
    is_heavy: bool = False
