"""Reads the phrase lists of each language in ``phrases/``: one regular expression a section.

A file holds sections, ``[name]`` and then one phrase per line, each a regular expression. The
names are the same in all languages; a section that a language lacks never matches.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from intaglio.language.detection import Language
from intaglio.language.word_lists import sections

_FOLDER: Final = Path(__file__).parent / "phrases"
_WITHOUT_SPACES: Final = ("zh", "ja")
_NEVER: Final = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class PhraseTable:
    """One expression for each section, in the order of ``section_names``."""

    expressions: tuple[re.Pattern[str], ...]


@cache
def section_names() -> tuple[str, ...]:
    """Return the names of all sections, as the English file lists them."""
    return tuple(_phrases("en"))


@cache
def phrase_table(language: Language) -> PhraseTable:
    """Return a language's expressions; those of English for one without a list."""
    name = language if (_FOLDER / f"{language}.txt").is_file() else "en"
    phrases = _phrases(name)
    return PhraseTable(
        tuple(
            _union(phrases[section], words=name not in _WITHOUT_SPACES)
            if section in phrases
            else _NEVER
            for section in section_names()
        )
    )


def _phrases(name: str) -> Mapping[str, Sequence[str]]:
    return sections(_FOLDER / f"{name}.txt")


def _union(phrases: Sequence[str], *, words: bool) -> re.Pattern[str]:
    if not words:
        return re.compile("|".join(phrases), re.IGNORECASE)
    whole = [phrase for phrase in phrases if phrase[-1].isalnum() or phrase[-1] in ")]?+*"]
    loose = [phrase for phrase in phrases if phrase not in whole]
    parts = [rf"(?<!\w)(?:{'|'.join(whole)})(?!\w)"] if whole else []
    if loose:
        parts.append(rf"(?<!\w)(?:{'|'.join(loose)})")
    return re.compile("|".join(parts), re.IGNORECASE)
