"""The settings of language models: which are asked, and what they may cost."""

from dataclasses import dataclass
from typing import Any, Final

from intaglio.base.settings.declaration import Choice, Consequence, SettingGroup, setting
from intaglio.inference.completion.choice import PROVIDERS

NO_PROVIDER: Final = "none"
SAME_PROVIDER: Final = "same"
MOST_TIMEOUT_MS: Final = 300_000

_PROVIDERS: Final = tuple(
    Choice(name, facts.title if not facts.program else f"{facts.title}, as you are signed in")
    for name, facts in PROVIDERS.items()
)
_CALLED: Final = tuple(one.value for one in _PROVIDERS)
_SENDS_TEXT: Final = (
    "Memories and what is said in your sessions are sent to this model, and unless it runs on this "
    "computer, they leave it and each call may cost money."
)
_OTHER_MODEL: Final = "Another model may cost more."
_MORE_TEXT: Final = "More may be spent in a day."
# What else seeds and other programs call them.
_OTHER_NAMES: Final = (
    ("off", NO_PROVIDER),
    ("llama-cpp", "openai"),
    ("llama.cpp", "openai"),
    ("lmstudio", "openai"),
    ("vllm", "openai"),
    ("openai-compatible", "openai"),
    ("claude", "anthropic"),
)


def _timeout(default: int, key: str, label: str) -> Any:  # noqa: ANN401 - as `setting`
    return setting(
        default,
        key,
        label=label,
        help="A reply that takes longer counts as failed, and is asked for again later.",
        group=SettingGroup.MODELS,
        unit="ms",
        bounds=(5_000, MOST_TIMEOUT_MS),
        other_keys=(key.removeprefix("memory.pipelineV2."),),
        words="language model llm deadline",
    )


@dataclass(frozen=True, slots=True)
class ExtractionModelSettings:
    """The model that reads single texts: memories, messages, facts."""

    provider: str = setting(
        NO_PROVIDER,
        "memory.pipelineV2.extraction.provider",
        label="Language model",
        help="It reads what rules can't: causes, places, agreements. Without one, nothing is sent "
        "anywhere and no tokens are used.",
        group=SettingGroup.MODELS,
        choices=(Choice(NO_PROVIDER, "None: rules only"), *_PROVIDERS),
        other_values=_OTHER_NAMES,
        consequence=Consequence("sends", _SENDS_TEXT, _CALLED),
        other_keys=("extraction.provider",),
        words="llm extraction ai provider ollama openai anthropic claude codex pipeline",
    )
    model: str = setting(
        "",
        "memory.pipelineV2.extraction.model",
        label="Name of the language model",
        help="As its provider calls it, such as qwen3:4b or haiku. Empty is the provider's choice.",
        group=SettingGroup.MODELS,
        consequence=Consequence("tokens", _OTHER_MODEL),
        other_keys=("extraction.model",),
        words="llm extraction",
    )
    endpoint: str = setting(
        "",
        "memory.pipelineV2.extraction.endpoint",
        label="Address of the language model",
        help="Where its server answers. Empty is the provider's usual address; for Ollama that is "
        "this machine.",
        group=SettingGroup.MODELS,
        consequence=Consequence("sends", _SENDS_TEXT),
        other_keys=("extraction.endpoint", "memory.pipelineV2.extraction.base_url"),
        words="llm extraction url host server",
    )
    api_key: str = setting(
        "",
        "memory.pipelineV2.extraction.apiKey",
        label="API key for the language model",
        help="Sent to its server only. $NAME takes it from that environment variable of the "
        "daemon.",
        group=SettingGroup.MODELS,
        secret=True,
        other_keys=("extraction.apiKey",),
        words="llm extraction token password",
    )
    timeout_ms: int = _timeout(
        90_000, "memory.pipelineV2.extraction.timeout", "Time for a reply of the language model"
    )


@dataclass(frozen=True, slots=True)
class SynthesisModelSettings:
    """The model that reads whole sessions."""

    enabled: bool = setting(
        True,
        "memory.pipelineV2.synthesis.enabled",
        label="Let a language model read whole sessions",
        help="At a session's end, it notes what a careful colleague would. Needs a language model.",
        group=SettingGroup.MODELS,
        other_keys=("synthesis.enabled",),
        words="llm synthesis summary notes",
    )
    provider: str = setting(
        SAME_PROVIDER,
        "memory.pipelineV2.synthesis.provider",
        label="Language model for whole sessions",
        help="A larger one may be worth it: it is asked once a session.",
        group=SettingGroup.MODELS,
        choices=(
            Choice(SAME_PROVIDER, "The same"),
            Choice(NO_PROVIDER, "None"),
            *_PROVIDERS,
        ),
        other_values=_OTHER_NAMES,
        consequence=Consequence("sends", _SENDS_TEXT, _CALLED),
        other_keys=("synthesis.provider",),
        words="llm synthesis ai provider",
    )
    model: str = setting(
        "",
        "memory.pipelineV2.synthesis.model",
        label="Name of the language model for whole sessions",
        help="As its provider calls it. With the same provider, empty is the same model.",
        group=SettingGroup.MODELS,
        consequence=Consequence("tokens", _OTHER_MODEL),
        other_keys=("synthesis.model",),
        words="llm synthesis",
    )
    endpoint: str = setting(
        "",
        "memory.pipelineV2.synthesis.endpoint",
        label="Address of the model for whole sessions",
        help="Counts only with a provider of its own.",
        group=SettingGroup.ADVANCED,
        consequence=Consequence("sends", _SENDS_TEXT),
        other_keys=("synthesis.endpoint",),
        words="llm synthesis url host server",
    )
    api_key: str = setting(
        "",
        "memory.pipelineV2.synthesis.apiKey",
        label="API key for the model for whole sessions",
        help="Counts only with a provider of its own.",
        group=SettingGroup.ADVANCED,
        secret=True,
        other_keys=("synthesis.apiKey",),
        words="llm synthesis token password",
    )
    timeout_ms: int = _timeout(
        120_000,
        "memory.pipelineV2.synthesis.timeout",
        "Time for a reply about a whole session",
    )
    max_tokens: int = setting(
        8_000,
        "memory.pipelineV2.synthesis.maxTokens",
        label="Longest reply about a whole session",
        help="A longer reply is cut off, and what is cut off isn't noted.",
        group=SettingGroup.ADVANCED,
        unit="tokens",
        bounds=(500, 64_000),
        consequence=Consequence("tokens", "Longer replies cost more.", change="more"),
        other_keys=("synthesis.maxTokens",),
        words="llm synthesis",
    )
    idle_gap_minutes: int = setting(
        15,
        "memory.pipelineV2.synthesis.idleGapMinutes",
        label="Read a session after it was idle for",
        help="A session that goes on is read again later.",
        group=SettingGroup.ADVANCED,
        unit="minutes",
        bounds=(1, 1_440),
        other_keys=("synthesis.idleGapMinutes",),
        words="llm synthesis",
    )


@dataclass(frozen=True, slots=True)
class ModelLimitSettings:
    """What language models may cost, and how long their calls are recorded."""

    daily_tokens: int = setting(
        1_000_000,
        "models.dailyTokens",
        label="Tokens a day for language models",
        help="At this limit the day's remaining work waits until midnight. 0 is no limit.",
        group=SettingGroup.MODELS,
        unit="tokens",
        bounds=(0, 1_000_000_000),
        consequence=Consequence("tokens", _MORE_TEXT, change="more"),
        words="llm cap budget cost limit",
    )
    daily_usd: float = setting(
        1.0,
        "models.dailyUsd",
        label="Money a day for language models",
        help="By the list prices of the providers. At this limit the day's remaining work waits "
        "until midnight. 0 is no limit.",
        group=SettingGroup.MODELS,
        unit="USD",
        bounds=(0.0, 10_000.0),
        consequence=Consequence("tokens", _MORE_TEXT, change="more"),
        words="llm cap budget cost limit dollar price",
    )
    daily_project_tokens: int = setting(
        500_000,
        "models.dailyProjectTokens",
        label="Tokens a day for one project",
        help="At this limit the rest of that project's work waits until midnight. 0 is no limit.",
        group=SettingGroup.MODELS,
        unit="tokens",
        bounds=(0, 1_000_000_000),
        consequence=Consequence("tokens", _MORE_TEXT, change="more"),
        words="llm cap budget cost limit",
    )
    usage_days: int = setting(
        90,
        "retention.modelCallDays",
        label="Keep records of calls of language models for",
        help="What each call cost, without its text. 0 keeps them forever.",
        group=SettingGroup.PRIVACY,
        unit="days",
        bounds=(0, 36_500),
        consequence=Consequence(
            "deletes", "What is older than this is deleted at the next cleanup.", change="less"
        ),
        words="llm usage retention",
    )
