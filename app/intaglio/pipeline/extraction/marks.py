"""Tells texts with marks of injected text: what they say may be aimed at a model."""

from intaglio.fence.characters import visible
from intaglio.fence.injection_marks import has_injection_marks
from intaglio.fence.marks import strip_injected
from intaglio.fence.outgoing import Fence


def is_marked(text: str, fence: Fence) -> bool:
    """Tell whether a text holds the marks of the fence, poses as the system, or gives orders."""
    if has_injection_marks(text) or strip_injected(text) != text:
        return True
    return fence.sanitize(text) != visible(text)
