"""Tells texts with marks of injected text: what they say may be aimed at a model."""

from intaglio.fence.characters import visible
from intaglio.fence.marks import strip_injected
from intaglio.fence.outgoing import Fence


def is_marked(text: str, fence: Fence) -> bool:
    """Tell whether a text holds the marks of the fence, or speaks as the system or a tool."""
    return strip_injected(text) != text or fence.sanitize(text) != visible(text)
