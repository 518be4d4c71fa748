"""Every setting with its default, bounds and meaning; `loader.py` reads them from the file."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from intaglio.base.agent_yaml.roster import Roster

Scalar: TypeAlias = bool | int | float | str


def _setting(
    default: Scalar,
    key: str,
    meaning: str,
    bounds: tuple[float, float] | None = None,
    choices: tuple[str, ...] = (),
) -> Any:  # noqa: ANN401 - dataclasses.field types its result as the field's own type
    """Declare a setting: its dotted key in agent.yaml, its meaning, inclusive bounds or choices."""
    meta = {"key": key, "meaning": meaning, "bounds": bounds, "choices": choices}
    return field(default=default, metadata=meta)


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How recall searches."""

    alpha: float = _setting(
        0.5,
        "search.alpha",
        "Weight of semantic against keyword search, with a model server: 0 is keywords only, 1 is "
        "semantic only.",
        (0, 1),
    )
    min_score: float = _setting(
        0.2,
        "search.min_score",
        "With a model server or none, drop results whose words cover less than this share of the "
        "question, unless their cosine similarity reaches it.",
        (0, 1),
    )
    without: str = _setting(
        "",
        "search.without",
        "Signals that the ranking leaves out, with commas, to measure what each contributes.",
    )
    postings_budget: int = _setting(
        10_000,
        "search.postings_budget",
        "Most index entries that one keyword search scores, rarest words first; at most 2,000 with "
        "the included model.",
        (100, 10_000_000),
    )
    truncate_chars: int = _setting(
        500,
        "memory.pipelineV2.guardrails.recallTruncateChars",
        "Truncate the content of results to this many characters.",
        (50, 100_000),
    )


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Which model makes embeddings. A change re-embeds all memories in the background."""

    provider: str = _setting(
        "onnx",
        "embedding.provider",
        "onnx (the included model), ollama, openai (any compatible server), none.",
        choices=("onnx", "native", "ollama", "openai", "none"),
    )
    model: str = _setting("", "embedding.model", "Name of the model at ollama or openai.")
    base_url: str = _setting(
        "http://127.0.0.1:11434", "embedding.base_url", "Address of the ollama or openai server."
    )
    dimensions: int = _setting(
        768, "embedding.dimensions", "Dimensions of that model's embeddings.", (1, 8_192)
    )
    api_key: str = _setting("", "embedding.api_key", "API key for that server, if it needs one.")
    idle_minutes: int = _setting(
        10,
        "embedding.idleMinutes",
        "Unload the model after this many minutes without use.",
        (1, 1_440),
    )


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """The graph of entities, and the walk over it at a session's start."""

    enabled: bool = _setting(
        True,
        "memory.pipelineV2.graph.enabled",
        "Find the entities that memories name, and tell sessions the entities' constraints.",
    )
    walk: bool = _setting(
        True,
        "memory.pipelineV2.traversal.enabled",
        "Walk the graph from a session's focal entities.",
    )
    max_aspects: int = _setting(
        10,
        "memory.pipelineV2.traversal.maxAspectsPerEntity",
        "Aspects of each entity that the walk visits, weightiest first.",
        (1, 100),
    )
    max_attributes: int = _setting(
        20,
        "memory.pipelineV2.traversal.maxAttributesPerAspect",
        "Facts of each aspect that the walk visits, most important first.",
        (1, 500),
    )
    max_hops: int = _setting(
        30,
        "memory.pipelineV2.traversal.maxDependencyHops",
        "Entities one dependency away that the walk visits, strongest first.",
        (0, 1_000),
    )
    min_strength: float = _setting(
        0.3,
        "memory.pipelineV2.traversal.minDependencyStrength",
        "Weaker dependencies aren't followed.",
        (0, 1),
    )
    timeout_ms: int = _setting(
        500,
        "memory.pipelineV2.traversal.timeoutMs",
        "The walk ends after this time; constraints are read before and never left out.",
        (10, 10_000),
    )
    resolve_by_embedding: bool = _setting(
        False,
        "memory.pipelineV2.graph.useEmbeddingResolution",
        "Compare the names of new entities by meaning: merge very similar ones, ask about others.",
    )
    same_similarity: float = _setting(
        0.85,
        "memory.pipelineV2.graph.entitySimilarityThreshold",
        "From this cosine similarity of their names, entities are merged.",
        (0.5, 1),
    )
    ask_similarity: float = _setting(
        0.7,
        "memory.pipelineV2.graph.entityAmbiguousThreshold",
        "From this cosine similarity of their names, the inbox asks whether they are the same.",
        (0.3, 1),
    )


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """How background jobs run, and how memories without an embedding are found."""

    max_attempts: int = _setting(
        3,
        "memory.pipelineV2.worker.maxRetries",
        "Attempts before a job is marked as failed.",
        (1, 10),
    )
    lease_timeout_ms: int = _setting(
        300_000,
        "memory.pipelineV2.worker.leaseTimeoutMs",
        "Run a job again if it hasn't finished after this time.",
        (10_000, 600_000),
    )
    tracker: bool = _setting(
        True,
        "memory.pipelineV2.embeddingTracker.enabled",
        "Find memories without an embedding and embed them.",
    )
    tracker_ms: int = _setting(
        5_000,
        "memory.pipelineV2.embeddingTracker.pollMs",
        "How often to look for them.",
        (100, 60_000),
    )
    batch: int = _setting(
        8,
        "memory.pipelineV2.embeddingTracker.batchSize",
        "Most texts in one request to the model.",
        (1, 64),
    )


@dataclass(frozen=True, slots=True)
class RepairSettings:
    """How often a repair may be requested, and by whom."""

    agents: bool = _setting(
        True, "memory.pipelineV2.autonomous.enabled", "Allow agents to request repairs."
    )
    frozen: bool = _setting(False, "memory.pipelineV2.autonomous.frozen", "Refuse all repairs.")
    reembed_cooldown_ms: int = _setting(
        300_000,
        "memory.pipelineV2.repair.reembedCooldownMs",
        "Shortest time between two repairs of embeddings.",
        (0, 86_400_000),
    )
    reembed_hourly: int = _setting(
        10,
        "memory.pipelineV2.repair.reembedHourlyBudget",
        "Most repairs of embeddings per hour.",
        (1, 10_000),
    )
    requeue_cooldown_ms: int = _setting(
        60_000,
        "memory.pipelineV2.repair.requeueCooldownMs",
        "Shortest time between two repairs of the queue.",
        (0, 86_400_000),
    )
    requeue_hourly: int = _setting(
        50,
        "memory.pipelineV2.repair.requeueHourlyBudget",
        "Most repairs of the queue per hour.",
        (1, 10_000),
    )


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """How memories age, and whether they can be changed."""

    decay_rate: float = _setting(
        0.95,
        "memory.decay_rate",
        "Multiply a memory's importance by this for each day without use.",
        (0.5, 1),
    )
    frozen: bool = _setting(
        False, "memory.pipelineV2.mutationsFrozen", "Refuse all changes; reading still works."
    )
    agent_changes: int = _setting(
        20,
        "memory.agentChanges",
        "Memories of its own that an agent may change or forget in one session; then only you can.",
        (0, 100),
    )
    tombstone_days: int = _setting(
        30,
        "retention.tombstoneDays",
        "Days in which a forgotten memory can be restored.",
        (1, 3650),
    )


def _days(default: int, key: str, meaning: str) -> Any:  # noqa: ANN401 - as in `_setting`
    text = f"Days to keep {meaning}; 0 means forever."
    return _setting(default, f"retention.{key}", text, (0, 36_500))


@dataclass(frozen=True, slots=True)
class RetentionSettings:
    """How long data is kept, and how the retention sweep deletes it."""

    history_days: int = _days(180, "historyDays", "the history of memories")
    completed_job_days: int = _days(14, "completedJobDays", "completed jobs")
    dead_job_days: int = _days(30, "deadJobDays", "failed jobs")
    ledger_days: int = _days(90, "ledgerDays", "records of what sessions received")
    sent_text_days: int = _days(30, "sentTextDays", "the exact text that sessions received")
    feedback_days: int = _days(180, "feedbackDays", "sessions' ratings of memories")
    session_days: int = _days(180, "sessionDays", "sessions after their last activity")
    forgotten_days: int = _days(
        0,
        "forgottenDays",
        "hashes of forgotten memories, so that they aren't captured again",
    )
    inbox_days: int = _days(90, "inboxDays", "what you decided on in the inbox")
    entity_change_days: int = _days(
        90, "entityChangeDays", "your changes of entities, so that they can be undone"
    )
    transcript_days: int = _days(
        180, "transcriptDays", "what was said in sessions, after the last message of each"
    )
    set_aside_days: int = _days(90, "setAsideDays", "databases set aside by a restore")
    batch_limit: int = _setting(
        500, "retention.batchLimit", "Most rows deleted in one transaction.", (10, 10_000)
    )
    interval_hours: int = _setting(
        6, "retention.intervalHours", "Hours between two cleanups.", (1, 168)
    )


@dataclass(frozen=True, slots=True)
class HookSettings:
    """What sessions receive, in the formats of the client contract."""

    start_recall_limit: int = _setting(
        50, "hooks.sessionStart.recallLimit", "Most memories considered at session start.", (1, 500)
    )
    start_max_chars: int = _setting(
        24_000,
        "hooks.sessionStart.maxInjectChars",
        "Most characters injected at session start.",
        (500, 100_000),
    )
    prompt_limit: int = _setting(
        5, "hooks.userPromptSubmit.recallLimit", "Most memories injected per prompt.", (1, 50)
    )
    prompt_max_chars: int = _setting(
        500,
        "hooks.userPromptSubmit.maxInjectChars",
        "Most characters of memories injected per prompt through the client contract; of past "
        "sessions, `harness.<name>.promptMaxTokens`.",
        (100, 20_000),
    )
    prompt_min_match: float = _setting(
        0.48,
        "hooks.userPromptSubmit.minMatch",
        "Of the memories that answer a prompt, inject those that match it at least this well "
        "(with the included model).",
        (0, 2),
    )
    prompt_min_cosine: float = _setting(
        0.6,
        "hooks.userPromptSubmit.minCosine",
        "With another model, inject memories with at least this cosine similarity to the prompt.",
        (0, 1),
    )
    prompt_embed_ms: int = _setting(
        300,
        "hooks.userPromptSubmit.embedMs",
        "How long a prompt waits for its embedding before using keywords only.",
        (0, 10_000),
    )
    prompt_min_coverage: float = _setting(
        0.3,
        "hooks.userPromptSubmit.minCoverage",
        "With another model or none, inject memories whose words cover at least this share of the "
        "prompt.",
        (0, 1),
    )


@dataclass(frozen=True, slots=True)
class HarnessSettings:
    """What the sessions of one harness receive, and what is captured from them."""

    start_max_tokens: int = _setting(
        600,
        "harness.<name>.startMaxTokens",
        "Most tokens injected at session start.",
        (100, 2_400),
    )
    prompt_max_tokens: int = _setting(
        600,
        "harness.<name>.promptMaxTokens",
        "Most tokens injected per prompt, past sessions included.",
        (50, 2_400),
    )
    capture: bool = _setting(
        True, "harness.<name>.capture", "Save decisions, preferences and rules from sessions."
    )
    start_message: bool = _setting(
        True,
        "harness.<name>.startMessage",
        "Show you a line with the number of memories when a session starts. The model doesn't get "
        "it.",
    )


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """How sure capture must be of a statement, and when it judges a session as a whole."""

    keep_at: float = _setting(
        0.7,
        "capture.keepAt",
        "Save a statement as a memory if capture is at least this sure of it.",
        (0, 1),
    )
    suggest_at: float = _setting(
        0.54,
        "capture.suggestAt",
        "Suggest a less certain statement in the inbox if capture is at least this sure of it.",
        (0, 1),
    )
    suggestion_days: int = _setting(
        14,
        "capture.suggestionDays",
        "Days after which an open suggestion expires; 0 means never.",
        (0, 3_650),
    )
    settle_minutes: int = _setting(
        30,
        "capture.settleMinutes",
        "Once a session has ended, or was idle for this many minutes, merge what you repeated and "
        "take back what you withdrew.",
        (1, 1_440),
    )
    reminders: str = _setting(
        "normal",
        "capture.reminders",
        "How often an agent that has the tools is reminded to save what you said, if it may matter "
        "later: normal, fewer, off. A reminder costs about 46 tokens.",
        choices=("normal", "fewer", "off"),
    )
    reminders_per_session: int = _setting(
        12, "capture.remindersPerSession", "Most save reminders in one session.", (0, 1_000)
    )
    transcripts: bool = _setting(
        True,
        "capture.transcripts",
        "Keep what you and your agents say in sessions, so that later sessions find it. Off also "
        "deletes what is kept.",
    )


@dataclass(frozen=True, slots=True)
class CommitSettings:
    """Which commits of projects are read from git."""

    enabled: bool = _setting(
        True,
        "commits.enabled",
        "Read the commits of projects in which you use an agent, so that their messages answer "
        "prompts; each project has a switch of its own. Off also deletes what was read.",
    )
    authors: bool = _setting(
        False,
        "commits.authors",
        "Also keep the names of commits' authors; holds for commits that are read from then on.",
    )
    max_per_project: int = _setting(
        20_000,
        "commits.maxPerProject",
        "Of a project, keep this many of its newest commits that have more than a subject.",
        (100, 1_000_000),
    )


def harness_key(name: str) -> str:
    """Spell a harness's name as ``agent.yaml`` does: ``some-agent`` becomes ``someAgent``."""
    first, *others = name.split("-")
    return first + "".join(word.capitalize() for word in others)


@dataclass(frozen=True, slots=True)
class CodeSettings:
    """What is read of the projects' code."""

    enabled: bool = _setting(
        True,
        "code.enabled",
        "Read what the code of projects defines, and check whether what memories name is there.",
    )
    check_ms: int = _setting(
        20,
        "code.checkMs",
        "Milliseconds that this check may take before memories are told; 0 skips it.",
        (0, 10_000),
    )


@dataclass(frozen=True, slots=True)
class SettingsByHarness:
    """The settings of each harness by name; defaults for those that the file doesn't name.

    ``given`` pairs each name, spelled as in the file, with its settings.
    """

    given: tuple[tuple[str, HarnessSettings], ...] = ()

    def __getitem__(self, name: str) -> HarnessSettings:
        key = harness_key(name)
        return next((found for known, found in self.given if known == key), HarnessSettings())


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """How the database is backed up."""

    enabled: bool = _setting(True, "backup.enabled", "Back up the database once a day.")
    keep: int = _setting(
        7,
        "backup.keep",
        "Newest backups to keep, besides the last good one, the fullest one, and the first of each "
        "of the last two days and weeks.",
        (1, 365),
    )


@dataclass(frozen=True, slots=True)
class DaemonSettings:
    """Settings of the daemon itself."""

    log_level: str = _setting(
        "info",
        "daemon.logLevel",
        "Lowest level that is logged; needs a restart.",
        choices=("debug", "info", "warning", "error"),
    )
    readers: int = _setting(
        3, "daemon.readers", "Threads that read the database; needs a restart.", (1, 16)
    )


def _window_ms(operation: str) -> Any:  # noqa: ANN401 - as in `_setting`
    key = f"auth.rateLimits.{operation}.windowMs"
    return _setting(60_000, key, "Window of that limit, in milliseconds.", (1_000, 86_400_000))


def _most(operation: str, most: int) -> Any:  # noqa: ANN401 - as in `_setting`
    key = f"auth.rateLimits.{operation}.max"
    return _setting(most, key, f"Most {operation} requests per actor in the window.", (1, 10_000))


@dataclass(frozen=True, slots=True)
class AuthSettings:
    """Rate limits, and when they apply."""

    mode: str = _setting(
        "local",
        "auth.mode",
        "team and hybrid apply the rate limits below, local applies none. Only programs on this "
        "machine can connect, and only your own user's; in team, other users' with the token.",
        choices=("local", "team", "hybrid"),
    )
    forget_max: int = _most("forget", 30)
    forget_window_ms: int = _window_ms("forget")
    modify_max: int = _most("modify", 60)
    modify_window_ms: int = _window_ms("modify")
    batch_forget_max: int = _most("batchForget", 5)
    batch_forget_window_ms: int = _window_ms("batchForget")
    force_delete_max: int = _most("forceDelete", 3)
    force_delete_window_ms: int = _window_ms("forceDelete")
    admin_max: int = _most("admin", 10)
    admin_window_ms: int = _window_ms("admin")


@dataclass(frozen=True, slots=True)
class DesktopSettings:
    """Settings of the tray app."""

    notifications: str = _setting(
        "all",
        "desktop.notifications",
        "Desktop notifications: all, problems (only what needs you), none.",
        choices=("all", "problems", "none"),
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a daemon, replaced as a whole when the file changes.

    ``harness`` has a section for each harness. ``roster`` lists the agents of the file; None if
    they can't be read.
    """

    search: SearchSettings = field(default_factory=SearchSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    graph: GraphSettings = field(default_factory=GraphSettings)
    queue: QueueSettings = field(default_factory=QueueSettings)
    repair: RepairSettings = field(default_factory=RepairSettings)
    memory: MemorySettings = field(default_factory=MemorySettings)
    retention: RetentionSettings = field(default_factory=RetentionSettings)
    hooks: HookSettings = field(default_factory=HookSettings)
    capture: CaptureSettings = field(default_factory=CaptureSettings)
    commits: CommitSettings = field(default_factory=CommitSettings)
    code: CodeSettings = field(default_factory=CodeSettings)
    harness: SettingsByHarness = SettingsByHarness()
    backup: BackupSettings = field(default_factory=BackupSettings)
    auth: AuthSettings = field(default_factory=AuthSettings)
    daemon: DaemonSettings = field(default_factory=DaemonSettings)
    desktop: DesktopSettings = field(default_factory=DesktopSettings)
    roster: Roster = ()


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """A value in the file that isn't valid."""

    key: str
    message: str
