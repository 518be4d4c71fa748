"""Selects the memories to inject with a prompt: only those that match it well enough."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal
from unicodedata import east_asian_width

from intaglio.base.settings.schema import HookSettings
from intaglio.fence.marks import strip_injected
from intaglio.memory.filters import Filter
from intaglio.recall.values import Answer, Hit, QueryPlan, Question
from intaglio.redaction.redact import clean
from intaglio.sessions import contract_text
from intaglio.sessions.context import MAX_CHARS, pack, units
from intaglio.sessions.ledger import InjectionCall
from intaglio.sessions.reminders.service import Reminders
from intaglio.sessions.services import ContextServices
from intaglio.sessions.session_start import ALREADY_SHOWN
from intaglio.sessions.values import (
    NOTHING,
    ContextBudget,
    ContextCandidate,
    ContextEntry,
    InjectedContext,
    SessionRef,
)

BELOW_THRESHOLD: Final = "matches too few of the prompt's rare words"
WEAK_MATCH: Final = "matches the prompt too weakly"
NO_ANSWER: Final = "doesn't answer the prompt"
NO_WORD: Final = "the prompt has no searchable word"
ONE_WORD: Final = "the prompt has only one searchable word"
OVER_LIMIT: Final = "over the limit of memories per prompt"
_MAX_QUERY: Final = 4_000
_POOL: Final = 4
_MIN_TERMS: Final = 2
_MIN_WIDE: Final = 4
_MANY_MATCHES: Final = 3


@dataclass(frozen=True, slots=True)
class PromptInput:
    """A prompt as the harness reports it; ``by_user`` is False if a machine sent it.

    ``has_tools`` is set if the agent can call our tools; ``agent_said`` returns what it said
    before the prompt, if that can be read.
    """

    text: str
    id: str | None = None
    by_user: bool = True
    has_tools: bool = False
    agent_said: Callable[[], Awaitable[str]] | None = None


@dataclass(frozen=True, slots=True)
class PromptContexts:
    """The prompt use case."""

    context: ContextServices
    recall: Callable[[Question], Awaitable[Answer]]
    reminders: Reminders

    async def show(
        self, session: SessionRef, prompt: PromptInput, max_chars: int = MAX_CHARS
    ) -> InjectedContext:
        """Return the context to inject with a prompt: one fenced block, often nothing.

        A save reminder may come with it. ``max_chars`` is the harness's limit in UTF-16 units.
        """
        began = self.context.ledger.seconds()
        found = await self._find(session, prompt)
        line = ""
        if prompt.by_user and prompt.has_tools and prompt.text.strip():
            line = await self.reminders.line(session, prompt.text, prompt.id, prompt.agent_said)
        if found is None:
            return replace(NOTHING, own_line=line)
        left = max_chars - units(line) - 1 if line else max_chars
        shown = self._pack(found, self.budget(session.harness, left))
        self._record(session, prompt, found, began, shown)
        return replace(shown, own_line=line)

    async def compose(
        self,
        session: SessionRef,
        prompt: str,
        filters: Filter,
        seen: Mapping[str, str],
        max_chars: int = MAX_CHARS,
    ) -> InjectedContext:
        """Compose what `show` returns for a user's prompt; writes nothing.

        ``filters`` select what the session's agent may be shown in its project; ``seen`` maps the
        memories in the session's context to when they were injected.
        """
        question = self._question(prompt, filters, counts_as_use=False)
        if question is None:
            return NOTHING
        answer = await self.recall(question)
        found = _select(answer, seen, self.context.settings().hooks, filters.project)
        return self._pack(found, self.budget(session.harness, max_chars))

    def budget(self, harness: str, max_chars: int = MAX_CHARS) -> ContextBudget:
        """Return how long the context of a prompt in a harness may be."""
        return ContextBudget(self.context.settings().harness[harness].prompt_max_tokens, max_chars)

    def _pack(self, found: "_Selected", budget: ContextBudget) -> InjectedContext:
        packed = pack(found.fresh, budget, self.context.fence, {"source": "prompt"})
        return InjectedContext(packed.text, (*packed.entries, *found.left), found.words)

    async def show_contract(self, session: SessionRef, prompt: PromptInput) -> InjectedContext:
        """Return the context in the client contract's format; it always includes the date."""
        began = self.context.ledger.seconds()
        heading = contract_text.date(self.context.local(self.context.clock()))
        found = await self._find(session, prompt)
        if found is None:
            return InjectedContext(heading)
        limit = self.context.settings().hooks.prompt_max_chars
        shown = contract_text.prompt(
            self.context.fence, heading, found.fresh, found.left, found.words, limit
        )
        self._record(session, prompt, found, began, shown)
        return shown

    def _record(
        self,
        session: SessionRef,
        prompt: PromptInput,
        found: "_Selected",
        began: float,
        injected: InjectedContext,
    ) -> None:
        call = InjectionCall("prompt", found.project, began, prompt_id=prompt.id)
        self.context.ledger.write(session, call, injected)

    async def _find(self, session: SessionRef, prompt: PromptInput) -> "_Selected | None":
        if session.subagent or not prompt.by_user or not prompt.text.strip():
            return None
        hooks = self.context.settings().hooks
        project = await self.context.visibility.project_key(session.project)
        filters = await self.context.visibility.filters(session.agent_id, project)
        question = self._question(prompt.text, filters)
        if question is None:
            return None
        answer = await self.recall(question)
        if session.anonymous:
            return _select(answer, {}, hooks, project)
        # A prompt can follow the session's start within milliseconds, while the start's ledger is
        # still being written in the background.
        await self.context.ledger.settled()
        seen = await self.context.db.read(lambda tx: self.context.ledger.in_context(tx, session))
        return _select(answer, seen, hooks, project)

    def _question(
        self, prompt: str, filters: Filter, *, counts_as_use: bool = True
    ) -> Question | None:
        """Return what to ask recall for a prompt; None if it says nothing."""
        # Redact before searching: the search terms are stored in the ledger.
        text = clean(strip_injected(prompt)[:_MAX_QUERY]).strip()
        if not text:
            return None
        hooks = self.context.settings().hooks
        return Question(
            text=text,
            limit=hooks.prompt_limit * _POOL,
            embed_within_s=hooks.prompt_embed_ms / 1000,
            filters=filters,
            counts_as_use=counts_as_use,
        )


@dataclass(frozen=True, slots=True)
class _Selected:
    project: str | None
    fresh: tuple[ContextCandidate, ...]
    left: tuple[ContextEntry, ...]
    words: tuple[str, ...]


def _select(
    answer: Answer, seen: Mapping[str, str], hooks: HookSettings, project: str | None
) -> _Selected:
    fresh: list[ContextCandidate] = []
    left: list[ContextEntry] = []
    for found in (*answer.hits, *answer.near_misses):
        reason = match_reason(found, answer.plan, "prompt")
        candidate = ContextCandidate(found.memory, reason, found.score)
        at = seen.get(found.memory.id)
        if weakness := _weakness(found, answer.plan, hooks):
            if _is_near(found, hooks):
                left.append(ContextEntry(candidate, "", 0, weakness))
        elif at is not None and found.memory.updated_at <= at:
            left.append(ContextEntry(candidate, "", 0, ALREADY_SHOWN))
        elif len(fresh) >= hooks.prompt_limit:
            left.append(ContextEntry(candidate, "", 0, OVER_LIMIT))
        else:
            fresh.append(candidate)
    return _Selected(project, tuple(fresh), tuple(left), answer.plan.words)


def match_reason(hit: Hit, plan: QueryPlan, asked: Literal["prompt", "question"]) -> str:
    """Say how a memory matches what was asked, in the words that were used there."""
    words = dict(zip(plan.terms, plan.words, strict=True))
    matched = ", ".join(words.get(term, term) for term in hit.signals.matched)
    parts = [f"covers {hit.signals.coverage:.0%} of the {asked}: {matched}"] if matched else []
    parts += hit.signals.reasons
    if hit.signals.meaning is None and hit.signals.cosine is not None:
        parts.append(f"similarity in meaning {hit.signals.cosine:.2f}")
    return "; ".join(parts)


def _is_near(hit: Hit, hooks: HookSettings) -> bool:
    """Return whether the ledger lists a memory that is left out as too weak a match."""
    return max(hit.signals.coverage, hit.signals.cosine or 0.0) >= hooks.prompt_min_coverage / 2


def _weakness(hit: Hit, plan: QueryPlan, hooks: HookSettings) -> str:
    """Say why a memory doesn't match a prompt well enough to be injected; nothing if it does.

    A one-word prompt ("continue") says too little. Most prompts are orders that no memory answers,
    so the floor is higher than for a question. Its default was measured on questions with and
    without answer, and on prompts of coding sessions.
    """
    if not _says_enough(plan):
        return ONE_WORD if plan.terms else NO_WORD
    match = hit.signals.own_match
    if match is None:
        return _weakness_by_blend(hit, hooks)
    if not hit.answers:
        return NO_ANSWER
    return "" if match >= hooks.prompt_min_match else f"{WEAK_MATCH} ({match:.2f})"


def _says_enough(plan: QueryPlan) -> bool:
    """Return whether a prompt has several words; scripts without spaces count by characters."""
    wide = sum(east_asian_width(char) in "WF" for word in plan.words for char in word)
    return len(plan.terms) >= _MIN_TERMS or wide >= _MIN_WIDE


def _weakness_by_blend(hit: Hit, hooks: HookSettings) -> str:
    """Say why a memory without token states doesn't match; it can by keywords or semantically.

    A long prompt is never covered far, so half the coverage suffices if several words match.
    """
    coverage, matches = hit.signals.coverage, len(hit.signals.matched)
    min_coverage = hooks.prompt_min_coverage
    if (hit.signals.cosine or 0.0) >= hooks.prompt_min_cosine:
        return ""
    if coverage >= min_coverage or (coverage >= min_coverage / 2 and matches >= _MANY_MATCHES):
        return ""
    return f"{BELOW_THRESHOLD} ({coverage:.0%})"
