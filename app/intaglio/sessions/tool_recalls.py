"""Records in a session's ledger what its agent's tools searched, read and were given."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from intaglio.base.text import estimate_tokens
from intaglio.memory.values import Memory
from intaglio.recall.values import Answer
from intaglio.sessions.ledger import InjectionCall, Ledger
from intaglio.sessions.prompt_matches import match_reason
from intaglio.sessions.values import (
    CommitCandidate,
    ContextCandidate,
    ContextEntry,
    InjectedContext,
    SessionRef,
)


@dataclass(frozen=True, slots=True)
class ToolRecalls:
    """The use case of a recall by an agent's tools within a session.

    It doesn't count as told: a later start or prompt may still send the same memories. ``began`` is
    the monotonic time in seconds of the question, ``chars`` how much of each text was returned.
    """

    ledger: Ledger
    project_key: Callable[[str | None], Awaitable[str | None]]

    async def record(
        self,
        session: SessionRef,
        answer: Answer,
        began: float,
        chars: int | None = None,
        commits: tuple[CommitCandidate, ...] = (),
    ) -> None:
        """Record the answer to a question, and the commits that were returned with it."""
        found = [
            ContextCandidate(hit.memory, match_reason(hit, answer.plan, "question"), hit.score)
            for hit in answer.hits
        ]
        await self._record(session, found, answer.plan.words, began, chars, commits)

    async def record_read(
        self,
        session: SessionRef,
        memories: Sequence[Memory],
        reason: str,
        began: float,
        chars: int | None = None,
    ) -> None:
        """Record memories that were read without a question, and how."""
        found = [ContextCandidate(memory, reason) for memory in memories]
        await self._record(session, found, (), began, chars)

    def begin_anonymous(self, session: SessionRef, project: str | None) -> None:
        """Begin the anonymous session that a change is recorded in, unless it is known."""
        self.ledger.begin_anonymous(session, project)

    async def _record(
        self,
        session: SessionRef,
        found: Sequence[ContextCandidate],
        words: tuple[str, ...],
        began: float,
        chars: int | None,
        commits: tuple[CommitCandidate, ...] = (),
    ) -> None:
        project = await self.project_key(session.project)
        entries = tuple(
            ContextEntry(each, each.memory.content, estimate_tokens(each.memory.content[:chars]))
            for each in found
        )
        call = InjectionCall("recall", project, began)
        self.ledger.write(session, call, InjectedContext("", entries, words, commits=commits))
