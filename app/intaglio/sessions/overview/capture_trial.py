"""What capture would make of a text, and what a session would then be told; writes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.capture.transcripts import TranscriptMessage
from intaglio.capture.values import Outcome, StatementType
from intaglio.domain.context_groups import ConstraintBasis
from intaglio.graph.link_memory import basis_of
from intaglio.memory.decay import Aging
from intaglio.memory.settings import MemorySettings
from intaglio.memory.values import Memory, NewMemory
from intaglio.sessions.context import MAX_CHARS, pack
from intaglio.sessions.project_notes import NO_NOTES
from intaglio.sessions.selection.memory_pool import MemoryPool
from intaglio.sessions.selection.recent_work import recent_work
from intaglio.sessions.selection.select import choose
from intaglio.sessions.session_start import SessionStarts
from intaglio.sessions.settings import HookSettings
from intaglio.sessions.statements.turn import TurnCapture
from intaglio.sessions.statements.values import UserMessage
from intaglio.sessions.values import SessionRef

# No harness is named so: the settings for all harnesses hold.
_HARNESS: Final = ""
_ATTRIBUTES: Final = {"source": "session-start"}


@dataclass(frozen=True, slots=True)
class TriedStatement:
    """A statement in the text, and what would become of it."""

    content: str
    type: StatementType
    outcome: Outcome
    everywhere: bool


@dataclass(frozen=True, slots=True)
class TriedCapture:
    """The statements of a text in order, and what a session would be told of those kept.

    ``told`` is exactly what it would be sent if nothing else were known; empty if none is kept.
    """

    statements: tuple[TriedStatement, ...]
    told: str


@dataclass(frozen=True, slots=True)
class CaptureTrials:
    """Judges a text as capture judges a prompt, and composes what the next session is told."""

    turns: TurnCapture
    starts: SessionStarts

    async def of(self, text: str, project: str) -> TriedCapture:
        """Judge ``text`` as the first prompt of a session of ``project``, a project's key."""
        session = SessionRef(harness=_HARNESS, id="", project=project)
        line = TranscriptMessage("", "user", text, time=self.starts.context.clock())
        judged = await self.turns.judged(UserMessage(session, project, line))
        kept = [one.memory for one in judged if one.row.outcome == "kept" and one.memory]
        statements = [
            TriedStatement(one.row.content, one.row.type, outcome, one.row.everywhere)
            for one in judged
            if (outcome := one.row.outcome) != "withdrawal"
        ]
        return TriedCapture(tuple(statements), self._told(kept, project) if kept else "")

    def _told(self, kept: Sequence[NewMemory], project: str) -> str:
        settings, now = self.starts.context.settings(), self.starts.context.clock()
        memories = [_stored(number, memory) for number, memory in enumerate(kept, 1)]
        bound: list[tuple[Memory, ConstraintBasis]] = []
        others: list[Memory] = []
        for each in memories:
            basis = basis_of(each, edited=False)
            if basis is None:
                others.append(each)
            else:
                bound.append((each, basis))
        pool = MemoryPool(
            constraints=tuple(bound),
            others=tuple(others),
            changed=(),
            tokens={each.id: () for each in others},
            work=recent_work((), ()),
            spelled={},
            recalled=frozenset(),
            recent=frozenset(each.id for each in memories),
        )
        aging = Aging(settings.of(MemorySettings).decay_rate, now)
        lines = settings.of(HookSettings).start_recall_limit
        chosen = choose(pool, aging, NO_NOTES, project, lines)
        budget = self.starts.budget(_HARNESS, MAX_CHARS)
        return pack(chosen.candidates, budget, self.starts.context.fence, _ATTRIBUTES).text


def _stored(number: int, memory: NewMemory) -> Memory:
    """Return a memory as it would be read once it is stored."""
    return Memory(
        seq=number,
        id=str(number),
        content=memory.content,
        type=memory.type,
        importance=memory.importance,
        confidence=memory.confidence,
        pinned=memory.pinned,
        tags=memory.tags,
        who=memory.who,
        why=memory.why,
        scope=memory.scope,
        source=memory.source,
        session_id=memory.session_id,
        created_at=memory.created_at,
        updated_at=memory.created_at,
        updated_by=memory.who,
        runtime_path=memory.runtime_path,
        last_accessed=None,
        access_count=0,
        version=1,
        is_deleted=False,
        deleted_at=None,
        extraction_status="none",
        embedding_model=None,
        worded_at=memory.created_at,
    )
