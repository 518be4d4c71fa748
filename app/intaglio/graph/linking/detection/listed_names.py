"""Finds tools, languages, formats and organizations of the list, unless an ordinary word is meant."""

from collections.abc import Iterator
from typing import Final

from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.detection.drafts import BY_LIST, Draft, Scanned
from intaglio.graph.linking.lexicon.known_names import (
    FIRST_WORDS,
    MOST_WORDS,
    SPELLINGS,
    Spelling,
)
from intaglio.graph.linking.lexicon.ordinary_words import is_ordinary

_USING: Final = frozenset(
    [
        "use",
        "uses",
        "using",
        "used",
        "via",
        "install",
        "installs",
        "installed",
        "prefer",
        "prefers",
        "adopt",
        "adopted",
        "love",
        "loves",
        "hate",
        "learn",
        "learning",
        "like",
        "likes",
        "utilise",
        "utilize",
        "favor",
        "favour",
        "choose",
        "chose",
        "chosen",
        "picked",
        "introduce",
        "benutze",
        "benutzen",
        "nutze",
        "nutzen",
        "verwende",
        "verwenden",
        "usa",
        "usamos",
        "usar",
        "uso",
        "utilise",
        "utilisons",
        "utiliser",
    ]
)
_IN: Final = frozenset(["in", "en", "auf"])
_WRITTEN: Final = frozenset(
    [
        "written",
        "writes",
        "write",
        "writing",
        "wrote",
        "rewritten",
        "rewrite",
        "rewrote",
        "rewriting",
        "implemented",
        "implement",
        "reimplemented",
        "built",
        "build",
        "coded",
        "code",
        "ported",
        "port",
        "prototype",
        "prototyped",
        "done",
        "services",
        "service",
        "tool",
        "cli",
        "backend",
        "module",
        "library",
        "server",
        "worker",
        "script",
        "program",
        "escrito",
        "escrita",
        "écrit",
        "écrite",
        "geschrieben",
    ]
)
_PLACES: Final = frozenset(
    [
        "on",
        "to",
        "from",
        "off",
        "into",
        "onto",
        "over",
        "with",
        "by",
        "for",
        "than",
        "and",
        "or",
        "in",
        "at",
        "through",
    ]
)
_MOVING: Final = frozenset(
    [
        "deploy",
        "deploys",
        "deployed",
        "deploying",
        "deployment",
        "host",
        "hosts",
        "hosted",
        "hosting",
        "migrate",
        "migrated",
        "migrating",
        "move",
        "moved",
        "moving",
        "switch",
        "switched",
        "switching",
        "port",
        "ported",
        "porting",
        "convert",
        "converted",
        "push",
        "pushed",
        "runs",
        "run",
        "running",
        "upgrade",
        "upgraded",
        "tracked",
        "track",
        "live",
        "lives",
        "post",
        "posted",
        "share",
        "shared",
        "file",
        "filed",
        "prefer",
        "written",
        "rewritten",
        "rewrite",
    ]
)
_NOUNS_AFTER: Final = frozenset(
    [
        "app",
        "apps",
        "binary",
        "plugin",
        "plugins",
        "crate",
        "crates",
        "module",
        "modules",
        "workspace",
        "code",
        "channel",
        "channels",
        "ticket",
        "tickets",
        "issue",
        "issues",
        "template",
        "templates",
        "toolchain",
        "compiler",
        "middleware",
        "route",
        "routes",
        "router",
        "bot",
        "repo",
        "service",
        "services",
        "api",
        "server",
        "servers",
        "client",
        "library",
        "libraries",
        "sdk",
        "project",
        "projects",
        "package",
        "packages",
        "script",
        "scripts",
        "version",
        "versions",
        "developer",
        "developers",
        "codebase",
        "backend",
        "cli",
        "function",
        "functions",
        "struct",
        "structs",
        "generics",
        "routine",
        "routines",
        "error",
        "errors",
        "test",
        "tests",
        "target",
        "targets",
        "file",
        "files",
        "extension",
        "extensions",
        "rules",
        "boot",
        "security",
        "team",
        "teams",
        "doc",
        "docs",
        "page",
        "pages",
        "database",
        "databases",
        "board",
        "boards",
        "message",
        "messages",
        "workflow",
        "workflows",
        "sync",
        "integration",
        "webhook",
        "webhooks",
        "account",
        "dashboard",
        "deploy",
        "deployment",
        "deployments",
        "machine",
        "machines",
        "side",
        "port",
        "bindings",
        "ecosystem",
        "edition",
        "playground",
        "programming",
        "language",
        "tooling",
        "side",
        "part",
        "layer",
        "snippets",
    ]
)
_VERBS_AFTER: Final = frozenset(
    [
        "is",
        "isn't",
        "was",
        "has",
        "hasn't",
        "can",
        "can't",
        "cannot",
        "will",
        "won't",
        "does",
        "doesn't",
        "needs",
        "uses",
        "runs",
        "handles",
        "hosts",
        "stores",
        "keeps",
        "makes",
        "gives",
        "lets",
        "supports",
        "requires",
        "breaks",
        "fails",
        "works",
        "provides",
        "sends",
        "serves",
        "compiles",
        "builds",
        "needs",
        "should",
        "must",
        "feels",
        "takes",
        "offers",
        "generates",
        "renders",
        "manages",
        "and",
        "or",
        "we're",
        "seems",
        "became",
        "becomes",
        "sits",
        "lives",
        "kept",
        "went",
        "broke",
        "failed",
    ]
)
_PARTICLES: Final = frozenset(
    [
        "ahead",
        "to",
        "back",
        "through",
        "over",
        "away",
        "down",
        "up",
        "out",
        "live",
        "home",
        "wrong",
        "straight",
        "further",
        "it",
        "the",
        "a",
        "an",
        "this",
        "that",
        "sure",
        "them",
        "their",
        "our",
        "your",
        "us",
        "my",
        "its",
        "these",
        "those",
        "any",
        "every",
        "each",
        "all",
        "some",
        "it's",
        "into",
        "onto",
        "around",
        "off",
        "beyond",
        "without",
        "deep",
        "with",
        "for",
        "on",
        "in",
        "from",
        "slow",
        "fast",
        "easy",
        "please",
        "not",
        "one",
        "two",
    ]
)
_SHORTEST_LOWER: Final = 2


def listed_names(scanned: Scanned) -> Iterator[Draft]:
    """Yield the names of the list, the longest at each place, with a version that follows."""
    tokens, skip = scanned.tokens, -1
    accepted: set[int] = set()
    for index, token in enumerate(tokens):
        if index <= skip or token.kind not in {"word", "host", "file"}:
            continue
        found = _longest(scanned, index)
        if found is None:
            continue
        last, spelling = found
        if not _is_meant(scanned, index, last, spelling, accepted):
            continue
        skip = last
        accepted.update(range(index, last + 1))
        until = _with_version(scanned, last)
        thing = spelling.thing
        confidence = 0.95 if spelling.certainty == "always" else 0.85
        draft = scanned.draft(
            index,
            until,
            thing.type,
            confidence,
            BY_LIST,
            name=thing.name,
            canonical=thing.canonical,
        )
        yield draft


def _longest(scanned: Scanned, index: int) -> tuple[int, Spelling] | None:
    tokens = scanned.tokens
    token = tokens[index]
    first = token.low if token.kind != "word" else canonical_name(token.text)
    if token.kind == "word" and first.split(" ", 1)[0] in FIRST_WORDS:
        last = index
        while last - index < MOST_WORDS and last + 1 < len(tokens) and scanned.adjacent(last):
            last += 1
            if tokens[last].kind == "mark" and tokens[last].text not in "&/":
                break
        while last > index:
            spelling = SPELLINGS.get(_joined(scanned, index, last))
            if spelling is not None:
                return last, spelling
            last -= 1
    spelling = SPELLINGS.get(first) or SPELLINGS.get(token.low)
    return None if spelling is None else (index, spelling)


def _joined(scanned: Scanned, first: int, last: int) -> str:
    return canonical_name(scanned.slice(first, last)) if last > first else scanned.low(first)


def _with_version(scanned: Scanned, last: int) -> int:
    """Return the index of the version that follows a name, or the name's own."""
    following = last + 1
    if following >= len(scanned.tokens) or not scanned.adjacent(last):
        return last
    token = scanned.tokens[following]
    if token.kind != "number" or token.start == scanned.tokens[last].end:
        return last
    number = token.text.lstrip("vV")
    after = scanned.low(following + 1)
    if (
        "," in number
        or ":" in number
        or number.endswith("%")
        or (after in _UNITS and "." not in number)
    ):
        return last
    return following if len(number.split(".")[0]) <= _LONGEST_VERSION else last


_LONGEST_VERSION: Final = 4
_UNITS: Final = frozenset(
    [
        "times",
        "minutes",
        "seconds",
        "hours",
        "days",
        "weeks",
        "months",
        "years",
        "ms",
        "mb",
        "gb",
        "kb",
        "nodes",
        "instances",
        "replicas",
        "servers",
        "workers",
        "files",
        "tables",
        "tests",
        "users",
        "requests",
        "retries",
        "percent",
        "topics",
        "clusters",
        "pods",
        "images",
        "containers",
        "of",
        "to",
        "pages",
        "rows",
        "records",
        "people",
        "partitions",
        "shards",
        "buckets",
        "lambdas",
        "queries",
        "jobs",
        "cores",
    ]
)


def _is_meant(
    scanned: Scanned, first: int, last: int, spelling: Spelling, accepted: set[int]
) -> bool:
    """Tell whether the name of the list is meant here, rather than an ordinary word."""
    token = scanned.tokens[first]
    if spelling.certainty == "always":
        return last > first or _is_plain_spelling(scanned, first, spelling)
    if token.code:
        return spelling.written.lower() == token.low and (
            scanned.low(first + 1) not in _PARTICLES or token.initial is False
        )
    if _has_version(scanned, last) or _before_noun(scanned, last):
        return not (token.initial and scanned.low(last + 1) in _PARTICLES)
    written_so = token.text == spelling.written
    if len(token.text) == 1:
        return written_so and _in_context(scanned, first, accepted)
    if spelling.certainty == "capitalised" and token.capital:
        return (
            not token.initial or not is_ordinary(token.low) or scanned.low(last + 1) in _VERBS_AFTER
        )
    if token.capital and not token.initial and not scanned.heading:
        return not _within_capitals(scanned, first, last)
    if token.capital and token.initial:
        after = scanned.low(last + 1)
        return after in _VERBS_AFTER or after in {"", "."}
    return _in_context(scanned, first, accepted) and scanned.low(last + 1) not in _PARTICLES


def _is_plain_spelling(scanned: Scanned, index: int, spelling: Spelling) -> bool:
    """Refuse short acronyms in lower case that may be ordinary words, like "sas" or "aws"."""
    token = scanned.tokens[index]
    if token.text.isupper() or len(token.text) > _SHORTEST_LOWER or not spelling.written.isupper():
        return True
    return scanned.low(index - 1) in _USING | _PLACES or scanned.low(index + 1) in _VERBS_AFTER


def _has_version(scanned: Scanned, last: int) -> bool:
    return _with_version(scanned, last) > last and "." in scanned.tokens[last + 1].text


def _before_noun(scanned: Scanned, last: int) -> bool:
    return scanned.adjacent(last) and scanned.low(last + 1) in _NOUNS_AFTER


def _within_capitals(scanned: Scanned, first: int, last: int) -> bool:
    """Tell whether a word is a part of a longer name, like "Swift" in "Taylor Swift"."""
    return (
        scanned.capital(first - 1)
        and scanned.adjacent(first - 1)
        and not scanned.tokens[first - 1].initial
        and not is_ordinary(scanned.low(first - 1))
        and scanned.low(first - 1) not in SPELLINGS
    ) or (
        scanned.capital(last + 1)
        and scanned.adjacent(last)
        and not is_ordinary(scanned.low(last + 1))
        and scanned.low(last + 1) not in SPELLINGS
    )


def _in_context(scanned: Scanned, first: int, accepted: set[int]) -> bool:
    """Tell whether the words before it show that a tool or a language follows."""
    before, further = scanned.low(first - 1), scanned.low(first - 2)
    if before in _USING:
        return True
    if before in _IN:
        return further in _WRITTEN or scanned.low(first - 3) in _WRITTEN
    if before in {"and", "or", ",", "/", "+", "over", "than", "vs", "not", "y", "und", "et", "to"}:
        if first - 2 in accepted:
            return True
        if before != "to":
            return before in {"over", "than", "vs"} and further in _USING
    if before in _PLACES:
        return any(scanned.low(place) in _MOVING for place in range(max(0, first - 5), first - 1))
    return False
