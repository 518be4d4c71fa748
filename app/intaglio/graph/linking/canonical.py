"""Canonical names, by which entities and their aliases are compared."""

import re
from pathlib import Path
from typing import Final

from intaglio.language.word_lists import word_list

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028\u2029\ufeff]+")
_MOST_BYTES: Final = 512
_SHORT: Final = 120
_SEPARATORS: Final = re.compile(r"(?<=[^\W_])[-_\u2010-\u2015]+(?=[^\W\d_])")
_VERSION: Final = re.compile(
    r"(?<=[\w+#])[ @]v?\d{1,4}(?:\.\d{1,5}){0,3}(?:\.[x*]|\+)?$", re.IGNORECASE
)
_COMPONENT: Final = re.compile(
    r"(?<=[a-z0-9])(?<!Fast)(?<!Open)(?=(?:Service|Server|Worker|Daemon|Gateway|Queue|"
    r"Scheduler|Module|Library|Api|API|Dashboard|Pipeline|Dispatcher|Engine|Client|Proxy|"
    r"Broker|Indexer|Agent|Bot|Runner|Store|Handler|Manager|Controller|Consumer|Producer|"
    r"Parser|Loader|Limiter|Reconciler|Importer|Exporter|Processor|Router|Resolver|Watcher|"
    r"Listener|Notifier|Orchestrator|Crawler)$)"
)
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# What is written with one of these is a path, a file, a package or an address.
_EXACT: Final = re.compile(r"[/.@:]")
_LISTS: Final = Path(__file__).with_name("word_lists")
STANDARDS: Final = word_list("canonical", "standards", folder=_LISTS)
"""Bodies and series whose documents are known by their numbers: "iso", "rfc"."""
_NUMBERED: Final = word_list("canonical", "numbered", folder=_LISTS) | STANDARDS
_EDITION: Final = re.compile(r"(?<=\d):(?:19|20)\d\d$")


def canonical_name(name: str) -> str:
    """Return the canonical form of a name (seed 004): lower case, without control characters.

    Versions are dropped, and the separators of words don't count: "auth-service", "AuthService" and
    "auth service" are one, "PostgreSQL 16" is "postgresql".
    """
    if name.isalpha() and name[1:].islower() and len(name) < _SHORT:
        return name.lower()
    text = " ".join(_CONTROL.sub(" ", name).split())
    while shorter := _without_version(text):
        text = shorter
    if not _EXACT.search(text):
        if _COMPONENT.search(text):
            text = _HUMP.sub(" ", text)
        text = _SEPARATORS.sub(" ", text)
    return text.lower().encode()[:_MOST_BYTES].decode("utf-8", "ignore").strip()


def _without_version(text: str) -> str:
    """Return the text without the version at its end, or nothing if it has none.

    What follows a word like "ISO" or "phase" is a part of the name; the year after the number of a
    standard, as in "ISO 27001:2022", is a version.
    """
    if text[-1:].isdigit():
        edition = _EDITION.search(text)
        if edition is not None and _last_word(text) in STANDARDS:
            return text[: edition.start()]
    elif text[-1:] not in "x*+":
        return ""
    found = _VERSION.search(text)
    if found is None or _last_word(text[: found.start()]) in _NUMBERED:
        return ""
    return text[: found.start()]


def _last_word(text: str) -> str:
    """Return the last word of letters: "iso" of "ISO/IEC" and "en" of "EN 301"."""
    end = len(text)
    while end and not text[end - 1].isalpha():
        end -= 1
    start = end
    while start and text[start - 1].isalpha():
        start -= 1
    return text[start:end].lower()
