"""Tells the typed words of a prompt from code, output and pastes; pure, linear in the text.

The typed words are the question. Of the rest, only names count: they may speak for a memory or a
session, but that most of a paste matches nothing speaks against none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from intaglio.base.text import split_sentences
from intaglio.capture.foreign_text import own_text
from intaglio.language.tokens import count_cjk, count_words

_MAX_READ: Final = 20_000
_MAX_NAMES: Final = 12
_MIN_NAME: Final = 5
_LONG_QUERY: Final = 200
# What git says stands in sentences like a person's.
_OUTPUT: Final = re.compile(
    r"\s*(?:On branch \S|HEAD detached|Your branch (?:is|and)|Changes (?:not staged|to be)|"
    r"Untracked files|Unmerged paths|nothing (?:added )?to commit|no changes added|"
    r"(?:modified|deleted|renamed|new file|both modified|typechange):\s|"
    r"\((?:use|commit|create/copy) |at \S+ \(|\d+ files? changed\b|[MADRCU?!]{1,2} \S+[/.]\S)"
)
# A name as code writes it: with an inner capital, an underscore, a dot, a slash, or digits.
_NAME: Final = re.compile(
    r"(?<![\w/.-])(?:[A-Za-z_$][\w$]{0,80}(?:[./:-]{1,2}[A-Za-z_$][\w$]{0,80}){0,12})(?![\w/])"
)
_IS_NAME: Final = re.compile(r"[a-z][A-Z]|\w_\w|[A-Za-z]\d|\w\.[a-z]{1,5}$|[A-Z][a-z]+[A-Z]")
_ASKS: Final = ("?", "\uff1f", "\u061f")
_COMMON_NAMES: Final = frozenset(
    {
        "console.log",
        "e.g",
        "i.e",
        "self",
        "pasted_content",
        "import",
        "export",
        "const",
        "package.json",
        "stdout",
    }
)


@dataclass(frozen=True, slots=True)
class AskedWords:
    """What a prompt asks.

    ``typed`` are the user's own lines, ``names`` the names of files, errors and the like in what
    was pasted beside them, ``whole`` is all of it.
    """

    typed: str
    names: tuple[str, ...] = ()
    whole: str = ""

    @property
    def is_paste(self) -> bool:
        """Whether nothing of it was typed."""
        return not self.typed.strip()


def asked_words(prompt: str) -> AskedWords:
    """Split a prompt into what was typed and what names the rest contains."""
    text = prompt[:_MAX_READ]
    lines = [(line.start, line.end) for line in own_text(text).lines]
    own = [
        (start, end) for start, end in lines if not _OUTPUT.match(text[start:end].split("\n", 1)[0])
    ]
    typed = "\n".join(text[start:end] for start, end in own)
    names = tuple(dict.fromkeys(_names(_outside(text, own))))[:_MAX_NAMES]
    return AskedWords(typed, names, text)


def _outside(text: str, own: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    at = 0
    for start, end in own:
        parts.append(text[at:start])
        at = max(at, end)
    return "\n".join((*parts, text[at:]))


def _names(text: str) -> Iterator[str]:
    for found in _NAME.finditer(text):
        name = found.group()
        if "/" in name:
            # Of a path, its file: the folders are those of half the project.
            name = name.rpartition("/")[2]
        if len(name) >= _MIN_NAME and _IS_NAME.search(name) and name not in _COMMON_NAMES:
            yield name


def contains_name(content: str, names: tuple[str, ...]) -> str:
    """Return the first of the names that stands in a text as it is; "" without any."""
    return next((name for name in names if name in content), "")


def core_question(query: str) -> str:
    """Return what a long query asks in the end: its last question, or its last sentence.

    An agent may put its instructions in front. Empty if the query is short or a single sentence.
    """
    if len(query) < _LONG_QUERY:
        return ""
    found = split_sentences(query[-_MAX_READ:])
    questions = [each for each in found if each.endswith(_ASKS)]
    last = (questions or found or [""])[-1]
    return last if len(found) > 1 and _says_something(last) else ""


def _says_something(sentence: str) -> bool:
    return count_words(sentence) > 2 or count_cjk(sentence) > 3  # noqa: PLR2004 - "why is it", "是什么"
