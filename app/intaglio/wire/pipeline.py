"""Requests and replies about the stages of the pipeline. Times are ISO-8601 UTC."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from intaglio.wire.work_subjects import WorkSubject

PipelineMode = Literal["disabled", "frozen", "shadow", "controlled-write"]
StageStateName = Literal[
    "off", "waiting_for_model", "paused", "resting", "capped", "working", "failing", "idle"
]
ProposalResultName = Literal["applied", "blocked", "shadow", "skipped"]


class PipelineModel(Struct, kw_only=True):
    """The language model for one role, with its name as it is shown as ``title``.

    ``is_asked`` is false until it is confirmed and usable.
    """

    role: Literal["extraction", "synthesis"]
    provider: str
    model: str
    title: str
    is_asked: bool


class PipelineDay(Struct, kw_only=True):
    """What all calls of the day used, and the limits; a limit of 0 is none."""

    tokens: int
    token_limit: int
    usd: float
    usd_limit: float


class StagePrompt(Struct, kw_only=True):
    """A prompt of a stage, and the version that is in use."""

    name: str
    version: int


class StageUse(Struct, kw_only=True):
    """What a stage's calls used; ``usd`` is null where no price is known."""

    calls: int
    failed: int
    tokens: int
    usd: float | None


class StageFailure(Struct, kw_only=True):
    """The last failure of a stage."""

    at: str
    text: str


class StageRow(Struct, kw_only=True):
    """A stage; ``detail`` says in words why it makes no calls, or how it fails.

    ``waiting``, ``running`` and ``failed_jobs`` count the jobs of ``job_types``. ``paused_at`` is
    set while the stage itself is paused. ``last_hour`` and ``last_day`` count answered calls,
    ``today`` and ``week`` all. ``median_ms`` is that of the latest answered calls of a week.
    ``can_redo`` tells whether its work can be done again.
    """

    name: str
    label: str
    help: str
    role: Literal["extraction", "synthesis"]
    state: StageStateName
    detail: str
    paused_at: str | None
    job_types: list[str]
    waiting: int
    running: int
    failed_jobs: int
    last_hour: int
    last_day: int
    today: StageUse
    week: StageUse
    median_ms: int | None
    last_error: StageFailure | None
    prompts: list[StagePrompt]
    can_redo: bool


class StageList(Struct, kw_only=True):
    """All stages in order, the models that they ask, and what was used of the day's limits."""

    mode: PipelineMode
    models: list[PipelineModel]
    today: PipelineDay
    stages: list[StageRow]


class StagePauseReply(Struct, kw_only=True):
    """Whether a stage is paused."""

    stage: str
    paused: bool
    success: bool = True


class ModelCallRow(Struct, kw_only=True):
    """A call of a language model; nothing of its text is kept.

    ``outcome`` is ``answered``, ``unreadable``, or why there was no reply, with ``detail``. ``usd``
    is null where no price is known; ``is_estimated``: the server didn't count the tokens.
    """

    id: str
    at: str
    stage: str
    label: str
    provider: str
    model: str
    prompt: str
    prompt_version: int
    tokens_read: int
    tokens_written: int
    is_estimated: bool
    usd: float | None
    ms: int
    attempts: int
    outcome: str
    detail: str
    project: str | None
    subject: WorkSubject | None


class ModelCallList(Struct, kw_only=True):
    """A page of calls, newest first; ``cursor`` requests the next page."""

    calls: list[ModelCallRow]
    cursor: str | None


class ProposalMemory(Struct, kw_only=True):
    """A memory beside a proposal, as it is now."""

    id: str
    content: str
    is_deleted: bool


class ProposalRow(Struct, kw_only=True):
    """What a model proposed for one fact, and what became of it.

    ``source`` is the memory that was read, ``evidence`` the words of it that were quoted,
    ``target`` the memory that the proposal is about, ``created`` the one that it made; null if
    there is none, or the caller may not see it. ``skipped`` and ``blocked`` are why it changed
    nothing, or waits for the user: empty if it doesn't. ``item_id`` is the inbox item where it is
    decided. Without a ``content``, replies of the model were unusable, and ``reason`` says how.
    """

    id: str
    at: str
    result: ProposalResultName
    action: str
    content: str
    type: str
    fact_confidence: float | None
    evidence: str
    said_by_user: bool
    confidence: float | None
    reason: str
    skipped: str
    blocked: str
    contradiction_risk: bool
    model: str
    prompts: list[StagePrompt]
    source: ProposalMemory | None
    target: ProposalMemory | None
    created: ProposalMemory | None
    item_id: str | None
    item_state: str | None


class ProposalCount(Struct, kw_only=True):
    """How many proposals of the last seven days had a result."""

    result: ProposalResultName
    count: int


class ProposalList(Struct, kw_only=True):
    """A page of proposals, newest first; ``cursor`` requests the next page."""

    proposals: list[ProposalRow]
    counts: list[ProposalCount]
    cursor: str | None


class RedoRequest(Struct, kw_only=True, rename="camel"):
    """What to do again: all that a stage made since a time; ``dry_run`` only estimates."""

    stage: Annotated[str, Meta(min_length=1, max_length=100)]
    since: Annotated[str, Meta(min_length=1, max_length=100)]
    dry_run: bool = False


class RedoReply(Struct, kw_only=True, rename="camel"):
    """How much there is to do again, what it is likely to use, and how much was queued.

    ``tokens`` and ``usd`` are null where nothing is known yet of what a call uses or costs.
    """

    stage: str
    count: int
    tokens: int | None
    usd: float | None
    queued: int
    dry_run: bool
    success: bool = True
