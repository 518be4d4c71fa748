"""Captures what the user states in a message: judges it, compares it, and records it.

Everything slow runs in threads or outside any transaction; one transaction records the message.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, takewhile
from typing import TYPE_CHECKING, Final

from intaglio.agents.agent_directory import AgentDirectory
from intaglio.base.clock import iso
from intaglio.base.errors import InvalidInputError, TooLargeError, writes_frozen
from intaglio.base.text import clip, scrub
from intaglio.capture.settings import CaptureSettings
from intaglio.domain.memory_types import MemoryType
from intaglio.domain.statement_pairs import read_contradictions
from intaglio.fence.marks import strip_injected
from intaglio.graph import entity_rows
from intaglio.inbox import operations as inbox
from intaglio.inbox.values import MAX_SENTENCE_CHARS, InboxItem
from intaglio.memory.filters import Filter
from intaglio.memory.values import HEARD, USER_AUTHOR, Actor, NewMemory, Scope, Source
from intaglio.pipeline.ingest import Remember, prepare
from intaglio.recall.values import Answer, Question
from intaglio.redaction.redact import clean
from intaglio.sessions.statements import rows
from intaglio.sessions.statements.claim_words import plain_words
from intaglio.sessions.statements.evidence_context import context_around
from intaglio.sessions.statements.instruction_words import is_standing_instruction
from intaglio.sessions.statements.known_memories import known_memories
from intaglio.sessions.statements.pairs_to_read import pairs_to_read
from intaglio.sessions.statements.plan import (
    Judged,
    Surroundings,
    may_concern,
    plan,
)
from intaglio.sessions.statements.record import StatementRecorder
from intaglio.sessions.statements.services import CaptureServices
from intaglio.sessions.statements.values import (
    PlannedStatement,
    RecordedStatement,
    UserMessage,
    place_of,
)
from intaglio.sessions.values import CaptureResult
from intaglio.store.tx import ReadTx

if TYPE_CHECKING:
    from intaglio.capture.judge import TurnClauses
    from intaglio.capture.proposals import UserAssent
    from intaglio.capture.values import (
        Clause,
        Statement,
        Thresholds,
        TurnJudgement,
    )
    from intaglio.language.relations import ClauseVector

# From such a threshold on, nothing is kept without asking.
_NEVER_SURE: Final = 1.0
_IMPORTANCE: Final[Mapping[MemoryType, float]] = {
    "decision": 0.8,
    "rule": 0.8,
    "preference": 0.7,
    "procedural": 0.7,
    "learning": 0.7,
    "fact": 0.6,
}
_BEFORE_CHARS: Final = 300
_CANDIDATES: Final = 8
_NEAREST: Final = 3
_SCANNED: Final = 300
_MAX_COMPARED: Final = 48
# Embedding a character takes 0.1 ms.
_MAX_COMPARED_CHARS: Final = 1_800
# More than so many in one message may be a document: none is kept, not even as a correction.
_MAX_KEPT: Final = 12
# More than so many certainly are one.
_MAX_STATEMENTS: Final = 40
_MIN_SCORE: Final = 0.2
_TYPED: Final = 0.5
_MAX_SHORT_ANSWER: Final = 120
_MAX_NAMES: Final = 300


@dataclass(frozen=True, slots=True)
class _ReadMessage:
    """A message without secrets and injected text, and its clauses.

    ``before`` is the agent's message before it, as far as it may be kept beside a statement.
    ``reply`` is what the message accepts of it. ``question`` is the agent's that it answers.
    """

    text: str
    turn: "TurnClauses"
    before: str = ""
    reply: "UserAssent | None" = None
    question: str = ""


@dataclass(frozen=True, slots=True)
class TurnCapture:
    """The use case of capturing one message."""

    services: CaptureServices
    recorder: StatementRecorder
    agents: AgentDirectory
    recall: Callable[[Question], Awaitable[Answer]]

    async def capture(self, message: UserMessage) -> CaptureResult:
        """Record what the message states, suggests and takes back.

        Raises UnavailableError if nothing can be stored now.
        """
        judged = await self.judged(message)
        if not judged:
            return CaptureResult()
        if self.services.frozen():
            raise writes_frozen()
        considered = [one.row for one in judged if one.row.outcome == "considered"]
        stated = [one for one in judged if one.row.outcome != "considered"]
        planned = await self._planned(message, stated) if stated else ()
        if not planned and not considered:
            return CaptureResult()
        recorder = replace(self.recorder, asks=message.limits.asks)
        result = await self.services.db.write(lambda tx: recorder.record(tx, planned, considered))
        self.agents.note(message.session.agent_id)
        return result

    async def _planned(
        self, message: UserMessage, stated: Sequence[Judged]
    ) -> tuple[PlannedStatement, ...]:
        around = await self.surroundings(message, stated)
        planned = await self.services.in_thread(lambda: plan(stated, around))
        if message.limits.asks_first:
            # Saying it twice doesn't answer the question whether to keep it.
            return tuple(map(_only_suggested, planned))
        return planned

    async def judged(self, message: UserMessage) -> list[Judged]:
        """Judge a message by itself, with the question that it answers, or both; writes nothing."""
        if not message.line.question:
            # A few words mean more with the question before them.
            return await self._judged(message, _read_answer) or await self._judged(message, _read)
        judged: list[Judged] = []
        if not message.line.is_choice:
            judged = await self._judged(message, _read)
        if all(one.row.outcome == "considered" for one in judged):
            return await self._judged(message, _read_answer) or judged
        return judged

    async def _judged(
        self, message: UserMessage, read_message: Callable[[UserMessage], _ReadMessage | None]
    ) -> list[Judged]:
        read = await self.services.in_thread(lambda: read_message(message))
        if read is None:
            return []
        thresholds = self._thresholds(message)
        if await self.services.in_thread(lambda: _is_document(read, thresholds)):
            return []
        to_embed = read.turn.to_embed
        vectors = await self.services.clause_vectors(to_embed) if to_embed else None
        names = await self._names(message)
        return await self.services.in_thread(lambda: self._judge(message, read, vectors, names))

    async def _names(self, message: UserMessage) -> list[str]:
        """Return names that the project's memories use, by which misspelt ones are mended."""
        project, agent_id = message.project, message.session.agent_id
        if project is None:
            return []
        return await self.services.db.read(
            lambda tx: entity_rows.frequent_names(
                tx, tx.as_stored(agent_id), tx.as_stored(project), _MAX_NAMES
            )
        )

    def _thresholds(self, message: UserMessage) -> "Thresholds":
        from intaglio.capture.values import Thresholds  # noqa: PLC0415 - see _is_document

        wanted = self.services.settings().of(CaptureSettings)
        keep_at = _NEVER_SURE if message.limits.asks_first else wanted.keep_at
        return Thresholds(keep_at, wanted.suggest_at)

    def _judge(
        self,
        message: UserMessage,
        read: _ReadMessage,
        vectors: "Sequence[ClauseVector] | None",
        names: Sequence[str],
    ) -> list[Judged]:
        """Judge the message, and prepare what would be stored, in the order of the message."""
        # Loading the classifier would take a good part of the daemon's startup time.
        from intaglio.capture.judge import judge  # noqa: PLC0415 - see above
        from intaglio.capture.proposals import proposes  # noqa: PLC0415 - see above

        found = judge(read.turn, vectors, self._thresholds(message), names)
        said = found.statements
        if len(found.stated) > _MAX_STATEMENTS:
            return []
        if read.reply is not None:
            said = _with_accepted(read.text, read.reply, said)
        if read.question:
            said = tuple(replace(one, said_by_agent=read.question) for one in said)
        if read.question and not message.line.question:
            # That the words answer it is likely, but nobody says so.
            said = tuple(replace(one, outcome="suggested", stands_alone=False) for one in said)
        said = tuple(map(_checked, said))
        stated = [one for one in said if one.outcome != "considered"]
        if said and not message.before_elsewhere and not (read.question and message.line.question):
            read = replace(read, before=clean(scrub(strip_injected(_asked(message)))))
        if len(stated) > _MAX_KEPT or message.binds_run_only:
            said = tuple(
                replace(one, outcome="suggested", stands_alone=False) if one in stated else one
                for one in said
            )
        judged = [self._statement(message, read, one) for one in said]
        if not message.binds_run_only:
            judged += [
                Judged(
                    self._row(message, read, clause, None),
                    None,
                    named=named,
                    asks_first=self._asks_first(message),
                )
                for clause, named in _withdrawals(read.turn, found)
            ]
        asked = not message.before_elsewhere and bool(judged) and proposes(message.before)
        return sorted(
            (replace(one, answers_proposal=asked) for one in judged),
            key=lambda one: one.row.start,
        )

    def _statement(self, message: UserMessage, read: _ReadMessage, said: "Statement") -> Judged:
        from intaglio.capture.wording import named_rule  # noqa: PLC0415 - see judged

        text = read.text
        row = self._row(message, read, said.clause, said)
        lead_in, stands, _ = said.clause.text.partition(said.content)
        lead_in = lead_in if stands else ""
        before = text[max(0, row.start - _BEFORE_CHARS) : row.start] + lead_in
        return Judged(
            row,
            self._memory(message, row),
            corrects=said.corrects,
            stands_alone=said.stands_alone,
            may_last=said.may_last,
            before=before,
            binds_run_only=message.binds_run_only,
            may_reach_further=said.reach == "unclear" and row.project is not None,
            said_by_agent=said.said_by_agent,
            asks_first=self._asks_first(message),
            named=named_rule(said.clause.bare),
        )

    def _asks_first(self, message: UserMessage) -> bool:
        return self._thresholds(message).keep >= _NEVER_SURE

    def _row(
        self, message: UserMessage, read: _ReadMessage, clause: "Clause", said: "Statement | None"
    ) -> RecordedStatement:
        line, text = message.line, read.text
        everywhere = (
            said is not None and said.reach == "all_projects" and not message.binds_run_only
        )
        project = None if everywhere else message.project
        # A wider scope has readers who may not see what else was said in this project.
        has_context = said is not None and project == message.project
        # Once more by itself: a secret's context may have been outside the cut.
        sentence = clean(text[clause.sentence_start : clause.sentence_end]).strip()
        return RecordedStatement(
            seq=0,
            harness=message.session.harness,
            session_id=message.session.id,
            message_id=line.message_id,
            start=clause.start,
            end=clause.end,
            said_at=iso(line.time) if line.time else None,
            recorded_at=self.services.context.now,
            agent_id=message.session.agent_id,
            project=project,
            sentence=clip(sentence, MAX_SENTENCE_CHARS),
            content=clean(said.content).strip() if said is not None else "",
            type=said.type if said is not None else "decision",
            everywhere=everywhere,
            confidence=said.confidence if said is not None else 1.0,
            outcome=said.outcome if said is not None else "withdrawal",
            state="live",
            memory_id=None,
            inbox_id=None,
            context=_context(read, clause) if has_context else "",
        )

    def _memory(self, message: UserMessage, row: RecordedStatement) -> NewMemory | None:
        command = Remember(
            content=row.content,
            actor=Actor(row.harness, "harness", row.session_id),
            who=USER_AUTHOR,
            why=f"{HEARD}{row.type}",
            type=row.type,
            importance=_IMPORTANCE[row.type],
            confidence=row.confidence,
            agent_id=row.agent_id,
            project=row.project,
            source=Source(row.harness, place_of(row.message_id, row.start)),
            session_id=row.session_id,
            runtime_path=message.session.runtime_path,
            created_at=row.said_at,
            revive=False,
        )
        try:
            return prepare(command, self.services.context)[0]
        except (InvalidInputError, TooLargeError):
            # One statement that can't be saved must not block the others.
            return None

    async def surroundings(self, message: UserMessage, judged: Sequence[Judged]) -> Surroundings:
        """Return what a message's statements are compared with."""
        asked = [(text, scope) for one in judged for text in one.compared for scope in _scopes(one)]
        texts = list(dict.fromkeys(text for text, _ in asked))
        recalled = [await self._recalled(text, scope) for text, scope in asked]
        found = [memory for each in recalled for memory in each]
        # What is said in other words shares none with what it replaces.
        nearest = {memory_id for each in recalled for memory_id, _ in each[:_NEAREST]}
        scopes = {(scope.agent_id, scope.project) for one in judged for scope in _scopes(one)}

        def work(
            tx: ReadTx,
        ) -> tuple[list[RecordedStatement], list[tuple[str, str]], list[InboxItem]]:
            session = rows.of_session(tx, message.session.harness, message.session.id)
            said = [
                each
                for agent_id, project in scopes
                for each in rows.latest_memories(tx, agent_id, project, _SCANNED)
            ]
            items = inbox.open_suggestions(tx, message.project, message.session.agent_id)
            return session, said, items[-_SCANNED:]

        session, said, items = await self.services.db.read(work)

        def related() -> tuple[list[str], list[InboxItem]]:
            near = [
                memory_id
                for memory_id, text in (*found, *said)
                if memory_id in nearest or _concerns(text, texts)
            ]
            return list(dict.fromkeys(near)), [
                item for item in items if _concerns(item.content, texts)
            ]

        near, open_items = await self.services.in_thread(related)
        message_id = message.line.message_id
        known = await self.services.db.read(lambda tx: known_memories(tx, near, message_id))
        turns = (*message.earlier, message_id)
        around = Surroundings(session, known, open_items, turns, {})
        around = await self._with_vectors(around, texts)
        pairs = await self.services.in_thread(lambda: pairs_to_read(judged, around))
        contradictions = await read_contradictions(self.services.read_pairs, pairs)
        return replace(around, contradictions=contradictions)

    async def _recalled(self, text: str, scope: Scope) -> list[tuple[str, str]]:
        """Return the memories of a scope that are like a statement: id and text."""
        filters = Filter(
            reader=await self.agents.active_reader(scope.agent_id),
            project=scope.project,
            exact_project=scope.project is not None,
            global_only=scope.project is None,
        )
        answer = await self.recall(
            Question(
                text=text,
                limit=_CANDIDATES,
                filters=filters,
                min_score=_MIN_SCORE,
                counts_as_use=False,
            )
        )
        return [
            (hit.memory.id, hit.memory.content)
            for hit in answer.hits
            if replace(hit.memory.scope, visibility=scope.visibility) == scope
        ]

    async def _with_vectors(self, around: Surroundings, texts: Sequence[str]) -> Surroundings:
        said = [row.content for row in around.session if _concerns(row.content, texts)]
        others = [
            *said,
            *(known.text for known in around.memories),
            *(item.content for item in around.items),
        ]
        compared = _first(dict.fromkeys((*texts, *others)))
        if not others:
            return around
        vectors = await self.services.sentence_vectors(compared)
        by_text = dict(zip(compared, vectors, strict=True)) if vectors is not None else {}
        return Surroundings(around.session, around.memories, around.items, around.turns, by_text)


def _scopes(one: Judged) -> tuple[Scope, ...]:
    """Return the scopes whose memories a statement is compared with, its own first.

    What is taken back in a project may hold in all.
    """
    own = Scope(one.row.agent_id, one.row.project)
    return (own, replace(own, project=None)) if one.named and own.project else (own,)


def _only_suggested(one: PlannedStatement) -> PlannedStatement:
    item = one.same_item
    item = None if item is None else replace(item, said_before=False)
    return replace(one, same_item=item, takes_back=one.takes_back.in_doubt)


def _is_document(read: _ReadMessage, thresholds: "Thresholds") -> bool:
    """Whether it states too much even without vectors, which cost far more than the rest."""
    # Loading the classifier would take a good part of the daemon's startup time.
    from intaglio.capture.judge import judge  # noqa: PLC0415 - see above

    return len(judge(read.turn, None, thresholds).stated) > _MAX_STATEMENTS


def _read(message: UserMessage) -> _ReadMessage | None:
    """Split the message into clauses; None if none of them is the user's own."""
    # Compiling the regular expressions would take a tenth of the daemon's startup time.
    from intaglio.capture.judge import read_turn  # noqa: PLC0415 - see above
    from intaglio.capture.message_parts import read_part  # noqa: PLC0415 - see above
    from intaglio.capture.proposals import read_reply  # noqa: PLC0415 - see above
    from intaglio.capture.reply_openings import leans_on_agent  # noqa: PLC0415 - see above

    text = read_part(scrub(strip_injected(message.line.text)), clean)
    turn = read_turn(text, _asked(message))
    if turn.before:
        turn = replace(turn, before=_words_before(message))
    reply = None
    if not message.line.question and not message.before_elsewhere and leans_on_agent(text):
        reply = read_reply(_words_before(message), text)
    if not turn.clauses and (reply is None or reply.proposal is None):
        return None
    return _ReadMessage(text, turn, reply=reply)


def _read_answer(message: UserMessage) -> _ReadMessage | None:
    """Read the message together with the question that it answers, if it does."""
    from intaglio.capture.judge import read_answer  # noqa: PLC0415 - see _read
    from intaglio.capture.proposals import open_question  # noqa: PLC0415 - see _read

    answer = clean(scrub(strip_injected(message.line.text))).strip()
    question = clean(scrub(strip_injected(message.line.question))).strip()
    if not question and not message.before_elsewhere and len(answer) <= _MAX_SHORT_ANSWER:
        question = open_question(_words_before(message), answer)
    if not question or not answer:
        return None
    # The harness's question is part of the message, as the session's page shows it.
    asked = f"{question} " if message.line.question else ""
    turn = read_answer(question, answer, len(asked))
    return _ReadMessage(f"{asked}{answer}", turn, question=question) if turn.clauses else None


def _with_accepted(
    text: str, reply: "UserAssent", said: "Sequence[Statement]"
) -> "tuple[Statement, ...]":
    """Return the statements with what the reply accepts in the place of its own words."""
    from intaglio.capture.proposals import accepted_statement  # noqa: PLC0415 - see _read

    others = tuple(one for one in said if one.clause.start >= reply.end)
    own = [one for one in said if one not in others and one.stands_alone]
    is_stated = any(one.outcome != "considered" for one in own)
    if not reply.is_bare and (is_stated or reply.proposal is None):
        return tuple(said)
    if reply.proposal is None:
        return others
    return (accepted_statement(text, reply, reply.proposal), *others)


def _asked(message: UserMessage) -> str:
    """Return what the agent said before the message, or the question that it answers."""
    return message.line.question or message.before


def _checked(said: "Statement") -> "Statement":
    """Return a learning that quotes the agent as a suggestion, if the quotation tells what to do.

    The agent may have read it anywhere.
    """
    from intaglio.capture.citations import cites  # noqa: PLC0415 - see _read

    attempt = said.said_by_agent if said.type == "learning" else ""
    if attempt and (cites(attempt) or is_standing_instruction(plain_words(attempt), attempt)):
        return replace(said, outcome="suggested", stands_alone=False)
    return said


def _words_before(message: UserMessage) -> str:
    """Return what the agent said before, as far as it may be quoted; nothing of another project."""
    return "" if message.before_elsewhere else clean(scrub(strip_injected(message.before)))


def _context(read: _ReadMessage, clause: "Clause") -> str:
    # Once more by itself, like the sentence.
    around = context_around(read.before, read.text, clause.sentence_start, clause.sentence_end)
    return clean(around)


def _withdrawals(turn: "TurnClauses", found: "TurnJudgement") -> list[tuple["Clause", str]]:
    """Return the clauses that take something back, and what they say of a rule, or ""."""
    from intaglio.capture.settle import dismissed  # noqa: PLC0415 - see _read
    from intaglio.capture.wording import named_rule  # noqa: PLC0415 - see _read

    stated = [(one.clause.start, one.clause.end) for one in found.stated]
    own = {one.clause.number: one.clause for one in found.withdrawals}
    for clause in turn.clauses:
        is_typed = not clause.item and clause.block.document < _TYPED
        is_stated = any(start <= clause.start < end for start, end in stated)
        if is_typed and not is_stated and dismissed(clause.bare):
            own[clause.number] = clause
    return [(clause, named_rule(clause.bare)) for clause in own.values()]


def _first(texts: Iterable[str]) -> list[str]:
    """Return as many texts as are worth the time of embedding them."""
    lengths = accumulate(len(text) for text in texts)
    fitting = takewhile(
        lambda pair: pair[1] <= _MAX_COMPARED_CHARS, zip(texts, lengths, strict=True)
    )
    return [text for text, _ in islice(fitting, _MAX_COMPARED)]


def _concerns(text: str, texts: Sequence[str]) -> bool:
    return any(may_concern(text, other) for other in texts)
