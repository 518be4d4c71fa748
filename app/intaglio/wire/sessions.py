"""Requests and replies of the sessions endpoints. Times are ISO-8601 UTC."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from intaglio.domain.bypass import BypassedBy
from intaglio.domain.context_groups import ConstraintBasis, ContextGroup
from intaglio.domain.entity_kinds import EntityType, FocalSource
from intaglio.wire.memory import PathText, ShortText
from intaglio.wire.settings import SettingKey, SettingValue

# As long as what is used of a prompt at most.
PreviewPrompt = Annotated[str, Meta(max_length=100_000)]

# A preview may use other values than those in use.
TriedSettings = Annotated[dict[SettingKey, SettingValue | None], Meta(max_length=100)]

MemoryPresence = Literal["live", "forgotten", "erased"]
TextState = Literal["kept", "expired", "erased", "none"]
TranscriptState = Literal["read", "missing", "unreadable", "none"]
StatementResult = Literal[
    "captured",
    "suggested",
    "suggestion_kept",
    "suggestion_said_again",
    "suggestion_dropped",
    "suggestion_withdrawn",
    "suggestion_expired",
    "withdrawal",
    "withdrawn",
    "replaced",
    "forgotten",
    "erased",
]


class BypassRequest(Struct, kw_only=True):
    """Whether a session is told nothing from now on, and nothing of it is kept."""

    enabled: bool


class BypassReply(Struct, kw_only=True):
    """Whether a session is told nothing now; `key` is the harness's id of it."""

    key: str
    bypassed: bool


class SessionRow(Struct, kw_only=True, rename="camel"):
    """A session of an agent.

    `key` is the harness's id of it, `id` is unique over all harnesses; `claimed_at` is when the
    daemon first heard of it. It is `open` if it hasn't ended and was active within the last
    hour: a killed agent doesn't report its end. A `bypassed` session is told nothing, and nothing
    of it is kept; `bypassedBy` is who switched it off, the user or its agent. `told` counts the
    different memories that it was sent, `asked` the user's prompts, `captured` the memories that
    it led to, `suggested` its suggestions that became no memory; `tokens` estimates what was sent
    in all.

    `title` is never empty: the harness's own, else from what was said or kept, else its project and
    day. `firstPrompt` is the beginning of the first prompt that is stored, empty if none is;
    `messages` counts the stored messages of both sides. `kept` has the beginnings of at most three
    memories that it led to. `summary` is what a language model says of it, empty if none has read
    it. In a search, `passage` shows why it matches, and `words` are those to mark in it and in the
    title.
    """

    id: str
    key: str
    harness: str
    agent: str
    project: str | None
    cwd: str | None
    runtime_path: str | None
    claimed_at: str
    bypassed: bool
    bypassed_by: BypassedBy | None
    start: str
    last_active: str
    end: str | None
    end_reason: str | None
    open: bool
    told: int
    asked: int
    captured: int
    suggested: int
    tokens: int
    title: str
    first_prompt: str
    messages: int
    kept: list[str]
    summary: str
    passage: str
    words: list[str]


class SessionList(Struct, kw_only=True):
    """A page of sessions, the latest active first; `cursor` requests the next page.

    Those of a search are the best first, and have no other page.
    """

    sessions: list[SessionRow]
    count: int
    cursor: str | None


class InjectionLine(Struct, kw_only=True, rename="camel"):
    """A memory that was sent (`shown`) or left out, and why.

    It is a `constraint` if it counted as one then: as what is always told.
    """

    memory_id: str
    shown: bool
    constraint: bool
    reason: str
    score: float | None
    tokens: int


class ToldMemory(Struct, kw_only=True, rename="camel"):
    """A memory of a session's injections as it is now.

    Content, type, version and `changed`, when it was last edited or pinned, are null for a memory
    that is erased, or that the reader may not read. It is no longer told since `valid_until`.
    """

    content: str | None
    type: str | None
    version: int | None
    changed: str | None
    valid_until: str | None
    pinned: bool
    project: str | None
    state: MemoryPresence


class ComparedSession(Struct, kw_only=True, rename="camel"):
    """A past session that was compared with a prompt, and why it was told or wasn't.

    `id` is that of its page, `title` begins its first prompt, `at` is its last activity. `score`
    was compared with `floor`, the least that is told.
    """

    id: str
    harness: str
    title: str
    at: str
    score: float
    floor: float
    shown: bool
    reason: str


class ComparedCommit(Struct, kw_only=True, rename="camel"):
    """A commit that was compared with a prompt, and why it was told or wasn't.

    `at` is the date of the commit, `tokens` what telling it took. `score` was compared with
    `floor`, the least that is told.
    """

    project: str
    hash: str
    at: str
    subject: str
    score: float
    floor: float
    shown: bool
    reason: str
    tokens: int


class SessionInjection(Struct, kw_only=True, rename="camel"):
    """What a session was sent at its start or with a prompt, or what its agent's tools recalled.

    `text` is exactly what was sent, without secrets; `text_state` says why there is none: it's
    no longer kept (`expired`: older than `retention.sentTextDays`, or than the first version that
    kept texts), one of its memories was erased, or nothing was sent.
    `words` are those of the prompt that were searched for. `sessions` are the past sessions that
    were compared with it, told ones first; `commits` are the commits. `more` counts what was left
    out beyond the listed lines.
    """

    id: int
    event: str
    source: str | None
    prompt_id: str | None
    at: str
    tokens: int
    elapsed_ms: float
    text: str | None
    text_state: TextState
    words: list[str]
    sessions: list[ComparedSession]
    commits: list[ComparedCommit]
    lines: list[InjectionLine]
    more: int


class AskedPrompt(Struct, kw_only=True, rename="camel"):
    """A prompt of the user, read from the transcript, without secrets."""

    message_id: str
    at: str | None
    text: str


class SessionStatement(Struct, kw_only=True, rename="camel"):
    """What the user said in the session, and what became of it.

    `start` is its first character in the message. `result` is the outcome in one word, by all that
    happened since: `withdrawal` took something back, and what is `withdrawn` was taken back.
    """

    message_id: str
    start: int
    at: str | None
    sentence: str
    content: str
    type: str
    outcome: str
    state: str
    memory_id: str | None
    memory_state: MemoryPresence | None
    inbox_id: str | None
    inbox_status: str | None
    inbox_action: str | None
    result: StatementResult


class SessionClaim(Struct, kw_only=True, rename="camel"):
    """A suggestion that the agent made by itself in the session, and what became of it.

    `result` is suggested, or the outcome of the suggestion. `memory_id` is the memory that it
    became.
    """

    inbox_id: str
    content: str
    type: str
    at: str
    inbox_status: str
    memory_id: str | None
    memory_state: MemoryPresence | None
    result: StatementResult


class ConsideredStatement(Struct, kw_only=True, rename="camel"):
    """What the user said in the session and capture judged, but neither kept nor offered.

    `confidence` is how sure capture was, 0 to 1. `id` is used to keep it after all.
    """

    id: int
    message_id: str
    start: int
    at: str | None
    sentence: str
    content: str
    type: str
    confidence: float


class KeptStatement(Struct, kw_only=True, rename="camel"):
    """The memory that a considered statement became."""

    memory_id: str


class SavedMemory(Struct, kw_only=True, rename="camel"):
    """A memory that was saved in the session.

    `by_agent` if its agent decided to, `by_model` if a language model noted it that read the
    session.
    """

    memory_id: str
    by_agent: bool
    by_model: bool
    content: str
    type: str
    state: MemoryPresence
    at: str


class ReplacedMemory(Struct, kw_only=True, rename="camel"):
    """A memory that was replaced by what was said in the session, and still is.

    `by_memory_id` is the memory that holds instead.
    """

    memory_id: str
    content: str
    by_memory_id: str
    by_content: str
    at: str


class ReminderResult(Struct, kw_only=True, rename="camel"):
    """What the agent did after a reminder: it saved a memory, knew one, or suggested one."""

    result: Literal["saved", "known", "suggested"]
    memory_id: str | None
    inbox_id: str | None


class SessionReminder(Struct, kw_only=True, rename="camel"):
    """A prompt with which the agent was reminded to save what it may hold for later sessions.

    `outcome` is what came of it until the turn ended, `waiting` while it goes on. `wording` is the
    version of the reminder, `tokens` what it cost; the tokens of what is told don't include it.
    `confidence` is how sure it was that the prompt holds something.
    """

    id: int
    prompt_id: str | None
    at: str
    wording: int
    tokens: int
    confidence: float
    outcome: Literal["waiting", "saved", "known", "suggested", "nothing"]
    results: list[ReminderResult]


class StoredTranscript(Struct, kw_only=True, rename="camel"):
    """How many messages of a session are stored, and how many characters they have."""

    messages: int
    characters: int


class InPlayEntityRow(Struct, kw_only=True, rename="camel"):
    """An entity that a session is about."""

    id: str
    name: str
    entity_type: EntityType


class InPlayAspectRow(Struct, kw_only=True, rename="camel"):
    """An aspect that a session is about, and its entity."""

    id: str
    name: str
    entity_id: str
    entity_name: str


class SessionInPlay(Struct, kw_only=True):
    """The entities and aspects that a session is about, the most named first.

    By what it saved, and what it was told on its prompts.
    """

    entities: list[InPlayEntityRow]
    aspects: list[InPlayAspectRow]


class SessionDetail(SessionRow, kw_only=True, rename="camel"):
    """A session with what it was told, asked, and captured, and its save reminders.

    `memories` has those of the injections, by id: most are sent several times. `prompts` are read
    from its transcript now; `transcript` says whether it could be read. `stored` is how much of
    what was said is stored. `topics` and `decisions` go with the summary. The fields `more…` say
    that a list has only the first ones.
    """

    injections: list[SessionInjection]
    more_injections: bool
    memories: dict[str, ToldMemory]
    prompts: list[AskedPrompt]
    more_prompts: bool
    transcript: TranscriptState
    stored: StoredTranscript
    statements: list[SessionStatement]
    more_statements: bool
    saved: list[SavedMemory]
    more_saved: bool
    replaced: list[ReplacedMemory]
    claims: list[SessionClaim]
    more_claims: bool
    considered: list[ConsideredStatement]
    reminders: list[SessionReminder]
    reminder_tokens: int
    topics: list[str]
    decisions: list[str]
    in_play: SessionInPlay


class PreviewRequest(Struct, kw_only=True):
    """Asks what the next session of a project would be told; null is a session without a project.

    `agentId` is the agent that it acts for, `prompt` a prompt to send in it. `settings` maps
    dotted keys to values that are used instead of those in use; null is the default.
    """

    project: PathText | None = None
    harness: ShortText | None = None
    prompt: PreviewPrompt | None = None
    agent_id: ShortText | None = msgspec.field(default=None, name="agentId")
    settings: TriedSettings = msgspec.field(default_factory=dict[str, SettingValue | None])


class PreviewLine(Struct, kw_only=True, rename="camel"):
    """A memory that would be sent, or left out, and why; `line` is the line as sent.

    `words` are the memory's words in it; of a memory that is left out, all. `marks` is what else
    the line says of it: who noted it, and why it may not hold. `by_agent` says that an agent saved
    it by itself, or claimed it. `group` is below which heading it is told at a session's start,
    `worded_at` when its words were said. `basis` says why it is a constraint, which comes before
    all others; null if it isn't.
    """

    memory_id: str
    content: str
    line: str
    type: str
    version: int
    pinned: bool
    by_agent: bool
    words: str
    marks: list[str]
    group: ContextGroup | None
    constraint: bool
    basis: ConstraintBasis | None
    project: str | None
    created_at: str
    worded_at: str
    reason: str
    score: float | None
    tokens: int


class PreviewSessionLine(Struct, kw_only=True, rename="camel"):
    """A line of a past session as it would be told; `memory_id` is null if no memory says it.

    `kind` is memory (what was kept of the user's words), said (words of the user that weren't
    kept), proposal (what the agent proposed and the user accepted) or recap (the agent's closing
    summary). `speaker` names it as the sent text does.
    """

    text: str
    kind: Literal[
        "memory",
        "said",
        "proposal",
        "proposed",
        "answered",
        "recap",
        "asked",
        "edited",
        "open",
        "closing",
    ]
    speaker: str
    memory_id: str | None


class PreviewSession(ComparedSession, kw_only=True, rename="camel"):
    """A past session that the prompt was compared with; `lines` would be told of it, in order."""

    lines: list[PreviewSessionLine]


class PreviewCommit(ComparedCommit, kw_only=True, rename="camel"):
    """A commit that the prompt was compared with; `line` would be told of it, empty for nothing."""

    line: str


class ContextPreview(Struct, kw_only=True, rename="camel"):
    """What would be sent: the exact text, its estimated tokens against the budget, its lines.

    Characters are UTF-16 units. `sessions` are the past sessions that a prompt was compared with,
    told ones first; `commits` are the commits. What the sessions tell isn't repeated in `lines`.
    `held_back` counts the constraints that aren't told for lack of room: each is told with the
    first prompt that touches its subject.
    """

    text: str
    tokens: int
    budget: int
    characters: int
    max_characters: int
    sessions: list[PreviewSession]
    commits: list[PreviewCommit]
    lines: list[PreviewLine]
    left_out: list[PreviewLine]
    held_back: int


class FocalEntityRow(Struct, kw_only=True, rename="camel"):
    """An entity that the session is about, and by what it was found."""

    id: str
    name: str
    entity_type: EntityType
    source: FocalSource


class SettingWithoutEffect(Struct, kw_only=True):
    """A setting whose value changes nothing in a preview, and why."""

    key: str
    reason: str


class PreviewReply(Struct, kw_only=True, rename="camel"):
    """What the next session of a project would be told, at its start and with a prompt.

    `focal` are the entities that it is about: their constraints come first. `without_effect` are
    those of the request's `settings` that change nothing here. `moved_from` is where the project
    was, if its memories come along only as that session starts.
    """

    project: str | None
    agent: str
    harness: str
    harness_label: str
    focal: list[FocalEntityRow]
    start: ContextPreview
    prompt: ContextPreview | None
    without_effect: list[SettingWithoutEffect]
    moved_from: str | None = None
