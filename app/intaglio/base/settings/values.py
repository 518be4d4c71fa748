"""Every setting with its default, bounds and meaning; reading them is `reading.py`'s."""

from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, TypeAlias, cast

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
        0.5, "search.alpha", "Weight of meaning against words: 1 is vectors alone.", (0, 1)
    )
    min_score: float = _setting(
        0.2,
        "search.min_score",
        "Results are dropped whose words cover less of the question than this share, unless their "
        "cosine reaches it.",
        (0, 1),
    )
    postings_budget: int = _setting(
        10_000,
        "search.postings_budget",
        "How many index entries one keyword search may score; rare words come first.",
        (100, 10_000_000),
    )
    truncate_chars: int = _setting(
        500,
        "memory.pipelineV2.guardrails.recallTruncateChars",
        "A result's content is cut at this many characters.",
        (50, 100_000),
    )


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Which model gives vectors; a change begins at once to give all memories new ones."""

    provider: str = _setting(
        "onnx",
        "embedding.provider",
        "onnx (the model that comes with Intaglio), ollama, openai (any compatible server), none.",
        choices=("onnx", "native", "ollama", "openai", "none"),
    )
    model: str = _setting("", "embedding.model", "The model's name at ollama or openai.")
    base_url: str = _setting(
        "http://127.0.0.1:11434", "embedding.base_url", "The address of ollama or openai."
    )
    dimensions: int = _setting(
        768, "embedding.dimensions", "The length of that model's vectors.", (1, 8_192)
    )
    api_key: str = _setting("", "embedding.api_key", "The key for that address, if it needs one.")
    idle_minutes: int = _setting(
        10,
        "embedding.idleMinutes",
        "The model leaves memory after this time without use.",
        (1, 1_440),
    )


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """How the work of the background is done, and missing vectors are looked for."""

    max_attempts: int = _setting(
        3,
        "memory.pipelineV2.worker.maxRetries",
        "A job is given up after so many failures of its own.",
        (1, 10),
    )
    lease_timeout_ms: int = _setting(
        300_000,
        "memory.pipelineV2.worker.leaseTimeoutMs",
        "A job that was begun and is not done after this time is taken up anew.",
        (10_000, 600_000),
    )
    tracker: bool = _setting(
        True,
        "memory.pipelineV2.embeddingTracker.enabled",
        "Look for memories without a vector, and give them one.",
    )
    tracker_ms: int = _setting(
        5_000,
        "memory.pipelineV2.embeddingTracker.pollMs",
        "How often they are looked for.",
        (100, 60_000),
    )
    batch: int = _setting(
        8,
        "memory.pipelineV2.embeddingTracker.batchSize",
        "How many texts a model is given at once.",
        (1, 64),
    )


@dataclass(frozen=True, slots=True)
class RepairSettings:
    """How often a repair may be asked for, and by whom."""

    agents: bool = _setting(
        True, "memory.pipelineV2.autonomous.enabled", "Agents may ask for repairs."
    )
    frozen: bool = _setting(
        False, "memory.pipelineV2.autonomous.frozen", "Nobody may ask for a repair."
    )
    reembed_cooldown_ms: int = _setting(
        300_000,
        "memory.pipelineV2.repair.reembedCooldownMs",
        "Time between two repairs of vectors.",
        (0, 86_400_000),
    )
    reembed_hourly: int = _setting(
        10, "memory.pipelineV2.repair.reembedHourlyBudget", "Such repairs in an hour.", (1, 10_000)
    )
    requeue_cooldown_ms: int = _setting(
        60_000,
        "memory.pipelineV2.repair.requeueCooldownMs",
        "Time between two repairs of the queue.",
        (0, 86_400_000),
    )
    requeue_hourly: int = _setting(
        50, "memory.pipelineV2.repair.requeueHourlyBudget", "Such repairs in an hour.", (1, 10_000)
    )


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """How memories age and what they may be."""

    decay_rate: float = _setting(
        0.95, "memory.decay_rate", "Importance is multiplied by this for each idle day.", (0.5, 1)
    )
    frozen: bool = _setting(
        False, "memory.pipelineV2.mutationsFrozen", "Refuse every write; reading goes on."
    )
    tombstone_days: int = _setting(
        30, "retention.tombstoneDays", "A forgotten memory can be recovered this long.", (1, 3650)
    )


def _days(default: int, key: str, meaning: str) -> Any:  # noqa: ANN401 - as in `_setting`
    said = f"{meaning} are kept this many days; 0 keeps them for ever."
    return _setting(default, f"retention.{key}", said, (0, 36_500))


@dataclass(frozen=True, slots=True)
class RetentionSettings:
    """How long is kept what nobody deletes, and how the purge goes about it."""

    history_days: int = _days(180, "historyDays", "Recorded changes of memories")
    completed_job_days: int = _days(14, "completedJobDays", "Jobs that were completed")
    dead_job_days: int = _days(30, "deadJobDays", "Jobs that were given up")
    ledger_days: int = _days(90, "ledgerDays", "Records of what was injected into sessions")
    feedback_days: int = _days(180, "feedbackDays", "Ratings that sessions gave to memories")
    session_days: int = _days(180, "sessionDays", "Sessions that were not heard of since")
    forgotten_days: int = _days(
        0,
        "forgottenDays",
        "Digests by which what was forgotten does not come back out of transcripts",
    )
    set_aside_days: int = _days(90, "setAsideDays", "Broken databases that a restore has set aside")
    batch_limit: int = _setting(
        500, "retention.batchLimit", "Most rows that one transaction purges.", (10, 10_000)
    )
    interval_hours: int = _setting(
        6, "retention.intervalHours", "Time between two sweeps that purge.", (1, 168)
    )


@dataclass(frozen=True, slots=True)
class HookSettings:
    """What sessions receive, in the shapes of the client contract."""

    start_recall_limit: int = _setting(
        50, "hooks.sessionStart.recallLimit", "Memories considered at session start.", (1, 500)
    )
    start_max_chars: int = _setting(
        24_000,
        "hooks.sessionStart.maxInjectChars",
        "Longest text at session start.",
        (500, 100_000),
    )
    prompt_limit: int = _setting(
        5, "hooks.userPromptSubmit.recallLimit", "Most memories per prompt.", (1, 50)
    )
    prompt_max_chars: int = _setting(
        500, "hooks.userPromptSubmit.maxInjectChars", "Longest text per prompt.", (100, 20_000)
    )
    prompt_min_cosine: float = _setting(
        0.6,
        "hooks.userPromptSubmit.minCosine",
        "A memory whose meaning is at least this near to the prompt is injected too.",
        (0, 1),
    )
    prompt_embed_ms: int = _setting(
        300,
        "hooks.userPromptSubmit.embedMs",
        "How long a prompt may wait for its vector; after that words answer alone.",
        (0, 10_000),
    )
    prompt_min_coverage: float = _setting(
        0.3,
        "hooks.userPromptSubmit.minCoverage",
        "Share of the prompt's weight that a memory's words must cover to be injected.",
        (0, 1),
    )


@dataclass(frozen=True, slots=True)
class HarnessSettings:
    """What the sessions of one harness receive, and what is captured from them."""

    start_max_tokens: int = _setting(
        1_200, "harness.<name>.startMaxTokens", "Tokens injected at start.", (100, 2_400)
    )
    prompt_max_tokens: int = _setting(
        600, "harness.<name>.promptMaxTokens", "Tokens injected per prompt.", (50, 2_400)
    )
    capture: bool = _setting(
        True, "harness.<name>.capture", "Remember decisions, preferences and rules as said."
    )


def key_of_harness(name: str) -> str:
    """Spell a harness's name as ``agent.yaml`` does: ``my-agent`` is ``myAgent``."""
    first, *others = name.split("-")
    return first + "".join(word.capitalize() for word in others)


@dataclass(frozen=True, slots=True)
class SettingsByHarness:
    """The settings of each harness by its name; one that the file does not name has defaults.

    ``given`` pairs the file's spelling of a name with what it says.
    """

    given: tuple[tuple[str, HarnessSettings], ...] = ()

    def __getitem__(self, name: str) -> HarnessSettings:
        key = key_of_harness(name)
        return next((found for known, found in self.given if known == key), HarnessSettings())


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """How the database is kept safe."""

    enabled: bool = _setting(True, "backup.enabled", "Copy the database once a day.")
    keep: int = _setting(7, "backup.keep", "Daily copies kept.", (1, 365))


@dataclass(frozen=True, slots=True)
class DaemonSettings:
    """The daemon itself."""

    log_level: str = _setting(
        "info",
        "daemon.logLevel",
        "What the log holds; a change needs a restart.",
        choices=("debug", "info", "warning", "error"),
    )
    readers: int = _setting(
        3, "daemon.readers", "Threads that read the database; a change needs a restart.", (1, 16)
    )


def _window_ms(operation: str) -> Any:  # noqa: ANN401 - as in `_setting`
    key = f"auth.rateLimits.{operation}.windowMs"
    return _setting(60_000, key, "The window of that limit, in milliseconds.", (1_000, 86_400_000))


def _most(operation: str, most: int) -> Any:  # noqa: ANN401 - as in `_setting`
    key = f"auth.rateLimits.{operation}.max"
    return _setting(most, key, "Most requests of one actor in that window.", (1, 10_000))


@dataclass(frozen=True, slots=True)
class AuthSettings:
    """Who may ask how often."""

    mode: str = _setting(
        "local",
        "auth.mode",
        "In team and hybrid the rate limits below hold, in local none does. In every mode the "
        "daemon answers programs on this machine alone.",
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
    """The tray."""

    notifications: str = _setting(
        "all",
        "desktop.notifications",
        "What the tray notifies about: all, problems (what needs you), none.",
        choices=("all", "problems", "none"),
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a daemon, read once and replaced as a whole when the file changes.

    ``harness`` has a section for each harness. ``roster`` is no section: it is None where the
    file's agents cannot be told.
    """

    search: SearchSettings = field(default_factory=SearchSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    queue: QueueSettings = field(default_factory=QueueSettings)
    repair: RepairSettings = field(default_factory=RepairSettings)
    memory: MemorySettings = field(default_factory=MemorySettings)
    retention: RetentionSettings = field(default_factory=RetentionSettings)
    hooks: HookSettings = field(default_factory=HookSettings)
    harness: SettingsByHarness = SettingsByHarness()
    backup: BackupSettings = field(default_factory=BackupSettings)
    auth: AuthSettings = field(default_factory=AuthSettings)
    daemon: DaemonSettings = field(default_factory=DaemonSettings)
    desktop: DesktopSettings = field(default_factory=DesktopSettings)
    roster: Roster = ()


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """A value in the file that could not be taken as it stands."""

    key: str
    message: str


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """A setting as the documentation and the settings page show it."""

    key: str
    default: Scalar
    meaning: str
    bounds: tuple[float, float] | None
    choices: tuple[str, ...]


def sections() -> list[tuple[str, type[Any]]]:
    """List the sections by their names in `Settings`."""
    return [
        (section.name, cast("type[Any]", section.default_factory))
        for section in fields(Settings)
        if section.default_factory is not MISSING
    ]


def info_of(entry: "Field[Any]") -> SettingInfo:
    """Return what a section's field declares."""
    meta = entry.metadata
    default = cast("Scalar", entry.default)
    return SettingInfo(meta["key"], default, meta["meaning"], meta["bounds"], meta["choices"])


def all_settings() -> list[SettingInfo]:
    """List every setting in the order of the file's sections; ``<name>`` stands for a harness's."""
    every = [section for _, section in sections()]
    return [info_of(entry) for section in (*every, HarnessSettings) for entry in fields(section)]
