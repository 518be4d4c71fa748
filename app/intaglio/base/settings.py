"""Every setting with its default, bounds and meaning; how they are read from ``agent.yaml``."""

import math
import os
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard, cast

import yaml

from intaglio.base.text import clip

Scalar: TypeAlias = bool | int | float | str

MAX_SETTINGS_BYTES = 1_000_000
_SHOWN_CHARS = 80


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
    """Which model gives vectors; read at the daemon's start."""

    provider: str = _setting(
        "onnx",
        "embedding.provider",
        "onnx (the model that comes with Intaglio), ollama, openai (any compatible server), none. "
        "Takes effect at the next start.",
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
class ClaudeCodeSettings:
    """What Claude Code sessions receive and what is captured from them."""

    start_max_tokens: int = _setting(
        1_200, "harness.claudeCode.startMaxTokens", "Tokens injected at start.", (100, 2_400)
    )
    prompt_max_tokens: int = _setting(
        600, "harness.claudeCode.promptMaxTokens", "Tokens injected per prompt.", (50, 2_400)
    )
    capture: bool = _setting(
        True, "harness.claudeCode.capture", "Remember decisions, preferences and rules as said."
    )


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
    """All settings of a daemon, read once and replaced as a whole when the file changes."""

    search: SearchSettings = field(default_factory=SearchSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    memory: MemorySettings = field(default_factory=MemorySettings)
    hooks: HookSettings = field(default_factory=HookSettings)
    claude_code: ClaudeCodeSettings = field(default_factory=ClaudeCodeSettings)
    backup: BackupSettings = field(default_factory=BackupSettings)
    daemon: DaemonSettings = field(default_factory=DaemonSettings)
    desktop: DesktopSettings = field(default_factory=DesktopSettings)


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


def _sections() -> list[tuple[str, type[Any]]]:
    return [
        (section.name, cast("type[Any]", section.default_factory)) for section in fields(Settings)
    ]


def _info(entry: "Field[Any]") -> SettingInfo:
    meta = entry.metadata
    default = cast("Scalar", entry.default)
    return SettingInfo(meta["key"], default, meta["meaning"], meta["bounds"], meta["choices"])


def all_settings() -> list[SettingInfo]:
    """List every setting in the order of the file's sections."""
    return [_info(entry) for _, section in _sections() for entry in fields(section)]


def _lookup(tree: Mapping[str, object], key: str) -> object | None:
    node: object = tree
    for part in key.split("."):
        if not isinstance(node, Mapping):
            return None
        # mypy needs the cast that pyright can do without.
        node = cast("Mapping[str, object]", node).get(part)  # pyright: ignore[reportUnnecessaryCast]
    return node


def _is_number(value: object) -> TypeGuard[int | float]:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _unfit_text(info: SettingInfo, value: object) -> str:
    if not isinstance(value, str):
        return "must be text"
    if info.choices and value not in info.choices:
        return f"must be one of {', '.join(info.choices)}"
    return ""


def _fit(info: SettingInfo, value: object) -> tuple[Scalar, str]:
    """Return the value to use and, when it differs from what was given, why."""
    default = info.default
    if isinstance(default, bool):
        return (value, "") if isinstance(value, bool) else (default, "must be true or false")
    if isinstance(default, str):
        complaint = _unfit_text(info, value)
        return (default if complaint else str(value)), complaint
    if not _is_number(value):
        return default, "must be a number"
    number: Scalar = value
    if isinstance(default, int):
        if value != int(value):
            return default, "must be a whole number"
        number = int(value)
    if info.bounds:
        low, high = info.bounds
        fitted = min(max(number, low), high)
        if fitted != number:
            return type(default)(fitted), f"must be between {low:g} and {high:g}"
    return number, ""


def _shown(value: object) -> str:
    try:
        return clip(repr(value), _SHOWN_CHARS)
    except (ValueError, RecursionError):
        return "longer than can be shown"


def settings_from(tree: Mapping[str, object]) -> tuple[Settings, tuple[SettingProblem, ...]]:
    """Build the settings; every problem is reported at once.

    A number out of bounds is clamped, a value of another type falls back to the default.
    """
    problems: list[SettingProblem] = []
    sections: dict[str, Any] = {}
    for name, section in _sections():
        values: dict[str, Scalar] = {}
        for entry in fields(section):
            info = _info(entry)
            given = _lookup(tree, info.key)
            if given is None:
                continue
            values[entry.name], complaint = _fit(info, given)
            if complaint:
                problems.append(SettingProblem(info.key, f"{complaint}; it is {_shown(given)}"))
        sections[name] = section(**values)
    return Settings(**sections), tuple(problems)


def read_settings(file: Path) -> tuple[Settings, tuple[SettingProblem, ...]]:
    """Read ``agent.yaml``; a missing file means the defaults, a broken one too, with a problem."""
    try:
        if file.stat().st_size > MAX_SETTINGS_BYTES:
            return Settings(), (SettingProblem(str(file), "is larger than 1 MB"),)
        tree: object = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings(), ()
    # A date that no calendar has is a ValueError, endless nesting a RecursionError.
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        return Settings(), (SettingProblem(str(file), f"cannot be read: {error}"),)
    if tree is None:
        return Settings(), ()
    if not isinstance(tree, dict):
        return Settings(), (SettingProblem(str(file), "must hold keys and values"),)
    return settings_from(cast("Mapping[str, object]", tree))


def port_from(env: Mapping[str, str] = os.environ) -> int | None:
    """Read ``INTAGLIO_PORT`` (or ``SIGNET_PORT``); None where neither holds 1 to 65535."""
    for name in ("INTAGLIO_PORT", "SIGNET_PORT"):
        text = env.get(name, "").strip()
        if text.isdecimal() and 1 <= int(text) <= 65_535:  # noqa: PLR2004 - the range of ports
            return int(text)
    return None
