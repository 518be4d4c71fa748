"""Remembers the index terms of texts: each session of a project splits the same ones."""

from collections.abc import Mapping, Sequence
from typing import Final

from intaglio.store.tx import ReadTx

_MOST: Final = 1_000


class TermCache:
    """The index terms and spellings of the latest texts; see `ReadTx.index_terms`."""

    def __init__(self) -> None:
        self._terms: dict[str, Sequence[str]] = {}
        self._spellings: dict[str, Mapping[str, str]] = {}

    def index_terms(self, tx: ReadTx, text: str) -> Sequence[str]:
        """Return the index terms of a text."""
        found = self._terms.get(text)
        if found is None:
            if len(self._terms) >= _MOST:
                self._terms = {}
            found = self._terms[text] = tx.index_terms(text)
        return found

    def spellings(self, tx: ReadTx, text: str) -> Mapping[str, str]:
        """Return a word for each index term of a text."""
        found = self._spellings.get(text)
        if found is None:
            if len(self._spellings) >= _MOST:
                self._spellings = {}
            found = self._spellings[text] = tx.spellings(text)
        return found
