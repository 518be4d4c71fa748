"""Finds settings, and facts beside them, by the words that a user types."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from intaglio.wire.settings import SettingFact, SettingRow, SettingsReply

# "where is my data" asks for data.
_FILLER_TEXT: Final = "a are can do does how i in is it my of the to what where which who your"
_FILLERS: Final = frozenset(_FILLER_TEXT.split())
_WORD: Final = re.compile(r"\w+")
_CAPITAL: Final = re.compile(r"[A-Z]")


def matching_settings(reply: SettingsReply, words: Sequence[str]) -> list[SettingRow]:
    """Return the settings that have all words, or, if none has, all that tell something.

    Those whose help alone has them come last.
    """
    typed = [word.strip("?!.,") for word in words]
    telling = _telling(words)
    return _matching(reply, typed) or (_matching(reply, telling) if telling else [])


def matching_facts(reply: SettingsReply, words: Sequence[str]) -> list[SettingFact]:
    """Return the facts that have all words that tell something; none without such words."""
    telling = _telling(words)
    if not telling:
        return []
    return [
        fact
        for fact in reply.facts
        if _has_all(_words(f"{fact.id} {fact.label} {fact.help}"), telling)
    ]


def _matching(reply: SettingsReply, wanted: Sequence[str]) -> list[SettingRow]:
    found = [row for row in reply.settings if _has_all(_words_of(row), wanted)]
    return sorted(found, key=lambda row: not _has_all(_names_of(row), wanted))


def _telling(words: Sequence[str]) -> list[str]:
    plain = [word for text in words for word in _WORD.findall(text.casefold())]
    return [word for word in plain if word not in _FILLERS]


def _words_of(row: SettingRow) -> Collection[str]:
    return [*_names_of(row), *_words(row.help)]


def _names_of(row: SettingRow) -> Collection[str]:
    # As typed: `capture.keepAt`, its parts, and the words of its parts.
    key = _CAPITAL.sub(r" \g<0>", row.key)
    names = [row.key.casefold(), row.key.casefold().rpartition(".")[2]]
    return names + _words(f"{row.key} {key} {row.label} {row.group} {row.words}")


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _has_all(given: Collection[str], wanted: Sequence[str]) -> bool:
    return all(any(one.startswith(word.casefold()) for one in given) for word in wanted)
