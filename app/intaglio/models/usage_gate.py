"""Admits calls of language models, and records what they cost."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from intaglio.base.clock import Clock, iso
from intaglio.inference.completion.ports import Completed, ModelName, NotCompleted
from intaglio.models import usage_rows
from intaglio.models.prompt import ModelPrompt, ModelRole
from intaglio.models.usage_rows import CallRow
from intaglio.models.values import CallContext, MustWait
from intaglio.store.database import Database

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageGate:
    """The gate of the daemon; ``name`` returns the model that is asked in a role."""

    db: Database
    clock: Clock
    local: Callable[[datetime], datetime]
    name: Callable[[ModelRole], ModelName | None]

    def rest_s(self, stage: str) -> float:
        """In how many seconds a stage may call again; 0 if it may now. Reads no database."""
        del stage
        return 0.0

    async def admit(
        self, prompt: ModelPrompt[T], context: CallContext, chars: int
    ) -> MustWait | None:
        """Return why a call with a text of so many characters must wait, or None."""
        del prompt, context, chars
        return None

    async def record(
        self,
        prompt: ModelPrompt[T],
        context: CallContext,
        outcome: Completed | NotCompleted,
        *,
        ms: float,
        unreadable: str = "",
    ) -> None:
        """Record a call that was made, with its outcome."""
        name = self.name(prompt.role) or ModelName("none", "")
        now = self.clock()
        failed = outcome.reason if isinstance(outcome, NotCompleted) else ""
        call = CallRow(
            at=iso(now),
            day=f"{self.local(now):%Y-%m-%d}",
            provider=name.provider,
            model=name.model,
            stage=context.stage,
            prompt=prompt.name,
            prompt_version=prompt.version,
            tokens_read=outcome.tokens.read,
            tokens_written=outcome.tokens.written,
            is_estimated=outcome.tokens.estimated,
            usd=None,
            ms=round(ms),
            attempts=outcome.attempts,
            outcome=failed or ("unreadable" if unreadable else "answered"),
            project=context.project,
            subject=context.subject,
        )
        await self.db.write(lambda tx: usage_rows.insert(tx, call))
