"""Which settings change what the preview of a session shows."""

from collections.abc import Collection
from typing import Final

from intaglio.base.settings.values import harness_key

_SHOWN: Final = (
    "search.",
    "hooks.",
    "commits.enabled",
    "code.",
    "memory.decay_rate",
    "memory.pipelineV2.graph.enabled",
    "memory.pipelineV2.traversal.",
)
_OF_HARNESS: Final = ("startMaxTokens", "promptMaxTokens")
_REASONS: Final = (
    ("hooks.sessionStart.maxInjectChars", "Only programs that use the client contract have it."),
    (
        "hooks.userPromptSubmit.maxInjectChars",
        "Only programs that use the client contract have it.",
    ),
    ("embedding.", "All memories would be embedded again first."),
    ("capture.reminders", "Save reminders come on top of what is shown here."),
)
_OTHER: Final = "It doesn't change what a session is told."
_OTHER_HARNESS: Final = "It is about another agent than this session's."


def without_effect(keys: Collection[str], harness: str) -> dict[str, str]:
    """Return those of these keys that change nothing in a preview, each with the reason.

    ``harness`` is the name of the one whose session is previewed.
    """
    reasons = {key: _why_not(key, harness) for key in keys}
    return {key: why for key, why in reasons.items() if why}


def _why_not(key: str, harness: str) -> str:
    known = next((why for start, why in _REASONS if key.startswith(start)), "")
    if known:
        return known
    if key.startswith("harness."):
        _, name, field = key.split(".", 2)
        if field not in _OF_HARNESS:
            return _OTHER
        return "" if name == harness_key(harness) else _OTHER_HARNESS
    return "" if key.startswith(_SHOWN) else _OTHER
