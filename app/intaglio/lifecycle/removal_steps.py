"""What other packages do when a memory is forgotten or erased, and in which order.

A package that holds something of memories adds its function here, and nowhere else.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from intaglio.jobs import rows as jobs
from intaglio.memory import operations
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import Done, EraseOutcome, ForgetOutcome
from intaglio.sessions import feedback_rows as feedback
from intaglio.sessions import rows as ledger
from intaglio.store.tx import WriteTx

RemovalStep: TypeAlias = Callable[[WriteTx, str, ChangeContext], None]
"""What one owner does with the memory of this id, inside the caller's transaction."""


def _drop_jobs(tx: WriteTx, memory_id: str, _: ChangeContext) -> None:
    jobs.drop(tx, memory_id)


def _drop_feedback(tx: WriteTx, memory_id: str, _: ChangeContext) -> None:
    feedback.drop(tx, memory_id)


def _erase_ledger(tx: WriteTx, memory_id: str, _: ChangeContext) -> None:
    ledger.erase_words(tx, memory_id)


# The memory's own row comes first: it says whether anything happens at all, and takes its index
# entries and its vector along.
FORGET: Final[tuple[RemovalStep, ...]] = (_drop_jobs,)
ERASE: Final[tuple[RemovalStep, ...]] = (_drop_jobs, _drop_feedback, _erase_ledger)


def forget(tx: WriteTx, memory_id: str, audit: Audit, context: ChangeContext) -> ForgetOutcome:
    """Forget a memory in every package, so that it can be recovered."""
    outcome = operations.forget(tx, memory_id, audit, context)
    if isinstance(outcome, Done):
        for step in FORGET:
            step(tx, memory_id, context)
    return outcome


def erase(tx: WriteTx, memory_id: str, audit: Audit, context: ChangeContext) -> EraseOutcome:
    """Delete a memory and what every package holds of it, for good."""
    outcome = operations.erase(tx, memory_id, audit, context)
    if isinstance(outcome, Done):
        for step in ERASE:
            step(tx, memory_id, context)
        tx.empty_log_after_commit()
    return outcome
