"""The terms by which files are looked up: hashes of a project's reading, a kind and a text."""

import re
from hashlib import blake2b
from typing import Final, Literal, TypeAlias

TermKind: TypeAlias = Literal["name", "stem", "folder", "definition", "message"]
"""A file's name, the same without its endings, its folder (of Go files, which share a package),
what it defines, and words that it raises."""

_WORD: Final = re.compile(r"\w+")
SHINGLE_WORDS: Final = 4
SHORT_SHINGLE_WORDS: Final = 3
"""A literal of three words, between two values that are put in, is a shingle too."""

_MAX_ASKED_WORDS: Final = 1_500


def term(reading: int, kind: TermKind, text: str) -> int:
    """Return the hash of a text as SQLite stores it: 64 bits with a sign."""
    key = f"{reading}\n{kind}\n{text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "big", signed=True)


def stem_of(name: str) -> str:
    """Return a file's name without its endings: ``foo`` of ``foo.test.ts``, ``.env`` as it is."""
    return name[:1] + name[1:].partition(".")[0]


def words_of(text: str) -> list[str]:
    """Return the words of a message, in lower case."""
    return [each.lower() for each in _WORD.findall(text)]


def asked_shingles(text: str) -> list[str]:
    """Return the shingles that a message in a text may have, longer ones first."""
    words = words_of(text)[:_MAX_ASKED_WORDS]
    return [
        " ".join(words[start : start + length])
        for length in (SHINGLE_WORDS, SHORT_SHINGLE_WORDS)
        for start in range(len(words) - length + 1)
    ]
