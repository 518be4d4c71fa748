"""The newest errors of the pipeline, by stage and code."""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from intaglio.base.clock import Clock, iso

ErrorStage: TypeAlias = Literal[
    "extraction", "decision", "embedding", "mutation", "connector", "job"
]
ErrorCode: TypeAlias = Literal[
    "EXTRACTION_TIMEOUT",
    "EXTRACTION_PARSE_FAIL",
    "EXTRACTION_PROVIDER_DOWN",
    "DECISION_TIMEOUT",
    "DECISION_INVALID",
    "DECISION_PROVIDER_DOWN",
    "EMBEDDING_PROVIDER_DOWN",
    "EMBEDDING_TIMEOUT",
    "MUTATION_CONFLICT",
    "MUTATION_SCOPE_DENIED",
    "CONNECTOR_SYNC_FAIL",
    "CONNECTOR_AUTH_FAIL",
    "JOB_FAILED",
]
"""The taxonomy of seed 001; a language model that can't be reached and a job are ours."""

_CAPACITY: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorEntry:
    """An error: when, where and which; ``message`` has no secrets and no text of memories."""

    at: str
    stage: ErrorStage
    code: ErrorCode
    message: str
    request_id: str | None = None
    memory_id: str | None = None
    actor: str | None = None


@dataclass(slots=True)
class ErrorRing:
    """The newest 500 errors; older ones are dropped. ``on_add`` is told of each."""

    clock: Clock
    on_add: Callable[[ErrorEntry], None] = lambda _: None
    _entries: deque[ErrorEntry] = field(default_factory=lambda: deque[ErrorEntry](maxlen=_CAPACITY))

    def add(
        self,
        stage: ErrorStage,
        code: ErrorCode,
        message: str,
        *,
        request_id: str | None = None,
        memory_id: str | None = None,
        actor: str | None = None,
    ) -> None:
        """Record an error that has just happened."""
        entry = ErrorEntry(
            at=iso(self.clock()),
            stage=stage,
            code=code,
            message=message,
            request_id=request_id,
            memory_id=memory_id,
            actor=actor,
        )
        self._entries.append(entry)
        self.on_add(entry)

    def since(self, moment: str, stage: str | None = None) -> Sequence[ErrorEntry]:
        """Return the errors after an ISO time, oldest first; of one stage if it is given."""
        return [
            entry
            for entry in self._entries
            if entry.at > moment and (stage is None or entry.stage == stage)
        ]

    @property
    def summary(self) -> dict[str, int]:
        """How many there are of each code."""
        return dict(Counter(entry.code for entry in self._entries))
