"""The words by which a text is searched in a full-text index of the store."""

from typing import Final

from intaglio.base.text import scrub
from intaglio.store.tx import ReadTx
from intaglio.terms.query_terms import stop_terms
from intaglio.terms.unspaced import split_term

MAX_QUERY_CHARS: Final = 10_000


def words_of(tx: ReadTx, text: str) -> dict[str, str]:
    """Return the index terms that a text is searched by, each with a word as it is written.

    Without stop words, unless there are only those.
    """
    read = scrub(text[:MAX_QUERY_CHARS])
    words: dict[str, str] = {}
    for term, word in tx.spellings(read).items():
        parts = split_term(term)
        words |= {term: word} if parts == [term] else dict(zip(parts, parts, strict=True))
    stopped = stop_terms()
    return {term: word for term, word in words.items() if term not in stopped} or words
