"""The settings of sessions: what agents are told."""

from dataclasses import dataclass
from typing import Final

from intaglio.base.settings.declaration import Consequence, SettingGroup, setting

_MORE_TOKENS: Final = "Agents may be told more, which costs tokens in each session."


@dataclass(frozen=True, slots=True)
class HarnessSettings:
    """What the sessions of one harness receive, and what is captured from them."""

    capture: bool = setting(
        True,
        "harness.<name>.capture",
        label="Capture from sessions",
        help="Saves the decisions, preferences and rules that you state in sessions.",
        group=SettingGroup.CAPTURE,
        words="save remember stop off",
    )
    start_max_tokens: int = setting(
        600,
        "harness.<name>.startMaxTokens",
        label="Token limit at a session's start",
        help="What is always told comes first; what doesn't fit is told when a prompt is about it.",
        group=SettingGroup.TOLD,
        unit="tokens",
        bounds=(100, 2_400),
        consequence=Consequence("tokens", _MORE_TOKENS, change="more"),
        words="tell agents less fewer budget inject context",
    )
    prompt_max_tokens: int = setting(
        600,
        "harness.<name>.promptMaxTokens",
        label="Token limit per prompt",
        help="For memories, commits and past sessions together.",
        group=SettingGroup.TOLD,
        unit="tokens",
        bounds=(50, 2_400),
        consequence=Consequence("tokens", _MORE_TOKENS, change="more"),
        words="tell agents less fewer budget inject context",
    )
    memory_files: bool = setting(
        True,
        "harness.<name>.memoryFiles",
        label="Read the agent's own memory",
        help="Remembers what the agent keeps in memory files of its own, for other agents.",
        group=SettingGroup.CAPTURE,
        words="MEMORY.md auto memory markdown evidence import",
    )
    start_message: bool = setting(
        True,
        "harness.<name>.startMessage",
        label="Show a line when a session starts",
        help="Tells you how many memories the agent got, and what is badly wrong with Intaglio, if "
        "anything is. The model doesn't see it.",
        group=SettingGroup.AGENTS,
        words="notice message quiet",
    )


@dataclass(frozen=True, slots=True)
class HookSettings:
    """What sessions receive, in the formats of the client contract."""

    start_recall_limit: int = setting(
        50,
        "hooks.sessionStart.recallLimit",
        label="Memories considered at a session's start",
        help="Those that fit the token limit are told.",
        group=SettingGroup.TOLD,
        unit="memories",
        bounds=(1, 500),
        words="tell less inject",
    )
    prompt_limit: int = setting(
        5,
        "hooks.userPromptSubmit.recallLimit",
        label="Memories per prompt",
        help="The most memories an agent is told with one prompt.",
        group=SettingGroup.TOLD,
        unit="memories",
        bounds=(1, 50),
        consequence=Consequence("tokens", _MORE_TOKENS, change="more"),
        words="tell less inject",
    )
    prompt_min_match: float = setting(
        0.48,
        "hooks.userPromptSubmit.minMatch",
        label="How well a memory must match a prompt",
        help="With the included model. Raise it to tell agents less.",
        group=SettingGroup.TOLD,
        bounds=(0, 2),
        consequence=Consequence("tokens", _MORE_TOKENS, change="less"),
        words="tell less threshold relevance",
    )
    start_max_chars: int = setting(
        24_000,
        "hooks.sessionStart.maxInjectChars",
        label="Characters per start with Signet's hooks",
        help="For clients that start sessions by Signet's hooks, in addition to the token limit.",
        group=SettingGroup.ADVANCED,
        unit="characters",
        bounds=(500, 100_000),
        words="inject",
    )
    prompt_max_chars: int = setting(
        500,
        "hooks.userPromptSubmit.maxInjectChars",
        label="Characters per prompt with Signet's hooks",
        help="For memories told to clients that use Signet's hooks; past sessions have the token"
        " limit.",
        group=SettingGroup.ADVANCED,
        unit="characters",
        bounds=(100, 20_000),
        words="inject",
    )
    prompt_min_cosine: float = setting(
        0.6,
        "hooks.userPromptSubmit.minCosine",
        label="Least similarity of a memory to a prompt",
        help="With a model server: cosine similarity of memory and prompt.",
        group=SettingGroup.ADVANCED,
        bounds=(0, 1),
        words="threshold cosine",
    )
    prompt_min_coverage: float = setting(
        0.3,
        "hooks.userPromptSubmit.minCoverage",
        label="Least share of a prompt's words",
        help="With a model server or no model: a memory that has fewer of the prompt's words "
        "isn't told.",
        group=SettingGroup.ADVANCED,
        bounds=(0, 1),
        words="threshold keywords",
    )
    prompt_embed_ms: int = setting(
        300,
        "hooks.userPromptSubmit.embedMs",
        label="Wait for a prompt's embedding",
        help="After that, its memories are found by keywords only.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(0, 10_000),
        words="timeout speed",
    )


@dataclass(frozen=True, slots=True)
class ContradictionSettings:
    """Whether a language model looks for contradictions that rules don't see."""

    enabled: bool = setting(
        False,
        "memory.pipelineV2.semanticContradictionEnabled",
        label="Find contradictions with the language model",
        help="If a model is configured, it compares facts of which rules can't tell whether both "
        "hold. What it finds is asked in the inbox.",
        group=SettingGroup.MODELS,
        words="supersede conflict semantic",
    )
    timeout_ms: int = setting(
        45_000,
        "memory.pipelineV2.semanticContradictionTimeoutMs",
        label="Time for a comparison by the language model",
        help="It is tried again later if it takes longer.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(5_000, 300_000),
        words="semantic contradiction timeout",
    )
