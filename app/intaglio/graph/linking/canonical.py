"""Canonical names, by which entities and their aliases are compared."""

import re
from typing import Final

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
# What these are followed by is a part of the name, not a version.
_NUMBERED: Final = frozenset({"route", "area", "level", "phase", "team", "tier", "stage", "room"})


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
    """Return the text without the version at its end, or nothing if it has none."""
    found = _VERSION.search(text) if text[-1:].isdigit() or text[-1:] in "x*+" else None
    if found is None:
        return ""
    bare = text[: found.start()]
    return "" if bare.rpartition(" ")[2].lower() in _NUMBERED else bare
