"""What the next session of a project would be told; composed as for a session, writes nothing."""

from dataclasses import dataclass, replace
from typing import Final

from intaglio.base.clock import iso
from intaglio.base.settings.values import Settings
from intaglio.base.text import estimate_tokens
from intaglio.code.settings import CodeSettings
from intaglio.recall.query import Recall
from intaglio.recall.settings import SearchSettings
from intaglio.sessions.context import units
from intaglio.sessions.prompt import PromptContexts
from intaglio.sessions.session_start import SessionStarts
from intaglio.sessions.values import (
    ContextBudget,
    ContextEntry,
    InjectedContext,
    SessionRef,
)

# Sessions have a harness's id; none is empty, so this session is never in the ledger.
_NEXT: Final = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewedContext:
    """What would be injected: ``tokens`` and ``chars`` of the whole text, and the budget."""

    context: InjectedContext
    budget: ContextBudget

    @property
    def tokens(self) -> int:
        """The estimated tokens of the text."""
        return estimate_tokens(self.context.text)

    @property
    def chars(self) -> int:
        """The length of the text in UTF-16 units."""
        return units(self.context.text)

    @property
    def shown(self) -> list[ContextEntry]:
        """The entries in the text, in its order."""
        return [entry for entry in self.context.entries if entry.shown]

    @property
    def shown_alone(self) -> list[ContextEntry]:
        """The entries in the text that no past session of it tells."""
        told = {line.memory_id for each in self.context.sessions for line in each.lines}
        return [entry for entry in self.shown if entry.candidate.memory.id not in told]

    @property
    def left_out(self) -> list[ContextEntry]:
        """The entries that were left out, best first."""
        return [entry for entry in self.context.entries if not entry.shown]


@dataclass(frozen=True, slots=True)
class PreviewedSession:
    """What the next session of ``project`` would be told at its start, and with a prompt."""

    project: str | None
    start: PreviewedContext
    prompt: PreviewedContext | None


@dataclass(frozen=True, slots=True)
class SessionPreviews:
    """The preview use case."""

    starts: SessionStarts
    prompts: PromptContexts
    recall: Recall

    def under(self, settings: Settings) -> "SessionPreviews":
        """Return the use case with other settings than those in use.

        Caches are shared: none depends on a setting.
        """
        context = self.starts.context
        places = replace(context.places, settings=lambda: settings.of(CodeSettings))
        context = replace(context, settings=lambda: settings, places=places)
        recall = replace(self.recall, settings=lambda: settings.of(SearchSettings))
        return SessionPreviews(
            replace(
                self.starts,
                context=context,
                recoveries=replace(self.starts.recoveries, settings=lambda: settings),
            ),
            replace(
                self.prompts,
                context=context,
                recall=recall.recall,
                commits=replace(self.prompts.commits, settings=lambda: settings),
            ),
            recall,
        )

    async def preview(
        self,
        harness: str,
        agent_id: str,
        project: str | None,
        prompt: str | None,
        max_chars: int,
    ) -> PreviewedSession:
        """Compose what a session that starts now would be told.

        ``project`` is a project's key; ``max_chars`` the harness's limit in UTF-16 units.
        """
        session = SessionRef(harness=harness, id=_NEXT, agent_id=agent_id, project=project)
        filters = await self.starts.context.visibility.filters(agent_id, project, is_active=False)
        start = PreviewedContext(
            context=await self.starts.compose(session, "startup", filters, max_chars),
            budget=self.starts.budget(harness, max_chars),
        )
        if prompt is None:
            return PreviewedSession(project, start, None)
        # As at a session's start: without its model, recall would answer by keywords alone.
        self.starts.warm()
        now = iso(self.starts.context.clock())
        seen = {memory.id: now for memory in start.context.memories}
        added = PreviewedContext(
            context=await self.prompts.compose(session, prompt, filters, seen, max_chars),
            budget=self.prompts.budget(harness, max_chars),
        )
        return PreviewedSession(project, start, added)
