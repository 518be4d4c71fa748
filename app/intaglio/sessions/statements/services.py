"""What judging and recording statements is built from; like `sessions.services`, no defaults."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from intaglio.base.process.threads import RunInThread
from intaglio.base.settings.values import Settings
from intaglio.domain.statement_pairs import ReadPairs
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database

if TYPE_CHECKING:
    from intaglio.language.relations import ClauseVector

VectorSource: TypeAlias = "Callable[[Sequence[str]], Awaitable[Sequence[ClauseVector] | None]]"
"""Returns one vector per text, in the order of the texts; None without the included model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureServices:
    """What judging and recording the user's statements needs.

    ``context`` is that of changes, ``frozen`` whether they are refused. ``clause_vectors`` returns
    what clauses are judged by, ``sentence_vectors`` what texts are compared by, ``read_pairs`` how
    likely two statements contradict, all by the included model, or None if it can't be used.
    """

    db: Database
    settings: Callable[[], Settings]
    context: ChangeContext
    frozen: Callable[[], bool]
    in_thread: RunInThread
    clause_vectors: VectorSource
    sentence_vectors: VectorSource
    read_pairs: ReadPairs
