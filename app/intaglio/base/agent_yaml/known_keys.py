"""Which keys ``agent.yaml`` may hold: ours and Signet's; what is neither is told, with a guess."""

import difflib
from collections.abc import Collection, Iterator, Mapping
from typing import Final, cast

# Keys of Signet that are read without a word, because a file from there holds them; below them
# anything may stand. Those that do something here are declared in `base/settings/schema.py`.
_SIGNETS: Final = frozenset(
    {
        "version",
        "schema",
        "configVersion",
        "agent",
        "owner",
        "harnesses",
        "home.spotlightEntity",
        "services",
        "features",
        "agents.roster",
        "embedding.endpoint",
        "embeddings",
        "search.top_k",
        "search.rehearsal_enabled",
        "search.rehearsal_weight",
        "search.rehearsal_half_life_days",
        "search.reranking",
        "memory.database",
        "memory.session_budget",
        "memory.embeddings",
        "hooks.sessionStart.candidatePoolLimit",
        "hooks.sessionStart.includeIdentity",
        "hooks.sessionStart.includeRecentContext",
        "hooks.sessionStart.recencyBias",
        "hooks.preCompaction",
        "git",
        "updates",
        "auth.rateLimits.crossAgent",
        "auth.defaultTokenTtlSeconds",
        "auth.sessionTokenTtlSeconds",
        *(
            f"memory.pipelineV2.{name}"
            for name in (
                "enabled",
                "shadowMode",
                "semanticContradictionEnabled",
                "semanticContradictionTimeoutMs",
                "extraction",
                "extractionProvider",
                "extractionModel",
                "extractionStrength",
                "extractionTimeout",
                "extractionEndpoint",
                "worker",
                "graph",
                "traversal",
                "reranker",
                "autonomous",
                "repair",
                "documents",
                "guardrails.maxContentChars",
                "guardrails.chunkTargetChars",
                "continuity",
                "telemetry",
                "telemetryEnabled",
                "embeddingTracker",
                "synthesis",
                "procedural",
                "structural",
                "feedback",
                "significance",
                "predictor",
                "predictorPipeline",
                "modelRegistry",
            )
        ),
    }
)
_AT_TOP: Final = "pipelineV2"
_MOST_TOLD: Final = 20
_ALIKE: Final = 0.6


def nest_keys(tree: Mapping[str, object]) -> Mapping[str, object]:
    """Put ``pipelineV2`` where it belongs, below ``memory``, when it stands at the top.

    What stands below ``memory`` already counts more.
    """
    top, memory = _section(tree.get(_AT_TOP)), _section(tree.get("memory", {}))
    if top is None or memory is None:
        return tree
    nested = _section(memory.get(_AT_TOP))
    merged = top if nested is None else _merged(top, nested)
    rest = {key: value for key, value in tree.items() if key != _AT_TOP}
    return {**rest, "memory": {**memory, _AT_TOP: merged}}


def _section(value: object) -> Mapping[str, object] | None:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def _merged(below: Mapping[str, object], above: Mapping[str, object]) -> Mapping[str, object]:
    merged = dict(below)
    for key, value in above.items():
        low, high = _section(merged.get(key)), _section(value)
        merged[key] = value if low is None or high is None else _merged(low, high)
    return merged


def unknown_keys(tree: Mapping[str, object], ours: Collection[str]) -> list[tuple[str, str]]:
    """List the dotted keys that nothing reads, each with what to say of it; at most twenty."""
    known = [*ours, *_SIGNETS]
    found = [
        (key, f"is not a setting{_guess(key, known)}")
        for key in _strays(tree, "", frozenset(known))
    ]
    if len(found) > _MOST_TOLD:
        more = len(found) - _MOST_TOLD
        return [*found[:_MOST_TOLD], ("…", f"{more} more keys are no settings")]
    return found


def _strays(node: Mapping[str, object], above: str, known: frozenset[str]) -> Iterator[str]:
    for name, value in node.items():
        key = f"{above}{name}"
        inner = any(one.startswith(f"{key}.") for one in known)
        if inner and isinstance(value, Mapping):
            yield from _strays(cast("Mapping[str, object]", value), f"{key}.", known)
        # A heading with nothing below it is no mistake.
        elif key not in known and not (inner and value is None):
            yield key


def _guess(key: str, known: Collection[str]) -> str:
    """Name the nearest key that there is, compared by its whole path and by its last part."""
    near = difflib.get_close_matches(key, known, n=1, cutoff=_ALIKE)
    return f"; did you mean {near[0]}?" if near else ""
