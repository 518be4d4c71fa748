"""The phrases that frames know, from the lists in ``data/relations``, found in a statement.

Each list is read once, when it is first asked for; a phrase is compared by its folded tokens.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Generic, TypeVar

from intaglio.language.frames.tokens import forms
from intaglio.language.stems import stem
from intaglio.language.tokens import fold
from intaglio.language.word_lists import DATA, sections, word_list

FOLDER: Final = DATA / "relations"
_Phrase = tuple[str, ...]
T = TypeVar("T")
_MIN_PLURAL: Final = 4
_LONG: Final = 5
_INFINITIVES: Final = ("ar", "er", "ir", "re")


@dataclass(slots=True)
class Entry:
    """What a phrase may mean.

    ``values`` are the classes that it is a value of, each with the value's name; ``weak`` is set
    for an ordinary word, which counts only against another value. ``term`` is the name of its
    group of synonyms, and ``place`` that of an environment.
    """

    values: dict[str, str] = field(default_factory=dict[str, str])
    weak: bool = False
    term: str = ""
    place: str = ""
    soft: bool = False


@dataclass(slots=True)
class PhraseIndex(Generic[T]):
    """Finds the longest phrase that begins at a token."""

    _entries: dict[_Phrase, T] = field(default_factory=dict[_Phrase, T])
    _longest: dict[str, int] = field(default_factory=dict[str, int])

    def at(self, phrase: _Phrase) -> T | None:
        """Return what was entered for exactly this phrase."""
        return self._entries.get(phrase)

    def enter(self, phrase: _Phrase, entry: T) -> None:
        """Enter a phrase; one that is known is replaced."""
        self._entries[phrase] = entry
        self._longest[phrase[0]] = max(len(phrase), self._longest.get(phrase[0], 0))

    def longest(self, words: Sequence[str], start: int) -> tuple[int, T] | None:
        """Return the length of the longest phrase from ``start`` on, and its entry.

        The last word may have a plural "s" that the list lacks.
        """
        first = words[start]
        most = max(self._longest.get(first, 0), self._longest.get(first.removesuffix("s"), 0))
        for length in range(min(most, len(words) - start), 0, -1):
            phrase = tuple(words[start : start + length])
            found = self._entries.get(phrase)
            if found is None and len(phrase[-1]) >= _MIN_PLURAL and phrase[-1].endswith("s"):
                found = self._entries.get((*phrase[:-1], phrase[-1][:-1]))
            if found is not None:
                return length, found
        return None


@cache
def phrases() -> PhraseIndex[Entry]:
    """Return every phrase that is a value, a synonym, a place or a soft word."""
    index: PhraseIndex[Entry] = PhraseIndex()

    def entry(phrase: _Phrase) -> Entry:
        known = index.at(phrase)
        if known is None:
            known = Entry()
            index.enter(phrase, known)
        return known

    soft = word_list("soft_words", folder=FOLDER) | word_list("stop_words", *_SPACED)
    for phrase in filter(None, map(forms, soft)):
        entry(phrase).soft = True
    for name, phrase in _groups("synonyms"):
        entry(phrase).term = name
    for name, phrase in _groups("environments"):
        entry(phrase).place = name
    ordinary = frozenset(map(fold, word_list("ordinary_names", folder=FOLDER)))
    for name, value, phrase in _values():
        known = entry(phrase)
        known.values.setdefault(name, value)
        known.weak = known.weak or (len(phrase) == 1 and phrase[0] in ordinary)
    return index


def _groups(file: str) -> Iterator[tuple[str, _Phrase]]:
    """Yield each phrase of a list of groups with the name of its group, which is the first."""
    for line in sections(FOLDER / f"{file}.txt")[""]:
        group = [phrase for each in line.split(";") if (phrase := forms(each))]
        for phrase in group:
            yield " ".join(group[0]), phrase


_SPACED: Final = ("en", "de", "es", "fr")


def _values() -> Iterator[tuple[str, str, _Phrase]]:
    for file in ("tools", "values"):
        for name, lines in sections(FOLDER / f"{file}.txt").items():
            for value in " ".join(lines).split(";"):
                spellings = [phrase for each in value.split(",") if (phrase := forms(each))]
                for phrase in spellings:
                    yield name, " ".join(spellings[0]), phrase


@cache
def tool_classes() -> frozenset[str]:
    """Return the classes of tools."""
    return frozenset(sections(FOLDER / "tools.txt"))


@cache
def marks() -> PhraseIndex[frozenset[str]]:
    """Return the phrases of ``marks.txt`` with the roles that each has."""
    roles: dict[_Phrase, set[str]] = defaultdict(set)
    for role, lines in sections(FOLDER / "marks.txt").items():
        for line in lines:
            phrase = forms(line)
            if phrase:
                roles[phrase].add(role)
    index: PhraseIndex[frozenset[str]] = PhraseIndex()
    for phrase, known in roles.items():
        index.enter(phrase, frozenset(known))
    return index


@cache
def _frame_words(section: str) -> frozenset[str]:
    return word_list("frame_words", section, folder=FOLDER)


def is_word(section: str, word: str) -> bool:
    """Whether a folded token is in a section of ``frame_words.txt``."""
    return word in _frame_words(section)


@cache
def _roles() -> frozenset[str]:
    found = sections(FOLDER / "frame_words.txt")
    return _frame_words("roles") | frozenset(found["role_phrases"])


def is_role(term: str) -> bool:
    """Whether a term is what somebody does: owning, reviewing, being on call."""
    return term in _roles()


@cache
def units() -> Mapping[str, tuple[str, float]]:
    """Return what each unit measures, and how many of the smallest one it is."""
    return {
        fold(unit): (measure, float(factor))
        for measure, lines in sections(FOLDER / "units.txt").items()
        for line in lines
        for factor, *names in (line.split(),)
        for unit in names
    }


@cache
def number_words(section: str) -> Mapping[str, float]:
    """Return the words of a section of ``numbers.txt`` with their numbers."""
    return {
        fold(word): float(number)
        for line in sections(FOLDER / "numbers.txt")[section]
        for number, *names in (line.split(),)
        for word in names
    }


@cache
def periods() -> PhraseIndex[float]:
    """Return the phrases of periods ("every day") with their seconds."""
    index: PhraseIndex[float] = PhraseIndex()
    for line in sections(FOLDER / "numbers.txt")["periods"]:
        seconds, _, rest = line.partition(" ")
        for each in rest.split(";"):
            index.enter(forms(each), float(seconds))
    return index


@cache
def given_names() -> tuple[frozenset[str], frozenset[str]]:
    """Return the folded given names of people, and those that are other words, too."""
    return (
        frozenset(map(fold, word_list("given_names", "names"))),
        frozenset(map(fold, word_list("given_names", "ordinary"))),
    )


@cache
def implied_nouns() -> Mapping[str, frozenset[str]]:
    """Return the terms that the values of a class imply, by class."""
    found: dict[str, frozenset[str]] = {}
    for line in sections(FOLDER / "implied.txt")["class_nouns"]:
        name, _, nouns = line.partition(":")
        found[name] = frozenset(map(term_of, nouns.split(";")))
    return found


@cache
def several_usual() -> frozenset[str]:
    """Return the classes of which several values are usual at once."""
    return word_list("implied", "several", folder=FOLDER)


@cache
def _group_names() -> frozenset[str]:
    return frozenset(name for name, _ in _groups("synonyms"))


def is_group(term: str) -> bool:
    """Whether a term is the name of a group of synonyms, and so a common thing."""
    return term in _group_names()


@cache
def soft_stems() -> frozenset[str]:
    """Return the stems of verbs and qualities that fit anything."""
    soft = (word for word in word_list("soft_words", "en", folder=FOLDER) if len(word) >= _LONG)
    return frozenset(stem(fold(word)) for word in (*word_list("verbs", folder=FOLDER), *soft))


@cache
def _verb_roots() -> frozenset[str]:
    """Return the Romance verbs without the endings of their infinitives."""
    found = sections(FOLDER / "verbs.txt")
    lines = (*found["es"], *found["fr"])
    verbs = [fold(word) for line in lines for word in line.split()]
    return frozenset(
        verb[:-2] for verb in verbs if verb.endswith(_INFINITIVES) and len(verb) >= _LONG
    )


def is_conjugated(word: str) -> bool:
    """Whether a folded word is a form of a Romance verb that fits anything: "almacena"."""
    roots = _verb_roots()
    return any(
        word[:-length] in roots and word[-length:] in _frame_words("conjugated_endings")
        for length in range(1, min(_LONG, len(word) - _MIN_PLURAL + 1))
    )


def is_imperfect(word: str) -> bool:
    """Whether a folded word is such a form that tells how something was: "corría"."""
    return any(
        word.endswith(ending) and word.removesuffix(ending) in _verb_roots()
        for ending in _frame_words("imperfect")
    )


@cache
def _wholes() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in sections(FOLDER / "parts.txt")[""]:
        whole, _, parts = line.partition(":")
        found[whole] = frozenset(part.replace("_", " ") for part in parts.split())
    return found


def is_part(one: str, other: str) -> bool:
    """Whether one of two keys of a class names a part, or a closer kind, of the other."""
    wholes = _wholes()
    if one in wholes.get(other, ()) or other in wholes.get(one, ()):
        return True
    words, others = set(one.split()), set(other.split())
    return words < others or others < words


@cache
def light_terms() -> frozenset[str]:
    """Return the terms that fit many things."""
    return light_kinds() | light_things()


@cache
def light_kinds() -> frozenset[str]:
    """Return those of them that only say what kind of thing something is: "service"."""
    return _light_terms("")


@cache
def containers() -> frozenset[str]:
    """Return the terms of where all the things of a project are: code, tables."""
    return _light_terms("containers")


@cache
def light_things() -> frozenset[str]:
    """Return those of them of which another one in each tells two statements apart."""
    return _light_terms("things")


def _light_terms(section: str) -> frozenset[str]:
    lines = sections(FOLDER / "light_terms.txt")[section]
    return frozenset(term_of(each) for line in lines for each in line.split(";"))


@cache
def one_of_a_project() -> frozenset[str]:
    """Return the classes of which a project nearly always has one."""
    return word_list("implied", "one_of_a_project", folder=FOLDER)


@cache
def contrasts() -> Mapping[str, tuple[int, ...]]:
    """Return the numbers of the contrast groups that each term is in."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(sections(FOLDER / "contrasts.txt")[""]):
        for each in line.split(";"):
            found[term_of(each)].append(number)
    return {term: tuple(dict.fromkeys(numbers)) for term, numbers in found.items()}


@cache
def derived_endings() -> frozenset[str]:
    """Return the endings, without those of forms, by which a noun is made from a verb."""
    return _frame_words("derived_endings") | {""}


def base_form(word: str) -> str:
    """Return the stem of a word; of a short one, too: "mods", "mod"."""
    short = len(word) == _MIN_PLURAL and word.endswith("s") and word[-2] not in "sui"
    return word[:-1] if short and word.isalpha() else stem(word)


def term_of(phrase: str) -> str:
    """Return the name of a phrase as a term: that of its synonyms, else its own stem."""
    words = forms(phrase)
    entry = phrases().at(words)
    if entry is not None and entry.term:
        return entry.term
    return " ".join(map(base_form, words))
