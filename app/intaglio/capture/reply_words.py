"""The words of proposals and of replies to them, compiled from `language/data/proposals.txt`."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, Literal

from intaglio.language.detection import language_of
from intaglio.language.tokens import count_cjk, fold
from intaglio.language.word_lists import DATA, sections

_FILE: Final = DATA / "proposals.txt"
_WORDS: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_HELPS: Final = re.compile(
    r"(?:(?:help|assist|guide|walk)\s(?:you|me|us)\s(?:to\s|with\s|through\s)?|(?:to|just|also|first|then|"
    r"both|simply)\s+|we'?(?:ll|d)?\s|i'?(?:ll|d)?\s|(?:quick|proper|easy)\s\w+:\s)*",
    re.IGNORECASE,
)
_NAME: Final = re.compile(
    r"`[^`\n]{1,80}`|(?<!^)(?<![.!?]\s)\b[A-Z][\w-]+|\b[a-z]+[A-Z]\w+|\w\.\w|\w[/_-]\w|\d|@\w"
)


@cache
def pattern(section: str) -> re.Pattern[str]:
    """Return an expression for the phrases of a section, whole words where words are separated."""
    phrases = sorted(sections(_FILE)[section], key=len, reverse=True)
    spaced = [_escaped(one) for one in phrases if not count_cjk(one)]
    runs = [_escaped(one) for one in phrases if count_cjk(one)]
    parts = [rf"(?<![\w/@.])(?:{'|'.join(spaced)})(?![\w']|[./-]\w)"] if spaced else []
    if section in _WHOLE_RUNS and runs:
        parts.append(rf"(?:{'|'.join(runs)})(?=[\s,，、.。!！吧啊呀的]|$)")
    elif runs:
        parts.append(rf"(?:{'|'.join(runs)})")
    return re.compile("|".join(parts), re.IGNORECASE)


_WHOLE_RUNS: Final = ("assent", "weak_assent", "filler")


def _escaped(phrase: str) -> str:
    return re.escape(phrase).replace(r"\ ", r"\s")


@cache
def _verbs(section: str) -> Mapping[str, str]:
    """Return the base forms of a section's verbs, by the forms that a proposal begins with."""
    found: dict[str, str] = {}
    for verb in map(fold, sections(_FILE)[section]):
        stem = verb.removesuffix("e")
        for form in (verb, f"{verb}ing", f"{stem}ing", f"{verb}{verb[-1]}ing"):
            found[form] = verb
    return found


def is_once(text: str, section: Literal["once_verbs", "work_verbs"] = "once_verbs") -> bool:
    """Whether a proposal or an answer is about something to be done once."""
    if pattern("lasting_words").search(text):
        return False
    rest = text.lstrip(" \t\"'`(")
    skipped = _HELPS.match(rest)
    rest = rest[skipped.end() :] if skipped else rest
    if count_cjk(rest[:4]):
        return any(rest.startswith(verb) for verb in sections(_FILE)[section])
    found = _WORDS.findall(rest)
    # A German infinitive stands last.
    ends = (found[0], *([found[-1]] if language_of(rest) == "de" else [])) if found else ()
    return any(fold(word) in _verbs(section) for word in ends)


def base_form(word: str) -> str:
    """Return the base form of a verb of the lists, also of its gerund; empty for other words."""
    plain = fold(word)
    for section in ("lasting_verbs", "once_verbs", "work_verbs"):
        found = _verbs(section).get(plain)
        if found:
            return found
    return ""


def points_elsewhere(text: str) -> bool:
    """Whether it says something only where it was said: "this file", "the second"."""
    return pattern("local_words").search(text) is not None


def names_something(text: str) -> bool:
    """Whether it holds a name, a number or a path."""
    return _NAME.search(text) is not None
