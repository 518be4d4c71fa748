"""The use case of finding: prepares what is asked, and searches all kinds in one snapshot.

Recall and the packages' own searches find; here, what they find is made comparable and grouped.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from intaglio.base.clock import local_day
from intaglio.base.settings.values import Settings
from intaglio.domain.found_kinds import FoundKind
from intaglio.domain.reader import Reader
from intaglio.finding.commits import find_commits
from intaglio.finding.entities import find_entities
from intaglio.finding.items import ItemSearch
from intaglio.finding.matching import QuestionMatcher
from intaglio.finding.memories import completed, containing, found_memory, scored_memories
from intaglio.finding.projects import find_projects
from intaglio.finding.question import AskedQuestion, KindOfWord, read_question
from intaglio.finding.sessions import FoundSession, SessionSearch, found_session
from intaglio.finding.spelling import corrected, is_spelled_as, spelling_errors
from intaglio.finding.values import Found, FoundKindGroup
from intaglio.inbox.kinds import InboxKinds
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.recall.commits.commit_recall import CommitRecall
from intaglio.recall.past.session_recall import PreparedQuestion, SessionRecall
from intaglio.recall.query import PreparedRecall, Recall
from intaglio.recall.values import Question
from intaglio.sessions.overview.values import SessionFilter
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.transcripts.past_sessions import SessionQuestion
from intaglio.transcripts.settings import TranscriptSettings

_EMBED_WITHIN_S: Final = 1.0
_RECALLED: Final = 24
# The kind that the question names comes first, however little matches.
_WANTED: Final = 1.0
_LEAST: Final = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class FindScope:
    """Where is searched, and for whom.

    ``memories`` has the project, or the archived ones that are left out; ``session_reader`` reads
    sessions. ``projects`` are the names of the one project; none for all.
    """

    memories: Filter
    session_reader: Reader
    projects: tuple[str, ...] = ()

    @property
    def sessions(self) -> SessionFilter:
        """Which sessions are searched."""
        return SessionFilter(
            reader=self.session_reader,
            projects=self.projects,
            without_projects=self.memories.without_projects,
        )


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A question with what was done before the snapshot that answers it."""

    question: AskedQuestion
    recall: PreparedRecall
    sessions: PreparedQuestion


@dataclass(frozen=True, slots=True)
class _Meant:
    """A question without its typing errors; a guess, unless something kept has its words."""

    question: AskedQuestion
    is_kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Finder:
    """Finds memories, entities, sessions, inbox items, projects and commits."""

    db: Database
    settings: Callable[[], Settings]
    recall: Recall
    sessions: SessionRecall
    commits: CommitRecall
    kinds: InboxKinds

    async def find(self, typed: str, scope: FindScope, limit: int) -> list[FoundKindGroup]:
        """Return what matches, the group with the best item first; at most ``limit`` of a kind."""
        question = read_question(typed)
        if not question.words:
            return []
        found = await self._find_all(question, scope, limit)
        marked = {word for group in found for each in group.items for word in each.words}
        meant = await self._meant(question, marked)
        if meant is None:
            return found
        other = await self._find_all(meant.question, scope, limit)
        is_better = _best(_items(other)) > _best(_items(found))
        return other if meant.is_kept or is_better else found

    async def _find_all(
        self, question: AskedQuestion, scope: FindScope, limit: int
    ) -> list[FoundKindGroup]:
        prepared = await self._prepare(question, scope.memories)
        return await self.db.read(lambda tx: self._find(tx, prepared, scope, limit))

    async def _meant(self, question: AskedQuestion, marked: Collection[str]) -> _Meant | None:
        """Return what was meant if words are misspelled; ``marked`` are those that were found."""
        if is_spelled_as(question, marked):
            return None
        errors = await self.db.read(lambda tx: spelling_errors(tx, question, marked))
        if not errors:
            return None
        return _Meant(corrected(question, errors), all(each.is_kept for each in errors))

    async def find_sessions(
        self, typed: str, wanted: SessionFilter, memories: Filter, limit: int
    ) -> list[FoundSession]:
        """Return the sessions that match, best first."""
        question = read_question(typed)
        if not question.words:
            return []
        found = await self._find_sessions(question, wanted, memories, limit)
        marked = {word for each in found for word in each.words}
        meant = await self._meant(question, marked)
        if meant is None:
            return found
        other = await self._find_sessions(meant.question, wanted, memories, limit)
        return other if meant.is_kept or _best(other) > _best(found) else found

    async def _find_sessions(
        self, question: AskedQuestion, wanted: SessionFilter, memories: Filter, limit: int
    ) -> list[FoundSession]:
        prepared = await self._prepare(question, memories)

        def work(tx: ReadTx) -> list[FoundSession]:
            literal = containing(tx, question, memories)
            matcher = QuestionMatcher.of(tx, question, self.recall.vocabulary)
            scored = scored_memories(self.recall.answer(tx, prepared.recall), literal, matcher)
            return self._session_search(prepared, matcher).find(tx, wanted, scored, limit)[0]

        return await self.db.read(work)

    async def _prepare(self, question: AskedQuestion, filters: Filter) -> _Prepared:
        begun: Sequence[Memory] = ()
        if question.start:
            begun = await self.db.read(lambda tx: containing(tx, question, filters))
        whole = completed(question, begun)
        recall = await self.recall.prepare(
            Question(
                # The kind that is named says nothing about the subject.
                text=whole.content if whole.names_kind else whole.text,
                keywords=whole.content,
                limit=_RECALLED,
                filters=_of_type(filters, whole.wanted),
                embed_within_s=_EMBED_WITHIN_S,
                counts_as_use=False,
            )
        )
        sessions = await self.sessions.prepare(SessionQuestion(whole.content), _EMBED_WITHIN_S)
        return _Prepared(question, recall, sessions)

    def _session_search(self, prepared: _Prepared, matcher: QuestionMatcher) -> SessionSearch:
        keeps = self.settings().of(TranscriptSettings).enabled
        return SessionSearch(self.sessions, matcher, prepared.sessions, keeps)

    def _find(
        self, tx: ReadTx, prepared: _Prepared, scope: FindScope, limit: int
    ) -> list[FoundKindGroup]:
        filters, reader = scope.memories, scope.memories.reader
        matcher = QuestionMatcher.of(tx, prepared.question, self.recall.vocabulary)
        literal = containing(tx, prepared.question, filters)
        memories = scored_memories(self.recall.answer(tx, prepared.recall), literal, matcher)
        left_out = filters.without_projects
        entities = find_entities(tx, matcher, reader, scope.projects, left_out, memories, limit + 1)
        search = self._session_search(prepared, matcher)
        sessions, more_sessions = search.find(tx, scope.sessions, memories, limit)
        items = ItemSearch(self.kinds, reader, scope.projects, left_out)
        found: dict[FoundKind, Iterable[Found]] = {
            "memory": (found_memory(each, matcher) for each in memories[: limit + 1]),
            "entity": entities,
            "session": (found_session(each, _detail(each)) for each in sessions),
            "inbox": items.find(tx, matcher, memories, {each.id: each.score for each in entities}),
            "project": () if scope.projects else find_projects(tx, matcher, reader),
            "commit": find_commits(
                *(tx, matcher, filters.project, left_out, self.commits),
                prepared.sessions.vector,
                limit + 1,
            ),
        }
        return _grouped(found, prepared.question.wanted, limit, {"session": more_sessions})


def _items(groups: Iterable[FoundKindGroup]) -> Iterator[Found]:
    return chain.from_iterable(group.items for group in groups)


def _best(found: Iterable[Found | FoundSession]) -> float:
    return max((each.score for each in found), default=0.0)


def _of_type(filters: Filter, wanted: KindOfWord | None) -> Filter:
    """Return the filter for a question that names a type of memories, such as decisions."""
    return replace(filters, type=wanted.type) if wanted is not None and wanted.type else filters


def _detail(found: FoundSession) -> str:
    """Return what tells a session apart besides its title: its day, and how long it was."""
    session, messages = found.session, found.description.messages or found.session.asked
    unit = "message" if found.description.messages else "prompt"
    length = f"{messages:,} {unit if messages == 1 else f'{unit}s'}" if messages else ""
    kept = f"{session.captured:,} kept" if session.captured else ""
    return " · ".join(filter(None, (local_day(session.last_seen_at), length, kept)))


def _grouped(
    found: Mapping[FoundKind, Iterable[Found]],
    wanted: KindOfWord | None,
    limit: int,
    more: Mapping[FoundKind, bool],
) -> list[FoundKindGroup]:
    groups: list[FoundKindGroup] = []
    for kind, items in found.items():
        listed = [each for each in items if each.score >= _LEAST]
        if listed:
            has_more = len(listed) > limit or more.get(kind, False)
            groups.append(FoundKindGroup(kind, tuple(listed[:limit]), has_more))

    def best(group: FoundKindGroup) -> float:
        named = wanted is not None and wanted.kind == group.kind
        return group.items[0].score + (_WANTED if named else 0.0)

    return sorted(groups, key=lambda group: -best(group))
