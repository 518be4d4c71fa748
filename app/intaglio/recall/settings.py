"""The settings of recall."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import SettingGroup, setting


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How recall searches."""

    alpha: float = setting(
        0.5,
        "search.alpha",
        label="Weight of meaning versus keywords",
        help="With a model server: 0 searches by keywords only, 1 by meaning only.",
        group=SettingGroup.ADVANCED,
        bounds=(0, 1),
        words="semantic ranking",
    )
    min_score: float = setting(
        0.2,
        "search.min_score",
        label="Lowest score for a result",
        help="With a model server or no model, a result is left out if it has less than this "
        "share of the question's words, unless its cosine similarity reaches it.",
        group=SettingGroup.ADVANCED,
        bounds=(0, 1),
        words="threshold relevance",
    )
    without: str = setting(
        "",
        "search.without",
        label="Ranking signals to leave out",
        help="Names such as previous or speaker, separated by commas. For measurements only.",
        group=SettingGroup.ADVANCED,
    )
    postings_budget: int = setting(
        10_000,
        "search.postings_budget",
        label="Index entries read per search",
        help="Rarest words come first. With the included model, at most 2,000 are read.",
        group=SettingGroup.ADVANCED,
        unit="entries",
        bounds=(100, 10_000_000),
        words="speed",
    )
    truncate_chars: int = setting(
        500,
        "memory.pipelineV2.guardrails.recallTruncateChars",
        label="Length of a search result",
        help="Longer memories are cut in the results that programs get.",
        group=SettingGroup.ADVANCED,
        unit="characters",
        bounds=(50, 100_000),
        other_keys=("memory.pipelineV2.recallTruncateChars",),
        words="truncate",
    )
