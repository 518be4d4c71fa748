"""Reads a set of words from a block of text."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text that blanks and line ends separate."""
    return frozenset(text.split())
