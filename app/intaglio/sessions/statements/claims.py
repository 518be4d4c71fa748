"""Decides what becomes of a rule, preference or decision that an agent claims the user stated.

If the user's own words of that session were kept as a memory, it is that memory. Else the user is
asked, with the agent's words as evidence; the agent's wording is never saved without the user.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from intaglio.base.errors import ConflictError
from intaglio.domain.memory_types import MemoryType
from intaglio.domain.reader import USER
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import (
    AlreadyOpen,
    DroppedBefore,
    Evidence,
    NewSuggestion,
    SuggestOutcome,
)
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import Wording, relate
from intaglio.memory import rows as memories
from intaglio.memory.values import AGENT_SOURCE, Source
from intaglio.projects import settings_rows
from intaglio.sessions.statements import rows
from intaglio.sessions.statements.claim_words import ClaimWords
from intaglio.sessions.statements.plan import may_concern
from intaglio.sessions.statements.services import CaptureServices
from intaglio.sessions.statements.values import ClaimType, RecordedStatement
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import WriteTx

CatchUp: TypeAlias = Callable[[SessionRef], Awaitable[object]]
"""Captures what a session's user has said up to now."""

_CONFIDENCE: Final = 0.5
_MAX_OPEN: Final = 100
_MIN_SHARED: Final = 2
_MIN_SHARE: Final = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentClaim:
    """What an agent claims; ``session`` is where, None if no session is known.

    ``ledger_session_id`` is where it is recorded, and ``words`` are shown to the user. It
    ``replaces`` memories, if the user accepts it.
    """

    content: str
    type: MemoryType
    harness: str
    agent_id: str
    project: str | None
    session: SessionRef | None
    ledger_session_id: str
    words: str
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SaidByUser:
    """The user said so in this session: a memory of their words, and the sentence."""

    memory_id: str
    content: str
    sentence: str


ClaimOutcome: TypeAlias = SaidByUser | SuggestOutcome
"""What was suggested waits in the inbox for the user's decision."""


@dataclass(frozen=True, slots=True)
class AgentClaims:
    """The use case of an agent's claims.

    ``catch_up`` captures what the user has said so far: otherwise a turn's statements are on record
    only at its end.
    """

    services: CaptureServices
    catch_up: CatchUp

    async def claimed_type(self, content: str) -> ClaimType | None:
        """Return what a text claims about the user, or tells agents to do; None for a fact."""
        return await ClaimWords(self.services).type_of(content)

    async def settle(self, claim: AgentClaim) -> ClaimOutcome:
        """Return the memory of what the user said, or suggest what only the agent says.

        Raises ConflictError if too many suggestions of agents wait for the user.
        """
        said = await self._said(claim, claim.session) if claim.session is not None else None
        if said is None:
            return await self.services.db.write(lambda tx: self._suggest(tx, claim))
        return await self.services.db.write(lambda tx: self._settled(tx, claim, said))

    def _settled(
        self, tx: WriteTx, claim: AgentClaim, said: RecordedStatement
    ) -> SaidByUser | AlreadyOpen | DroppedBefore:
        """Return the memory of the user's words, or the suggestion that waits for the user."""
        found = rows.at(tx, said.harness, said.message_id, said.start)
        if found is None:
            return DroppedBefore("")
        known = memories.get(tx, found.memory_id) if found.memory_id else None
        if known is not None and not known.is_deleted:
            return SaidByUser(known.id, known.content, said.sentence)
        item = inbox.find_readable(tx, found.inbox_id, USER) if found.inbox_id else None
        if item is None or item.status != "open":
            return DroppedBefore(item.id if item else "")
        # What capture wasn't sure of doesn't become surer because an agent repeats it.
        inbox.add_evidence(tx, item.id, self._evidence(claim))
        if claim.replaces:
            inbox.add_replaced(tx, item.id, claim.replaces)
        return AlreadyOpen(item.id)

    @staticmethod
    def _evidence(claim: AgentClaim) -> Evidence:
        return Evidence(claim.words, claim.harness, claim.ledger_session_id)

    async def _said(self, claim: AgentClaim, session: SessionRef) -> RecordedStatement | None:
        """Return what the user said in the session about the same, the latest first."""
        await self.catch_up(session)
        on_record = await self.services.db.read(
            lambda tx: rows.of_session(tx, session.harness, session.id)
        )
        said = [each for each in reversed(on_record) if may_concern(each.content, claim.content)]
        if not said:
            return None
        claimed, *texts = await self._wordings([claim.content, *(each.content for each in said)])
        pairs = zip(said, texts, strict=True)
        return next((each for each, text in pairs if _is_about_the_same(claimed, text)), None)

    async def _wordings(self, texts: Sequence[str]) -> list[Wording]:
        vectors = await self.services.sentence_vectors(texts)
        if vectors is None:
            return [Wording(text) for text in texts]
        return [Wording(text, vector) for text, vector in zip(texts, vectors, strict=True)]

    def _suggest(self, tx: WriteTx, claim: AgentClaim) -> SuggestOutcome:
        if inbox_rows.count_open_of_source(tx, AGENT_SOURCE) >= _MAX_OPEN:
            raise ConflictError(
                f"{_MAX_OPEN} suggestions of agents wait for the user's decision",
                hint="Ask the user to look at the inbox first.",
            )
        new = NewSuggestion(
            content=claim.content,
            type=claim.type,
            agent_id=claim.agent_id,
            project=claim.project,
            source=Source(AGENT_SOURCE),
            confidence=_CONFIDENCE,
            evidence=self._evidence(claim),
            replaces=claim.replaces,
            visibility=settings_rows.visibility(tx, claim.project),
        )
        outcome = inbox.suggest(tx, new, self.services.context)
        if isinstance(outcome, AlreadyOpen):
            inbox.add_evidence(tx, outcome.id, new.evidence)
        return outcome


def _is_about_the_same(claimed: Wording, said: Wording) -> bool:
    """Whether the user's statement settles the claim; even one that denies it does.

    Only the user's words count then, so this may be generous.
    """
    both = topic_overlap(claimed.text, said.text)
    is_near = len(both.shared) >= _MIN_SHARED and both.share >= _MIN_SHARE
    return is_near or relate(claimed, said) == "duplicate"
