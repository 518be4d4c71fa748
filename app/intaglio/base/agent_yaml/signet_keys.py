"""The keys of Signet's ``agent.yaml`` that have no effect here, with what they are for there."""

from collections.abc import Mapping
from typing import Final

FREE_KEYS: Final = (
    "version",
    "schema",
    "configVersion",
    "agent",
    "owner",
    "harnesses",
    "home.spotlightEntity",
    "services",
    "features",
)
"""Accepted with anything below them: they describe the agent and its programs."""

_PIPELINE: Final = "memory.pipelineV2."

_PIPELINE_KEYS: Final[Mapping[str, str]] = {
    "extraction.strength": "how thoroughly a model extracts memories",
    "worker.pollMs": "the time between two looks for background jobs",
    "graph.boostWeight": "how much the graph counts in a search",
    "graph.boostTimeoutMs": "the time for the graph in a search",
    "traversal.primary": "whether the graph is searched first",
    "traversal.boostWeight": "how much the walk over the graph counts in a search",
    "traversal.constraintBudgetChars": "the length of constraints from the graph",
    "structural.pollIntervalMs": "the time between two looks for facts to sort",
    "telemetry.posthogHost": "sending telemetry, which Intaglio never does",
    "telemetry.posthogApiKey": "sending telemetry, which Intaglio never does",
    "guardrails.maxContentChars": "the length of a memory",
    "guardrails.chunkTargetChars": "the length of a part of a memory",
}
_PIPELINE_SECTIONS: Final[Mapping[str, str]] = {
    "extraction.escalation": "asking a larger model",
    "reranker": "the model that ranks results",
    "documents": "reading documents",
    "procedural": "memories about skills",
    "feedback": "learning from ratings",
    "significance": "which sessions are worth reading",
    "predictor": "predicting which memories are needed",
    "predictorPipeline": "training that prediction",
    "modelRegistry": "the list of available models",
    "dampening": "weakening results that are too common",
}

SIGNET_KEYS: Final[Mapping[str, str]] = {
    "search.top_k": "the number of results",
    "search.rehearsal_enabled": "whether use raises a memory's rank",
    "search.rehearsal_weight": "how much use raises a memory's rank",
    "search.rehearsal_half_life_days": "how long use raises a memory's rank",
    "memory.database": "the place of its database",
    "memory.session_budget": "the length of what a session is told",
    "hooks.sessionStart.candidatePoolLimit": "the number of memories considered at a start",
    "hooks.sessionStart.includeIdentity": "whether a start tells the identity files",
    "hooks.sessionStart.includeRecentContext": "whether a start tells recent context",
    "hooks.sessionStart.recencyBias": "how much newer memories are preferred",
    "updates.autoInstall": "updating itself, which Intaglio never does",
    "auth.defaultTokenTtlSeconds": "how long tokens are valid",
    "auth.sessionTokenTtlSeconds": "how long session tokens are valid",
    **{_PIPELINE + key: meaning for key, meaning in _PIPELINE_KEYS.items()},
}
"""Single keys."""

SIGNET_SECTIONS: Final[Mapping[str, str]] = {
    "search.reranking": "the model that ranks results",
    "hooks.preCompaction": "what is told before a compaction",
    "auth.rateLimits.crossAgent": "rate limits between agents",
    **{_PIPELINE + key: meaning for key, meaning in _PIPELINE_SECTIONS.items()},
}
"""Sections of which nothing has an effect, whatever is below them."""

OTHER_FLAT_KEYS: Final[Mapping[str, str]] = {
    _PIPELINE + "maxContentChars": _PIPELINE_KEYS["guardrails.maxContentChars"],
    _PIPELINE + "chunkTargetChars": _PIPELINE_KEYS["guardrails.chunkTargetChars"],
    _PIPELINE + "constraintBudgetChars": _PIPELINE_KEYS["traversal.constraintBudgetChars"],
    _PIPELINE + "documentWorkerIntervalMs": _PIPELINE_SECTIONS["documents"],
    _PIPELINE + "documentChunkSize": _PIPELINE_SECTIONS["documents"],
    _PIPELINE + "documentChunkOverlap": _PIPELINE_SECTIONS["documents"],
    _PIPELINE + "documentMaxContentBytes": _PIPELINE_SECTIONS["documents"],
}
"""Flat forms that aren't made of the names of section and key."""
