"""Composes what a session is told with a prompt: one block at the first, then little or nothing.

The first prompt is compared with past sessions as wholes, and with single memories. Later ones are
told only what is new and matches well.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from intaglio.base.text import estimate_tokens
from intaglio.fence.marks import strip_injected
from intaglio.memory.filters import Filter
from intaglio.recall.values import Answer, Hit, Question
from intaglio.redaction.redact import clean
from intaglio.sessions import contract_text, rows
from intaglio.sessions.asked.words import AskedWords, asked_words, contains_name, core_question
from intaglio.sessions.commits import choose as commit_choice
from intaglio.sessions.commits.finder import NO_COMMITS, NO_ROOM, CommitFinder, FoundCommits
from intaglio.sessions.context import COMMITS_HEADER, HEADER, MAX_CHARS, pack, units
from intaglio.sessions.first_mentions import first_mention
from intaglio.sessions.ledger import InjectionCall
from intaglio.sessions.past_sessions.choose import FIRST_PROMPT, LATER_PROMPT
from intaglio.sessions.past_sessions.finder import NO_SESSIONS, FoundSessions, PastSessionFinder
from intaglio.sessions.place_marks import marked
from intaglio.sessions.project_notes import ProjectNotes
from intaglio.sessions.prompt_matches import (
    FIRST,
    LATER,
    SelectedForPrompt,
    says_enough,
    select_for_prompt,
)
from intaglio.sessions.reminders.service import Reminders
from intaglio.sessions.selection.later_sessions import later_sessions
from intaglio.sessions.selection.select import NOT_BINDING
from intaglio.sessions.services import ContextServices
from intaglio.sessions.settings import HarnessSettings, HookSettings
from intaglio.sessions.statements.constraints import constraints_among
from intaglio.sessions.values import (
    NOTHING,
    CommitCandidate,
    ContextBudget,
    ContextCandidate,
    ContextEntry,
    InjectedContext,
    SessionRef,
)
from intaglio.store.tx import ReadTx

_MAX_QUERY: Final = 4_000
# Of the twenty thousand characters that are read, no more than half were injected.
_MAX_CLEANED: Final = 40_000
_POOL: Final = 4
# What commits leave of the budget, at most half: in so many tokens, a past session tells what was
# settled.
_FOR_SESSIONS: Final = 250
_SOURCE: Final = {"source": "prompt"}
FROM_SESSION: Final = "from a past session that matches the prompt"


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
    past: PastSessionFinder
    commits: CommitFinder

    async def show(
        self, session: SessionRef, prompt: PromptInput, max_chars: int = MAX_CHARS
    ) -> InjectedContext:
        """Return the context to inject with a prompt: one fenced block, often nothing.

        A save reminder may come with it. ``max_chars`` is the harness's limit in UTF-16 units.
        """
        began = self.context.ledger.seconds()
        project = await self.context.visibility.project_key(session.project)
        own = await self.context.chosen_for(project)
        if own.told == "nothing":
            return NOTHING
        budget = self.budget(session.harness, max_chars)
        found = await self._find(session, prompt, project, budget)
        line = ""
        if prompt.by_user and prompt.has_tools and prompt.text.strip():
            line = await self.reminders.line(
                session, prompt.text, prompt.id, prompt.agent_said, captures=own.capture
            )
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
        """Compose what `show` returns for a user's first prompt; writes nothing.

        ``filters`` select what the session's agent may be shown in its project; ``seen`` maps the
        memories in the session's context to when they were injected.
        """
        asked = _asked(prompt)
        own = await self.context.chosen_for(filters.project)
        if asked is None or own.told == "nothing":
            return NOTHING
        budget = self.budget(session.harness, max_chars)
        found = await self._search(
            session, asked, filters, budget, lambda _: _Known(seen), counts_as_use=False
        )
        return self._pack(found, budget)

    def budget(self, harness: str, max_chars: int = MAX_CHARS) -> ContextBudget:
        """Return how long the context of a prompt in a harness may be."""
        return ContextBudget(
            self.context.settings().harness(HarnessSettings, harness).prompt_max_tokens, max_chars
        )

    async def show_contract(self, session: SessionRef, prompt: PromptInput) -> InjectedContext:
        """Return the context in the client contract's format; it always includes the date."""
        began = self.context.ledger.seconds()
        heading = contract_text.date(self.context.local(self.context.clock()))
        budget = self.budget(session.harness)
        project = await self.context.visibility.project_key(session.project)
        own = await self.context.chosen_for(project)
        is_silent = own.told == "nothing"
        found = None if is_silent else await self._find(session, prompt, project, budget)
        if found is None:
            return InjectedContext(heading)
        limit = self.context.settings().of(HookSettings).prompt_max_chars
        memories = found.memories
        shown = contract_text.prompt(
            self.context.fence, heading, memories.fresh, memories.left, memories.words, limit
        )
        if found.sessions.lines or found.commits.lines:
            block = self._pack(replace(found, memories=replace(memories, fresh=())), budget)
            shown = replace(
                shown,
                text=f"{shown.text}\n\n{block.text}",
                entries=(*_told(block), *shown.entries),
                sessions=block.sessions,
                commits=block.commits,
            )
        self._record(session, prompt, found, began, shown)
        return shown

    def _record(
        self,
        session: SessionRef,
        prompt: PromptInput,
        found: "_Found",
        began: float,
        injected: InjectedContext,
    ) -> None:
        call = InjectionCall("prompt", found.project, began, prompt_id=prompt.id)
        self.context.ledger.write(session, call, injected)

    async def _find(
        self,
        session: SessionRef,
        prompt: PromptInput,
        project: str | None,
        budget: ContextBudget,
    ) -> "_Found | None":
        if session.subagent or not prompt.by_user:
            return None
        asked = _asked(prompt.text)
        if asked is None:
            return None
        filters = await self.context.visibility.filters(session.agent_id, project)
        if session.anonymous:
            return await self._search(session, asked, filters, budget, lambda _: _Known({}))
        # A prompt can follow the session's start within milliseconds, while the start's ledger is
        # still being written in the background.
        await self.context.ledger.settled()

        def known(tx: ReadTx) -> _Known:
            ledger = self.context.ledger
            return _Known(
                ledger.in_context(tx, session),
                rows.prompts_told(tx, session),
                frozenset(ledger.held_back(tx, session)),
            )

        return await self._search(session, asked, filters, budget, known)

    async def _search(
        self,
        session: SessionRef,
        asked: AskedWords,
        filters: Filter,
        budget: ContextBudget,
        known: "Callable[[ReadTx], _Known]",
        *,
        counts_as_use: bool = True,
    ) -> "_Found":
        """Search memories, past sessions and commits."""
        answer = await self._answer(asked, filters, counts_as_use=counts_as_use)
        hooks = self.context.settings().of(HookSettings)
        prepared = await self.past.prepare(asked, hooks.prompt_embed_ms / 1000)
        notes = await self.context.notes(session.harness, filters.project, session.project)
        tokens = budget.tokens - estimate_tokens(self.context.fence.wrap(HEADER, _SOURCE)) - 1

        def work(tx: ReadTx) -> tuple[_Found, frozenset[str]]:
            current = known(tx)
            is_first = current.prompts == 0
            sessions, commits = NO_SESSIONS, NO_COMMITS
            only_binding = self.context.chosen(tx, filters.project).told == "constraints"
            if says_enough(answer.plan) and not only_binding:
                commits = self.commits.find(
                    tx,
                    asked,
                    session,
                    filters.project,
                    prepared,
                    max(tokens - _FOR_SESSIONS, tokens // 2),
                    commit_choice.FIRST_PROMPT if is_first else commit_choice.LATER_PROMPT,
                )
                sessions = self.past.find(
                    tx,
                    prepared,
                    session,
                    filters,
                    answer.hits,
                    current.seen,
                    tokens - commits.tokens,
                    FIRST_PROMPT if is_first else LATER_PROMPT,
                )
            memories = select_for_prompt(
                answer,
                current.seen,
                hooks,
                sessions.memories,
                FIRST if is_first else LATER,
                current.held_back,
                asked.names,
                notes,
            )
            later = later_sessions(tx, (each.memory for each in memories.fresh), filters, session)
            fresh = tuple(
                replace(each, replaced_on=later.get(each.memory.id)) for each in memories.fresh
            )
            memories = replace(memories, fresh=fresh)
            is_silent = not (memories.fresh or sessions.lines or commits.lines)
            if is_silent and not is_first and says_enough(answer.plan):
                named = first_mention(tx, session, filters, asked.typed, current.seen)
                memories = _with_mention(memories, named, notes)
            if only_binding:
                memories = _without_others(tx, memories)
            held = frozenset((*current.seen, *sessions.memories))
            return _Found(filters.project, memories, sessions, commits), held

        found, held = await self.context.db.read(work)
        told, gone = await marked(self.context, found.memories.fresh, session, filters.project)
        memories = replace(found.memories, fresh=told, left=(*gone, *found.memories.left))
        said = [each.memory.content for each in told]
        said += [each.memory.content for each in answer.hits if each.memory.id in held]
        return replace(found, memories=memories, commits=found.commits.without_said(said))

    async def _answer(self, asked: AskedWords, filters: Filter, *, counts_as_use: bool) -> Answer:
        """Ask recall for the typed words; if nothing answers a long prompt, for its question."""
        answer = await self.recall(self._question(asked.typed, filters, counts_as_use))
        core = "" if answer.hits else core_question(asked.typed)
        if core:
            # The whole prompt says whether it says enough.
            narrower = await self.recall(self._question(core, filters, counts_as_use))
            answer = replace(narrower, plan=answer.plan)
        if asked.names:
            named = await self.recall(
                self._question(" ".join(asked.names), filters, counts_as_use=False)
            )
            known = {hit.memory.id for hit in answer.hits}
            literal = [hit for hit in (*named.hits, *named.near_misses) if _names(hit, asked)]
            more = tuple(hit for hit in literal if hit.memory.id not in known)
            answer = replace(answer, hits=(*answer.hits, *more))
        return answer

    def _question(self, text: str, filters: Filter, counts_as_use: bool = True) -> Question:  # noqa: FBT001, FBT002 - a field of the question
        hooks = self.context.settings().of(HookSettings)
        return Question(
            text=text,
            limit=hooks.prompt_limit * _POOL,
            embed_within_s=hooks.prompt_embed_ms / 1000,
            filters=filters,
            counts_as_use=counts_as_use,
        )

    def _pack(self, found: "_Found", budget: ContextBudget) -> InjectedContext:
        """Pack the lines of sessions, of commits and of memories in one block; only whole ones."""
        fence, entries, lines = self.context.fence, list[ContextEntry](), list[str]()
        header = COMMITS_HEADER if found.commits.lines else HEADER
        frame = fence.wrap(header, _SOURCE)
        tokens = budget.tokens - estimate_tokens(frame) - 1
        chars = budget.chars - units(frame)
        for line, told in found.sessions.lines:
            size, length = estimate_tokens(line + "\n"), units(line) + 1
            if size > tokens or length > chars:
                continue
            lines.append(line)
            tokens, chars = tokens - size, chars - length
            for place, memory in enumerate(told):
                candidate = ContextCandidate(memory, FROM_SESSION)
                entries.append(ContextEntry(candidate, line, 0 if place else size))
        commits: list[CommitCandidate] = []
        for commit in found.commits.compared:
            length = units(commit.line) + 1
            if not commit.shown:
                commits.append(commit)
                continue
            if commit.tokens > tokens or length > chars:
                commits.append(replace(commit, shown=False, line="", tokens=0, reason=NO_ROOM))
                continue
            lines.append(commit.line)
            commits.append(commit)
            tokens, chars = tokens - commit.tokens, chars - length
        rest = ContextBudget(tokens + estimate_tokens(frame) + 1, chars + units(frame))
        packed = pack(found.memories.fresh, rest, fence, _SOURCE, header)
        own = [entry.line for entry in packed.entries if entry.shown]
        text = fence.enclose((fence.sanitize(header), *lines, *own), _SOURCE)
        return InjectedContext(
            text if lines or own else "",
            (*entries, *packed.entries, *found.memories.left),
            found.memories.words,
            sessions=found.sessions.compared,
            commits=tuple(commits),
        )


@dataclass(frozen=True, slots=True)
class _Known:
    """What a session has been told: memories and since when, and how many prompts it has had.

    ``held_back`` are the constraints that its start had no room for.
    """

    seen: Mapping[str, str]
    prompts: int = 0
    held_back: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Found:
    """What a prompt may be told: memories that answer it, past sessions and commits about it."""

    project: str | None
    memories: SelectedForPrompt
    sessions: FoundSessions
    commits: FoundCommits


def _asked(prompt: str) -> AskedWords | None:
    """Return what a prompt asks; None if nothing of it was typed."""
    # Redact before searching: the search terms are stored in the ledger. A secret that is cut here
    # stands far behind what is read.
    asked = asked_words(clean(strip_injected(prompt[:_MAX_CLEANED])).strip())
    if asked.is_paste:
        return None
    return replace(asked, typed=asked.typed[:_MAX_QUERY])


def _with_mention(
    found: SelectedForPrompt, named: ContextCandidate | None, notes: ProjectNotes
) -> SelectedForPrompt:
    """Return what was selected with what is about a first mention, unless it is told anyway."""
    reason = notes.reason_against(named.memory) if named else None
    if named is None or reason is None:
        return replace(found, fresh=(named,) if named else ())
    return replace(found, left=(ContextEntry(named, "", 0, reason), *found.left))


def _without_others(tx: ReadTx, found: SelectedForPrompt) -> SelectedForPrompt:
    """Return what was selected without what isn't always told."""
    binding = constraints_among(tx, [each.memory for each in found.fresh])
    others = (each for each in found.fresh if each.memory.id not in binding)
    left = (ContextEntry(each, "", 0, NOT_BINDING) for each in others)
    fresh = tuple(each for each in found.fresh if each.memory.id in binding)
    return replace(found, fresh=fresh, left=(*left, *found.left))


def _names(hit: Hit, asked: AskedWords) -> bool:
    return bool(contains_name(hit.memory.content, asked.names))


def _told(block: InjectedContext) -> tuple[ContextEntry, ...]:
    return tuple(entry for entry in block.entries if entry.shown)
