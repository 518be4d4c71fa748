"""Records in a session's ledger what its agent's tools recalled."""

from dataclasses import dataclass

from intaglio.base.text import estimate_tokens
from intaglio.recall.values import Answer
from intaglio.sessions import ledger
from intaglio.sessions.prompt import match_reason
from intaglio.sessions.values import (
    ContextCandidate,
    ContextEntry,
    InjectedContext,
    SessionRef,
    SessionServices,
)


@dataclass(frozen=True, slots=True)
class ToolRecalls:
    """The use case of a recall by an agent's tools within a session."""

    services: SessionServices

    async def record(self, session: SessionRef, answer: Answer, began: float) -> None:
        """Record an answer; ``began`` is the monotonic time in seconds of the question.

        It doesn't count as told: a later start or prompt may still send the same memories.
        """
        project = await self.services.project_key(session.project)
        entries = tuple(
            ContextEntry(
                ContextCandidate(hit.memory, match_reason(hit, answer.plan, "question"), hit.score),
                line=hit.memory.content,
                tokens=estimate_tokens(hit.memory.content),
            )
            for hit in answer.hits
        )
        found = InjectedContext("", entries, answer.plan.words)
        ledger.write(self.services, session, ledger.InjectionCall("recall", project, began), found)
