"""Reads what is typed into a search: the words that matter, and which kind is asked for; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from intaglio.base.text import scrub, storage_form
from intaglio.domain.found_kinds import FoundKind
from intaglio.language.tokens import count_cjk, fold
from intaglio.language.word_lists import word_list

_LISTS: Final = Path(__file__).parent / "word_lists"
_MOST_CHARS: Final = 400
_MOST_WORDS: Final = 24
_SHORTEST_START: Final = 2
_STEM_CHARS: Final = 4
_PUNCTUATION: Final = ".,;:!?\"'`\u00b4\u2018\u2019\u201c\u201d\u201e()[]{}<>\u00bf\u00a1\u2026*"
_PERSON: Final = frozenset({"who", "whom", "whose", "who's", "wer", "wessen"})
_TYPES: Final = ("decision", "rule", "preference", "fact", "learning", "issue", "procedural")
_ONE: Final[Mapping[str, FoundKind]] = {
    "memory": "memory",
    **dict.fromkeys(_TYPES, "memory"),
    "session": "session",
    "entity": "entity",
    "inbox": "inbox",
    "project": "project",
    "commit": "commit",
}
_SEVERAL: Final = {
    "memories": "memory",
    **{f"{each}s": each for each in _TYPES},
    "sessions": "session",
    "entities": "entity",
    "inboxes": "inbox",
    "projects": "project",
    "commits": "commit",
}


@dataclass(frozen=True, slots=True)
class KindOfWord:
    """What a word asks for: a kind, of memories also a type."""

    kind: FoundKind
    type: str = ""
    is_plural: bool = False


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question: ``words`` are those that carry its topic, as they were typed.

    ``start`` is the last of them, folded, if it may be the beginning of a longer word. ``wanted``
    is the kind that it names, if it does; ``asks_person`` is set for "who".
    """

    text: str
    words: tuple[str, ...]
    start: str = ""
    wanted: KindOfWord | None = None
    asks_person: bool = False

    @property
    def names_kind(self) -> bool:
        """Whether one of its words names a kind."""
        return self.wanted is not None and not self.asks_person

    @property
    def content(self) -> str:
        """The words that carry its topic."""
        return " ".join(self.words)

    @property
    def whole_words(self) -> tuple[str, ...]:
        """The words but the one that may go on."""
        return self.words[:-1] if self.start else self.words


def read_question(typed: str) -> AskedQuestion:
    """Read what was typed; of a long text, only its beginning."""
    text = scrub(typed[: 2 * _MOST_CHARS])[:_MOST_CHARS]
    parts = [each for part in text.split() if (each := part.strip(_PUNCTUATION))]
    folded = [fold(each) for each in parts]
    named = _named_kind(folded)
    wanted = None if named is None else _kinds()[folded[named]]
    asks_person = bool(folded) and folded[0] in _PERSON
    if asks_person and wanted is None:
        wanted = KindOfWord("entity")
    kept = [at for at in range(len(parts)) if at != named and folded[at] not in _unasked()]
    # A question of such words alone is about them: "going", "new project".
    topics = [at for at in kept if folded[at] not in word_list("statement_words", "en", "de")]
    chosen = (topics or kept or [*range(len(parts))])[:_MOST_WORDS]
    start = ""
    if chosen and chosen[-1] == len(parts) - 1 and text[-1:].isalnum():
        last = folded[-1]
        start = last if len(last) >= _SHORTEST_START or count_cjk(last) else ""
    return AskedQuestion(
        text=storage_form(text),
        words=tuple(parts[at] for at in chosen),
        start=start,
        wanted=wanted,
        asks_person=asks_person,
    )


def parts_of(question: AskedQuestion) -> list[str]:
    """Return the beginnings of the question's words, so that other forms of a word match too."""
    found = [word[: max(_STEM_CHARS, len(word) - 2)] for word in question.whole_words]
    return list(dict.fromkeys((*found, *filter(None, (question.start,)))))


def _named_kind(folded: Sequence[str]) -> int | None:
    """Return the place of the word that names a kind: "decisions on", "the outage session"."""
    content = [at for at, word in enumerate(folded) if word not in _unasked()]
    if not content:
        return None
    first, last = content[0], content[-1]
    kinds = _kinds()
    if folded[first] in kinds and first + 1 < len(folded):
        follows = folded[first + 1]
        if kinds[folded[first]].is_plural or follows in word_list(
            "kinds", "between", folder=_LISTS
        ):
            return first
    return last if folded[last] in kinds and len(content) > 1 else None


@cache
def _unasked() -> frozenset[str]:
    """Return the folded words that ask, or that stand between others."""
    stopped = word_list("stop_words", "en", "de") | word_list("questions", folder=_LISTS)
    return frozenset(map(fold, stopped)) | _PERSON


@cache
def _kinds() -> Mapping[str, KindOfWord]:
    found: dict[str, KindOfWord] = {}
    for name, kind in _ONE.items():
        for word in word_list("kinds", name, folder=_LISTS):
            found[fold(word)] = KindOfWord(kind, name if name in _TYPES else "")
    for name, one in _SEVERAL.items():
        for word in word_list("kinds", name, folder=_LISTS):
            found[fold(word)] = KindOfWord(_ONE[one], one if one in _TYPES else "", is_plural=True)
    return found
