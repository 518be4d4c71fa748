"""The steps of other packages when a memory is forgotten or erased, in order.

A package that stores data about memories adds its step here.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from intaglio.graph.collection import collect
from intaglio.inbox import operations as inbox
from intaglio.jobs import rows as jobs
from intaglio.memory import operations
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import Done, EraseOutcome, ForgetOutcome
from intaglio.sessions import rows as ledger
from intaglio.sessions.feedback import rows as feedback
from intaglio.sessions.statements import rows as statements
from intaglio.store.tx import WriteTx

RemovalStep: TypeAlias = Callable[[WriteTx, str, ChangeContext], None]
"""One package's step for a memory id, within the caller's transaction."""


def _drop_jobs(tx: WriteTx, memory_id: str, _: ChangeContext) -> None:
    jobs.drop(tx, memory_id)


def _drop_feedback(tx: WriteTx, memory_id: str, _: ChangeContext) -> None:
    feedback.drop(tx, memory_id)


def _erase_ledger(tx: WriteTx, memory_id: str, _: ChangeContext) -> None:
    ledger.erase_content(tx, memory_id)


def _erase_inbox(tx: WriteTx, memory_id: str, _: ChangeContext) -> None:
    inbox.erase(tx, memory_id)


def _erase_statements(tx: WriteTx, memory_id: str, _: ChangeContext) -> None:
    statements.erase(tx, memory_id)


def _erase_names(tx: WriteTx, _: str, context: ChangeContext) -> None:
    # A trigger has removed what referred to the memory, and marked its entities. Others may wait
    # for the retention sweep, more than are cleaned at once.
    while collect(tx, context.now, erased=True):
        pass


# The memory's own row comes first: it determines whether anything happens at all, and its index
# entries and embedding are removed with it.
FORGET: Final[tuple[RemovalStep, ...]] = (_drop_jobs,)
ERASE: Final[tuple[RemovalStep, ...]] = (
    _drop_jobs,
    _drop_feedback,
    _erase_ledger,
    _erase_inbox,
    _erase_statements,
    _erase_names,
)


def forget(
    tx: WriteTx, memory_id: str, audit: Audit, context: ChangeContext, *, pinned: bool = False
) -> ForgetOutcome:
    """Forget a memory in every package, so that it can be restored; see `operations.forget`."""
    outcome = operations.forget(tx, memory_id, audit, context, pinned=pinned)
    if isinstance(outcome, Done):
        for step in FORGET:
            step(tx, memory_id, context)
    return outcome


def erase(tx: WriteTx, memory_id: str, audit: Audit, context: ChangeContext) -> EraseOutcome:
    """Erase a memory and everything that packages store about it, permanently."""
    outcome = operations.erase(tx, memory_id, audit, context)
    if isinstance(outcome, Done):
        for step in ERASE:
            step(tx, memory_id, context)
        tx.empty_log_after_commit()
    return outcome
