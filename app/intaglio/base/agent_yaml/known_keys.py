"""Finds the keys in ``agent.yaml`` that neither Intaglio nor Signet knows, and suggests a fix."""

import difflib
from collections.abc import Collection, Iterator, Mapping
from typing import Final, cast

# Keys of Signet that are accepted silently, because files from there contain them, with anything
# below them. Those that have an effect here are declared by their packages.
_SIGNET_KEYS: Final = frozenset(
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
_MOVED_SECTION: Final = "pipelineV2"
_MAX_REPORTED: Final = 20
_MIN_SIMILARITY: Final = 0.6


def nest_keys(tree: Mapping[str, object]) -> Mapping[str, object]:
    """Move a top-level ``pipelineV2`` section below ``memory``, where it belongs.

    Values that are already below ``memory`` take precedence.
    """
    top, memory = _section(tree.get(_MOVED_SECTION)), _section(tree.get("memory", {}))
    if top is None or memory is None:
        return tree
    nested = _section(memory.get(_MOVED_SECTION))
    merged = top if nested is None else _merged(top, nested)
    rest = {key: value for key, value in tree.items() if key != _MOVED_SECTION}
    return {**rest, "memory": {**memory, _MOVED_SECTION: merged}}


def _section(value: object) -> Mapping[str, object] | None:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def _merged(below: Mapping[str, object], above: Mapping[str, object]) -> Mapping[str, object]:
    merged = dict(below)
    for key, value in above.items():
        low, high = _section(merged.get(key)), _section(value)
        merged[key] = value if low is None or high is None else _merged(low, high)
    return merged


def unknown_keys(tree: Mapping[str, object], ours: Collection[str]) -> list[tuple[str, str]]:
    """List the dotted keys that nothing reads, each with a message; at most twenty."""
    known = [*ours, *_SIGNET_KEYS]
    found = [
        (key, f"is not a setting{_suggestion(key, known)}")
        for key in _unknown(tree, "", frozenset(known))
    ]
    if len(found) > _MAX_REPORTED:
        more = len(found) - _MAX_REPORTED
        return [*found[:_MAX_REPORTED], ("…", f"{more} more keys aren't settings")]
    return found


def _unknown(node: Mapping[str, object], above: str, known: frozenset[str]) -> Iterator[str]:
    for name, value in node.items():
        key = f"{above}{name}"
        inner = any(one.startswith(f"{key}.") for one in known)
        if inner and isinstance(value, Mapping):
            yield from _unknown(cast("Mapping[str, object]", value), f"{key}.", known)
        # A heading with nothing below it is not a mistake.
        elif key not in known and not (inner and value is None):
            yield key


def _suggestion(key: str, known: Collection[str]) -> str:
    """Suggest the closest known key, if there is one."""
    near = difflib.get_close_matches(key, known, n=1, cutoff=_MIN_SIMILARITY)
    return f"; did you mean {near[0]}?" if near else ""
