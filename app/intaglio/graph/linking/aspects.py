"""Decides which aspect of an entity a fact is about, from its verbs and nouns."""

import re
from collections.abc import Sequence
from typing import Final

from intaglio.base.entity_kinds import EntityType

_CUES: Final = (
    ("ownership", (
        r"own(?:s|ed|er|ers|ership)?|maintain(?:s|ed|er|ers)|responsible for|in charge|"
        r"on-?call|assigned to|belongs to|zuständig|responsable|encarga|负责|担当"
    )),
    ("security", (
        r"secrets?|credentials?|passwords?|api keys?|encrypt\w*|auth(?:entication|orization)?|"
        r"permissions?|oauth\w*|jwts?|vulnerabilit\w+|cves?|tls|rotate[sd]?|signed|"
        r"certificates?|login|Passwörter|contraseñas?|credenciales|mots? de passe"
    )),
    ("deployment", (
        r"deploy\w*|releas\w+|rollback|rolled? out|roll ?out|rollouts?|ships?|shipped|hosted|"
        r"staging|production|prod|canary|runs on|blue[- ]green|helm|cluster|déploie|despleg\w+|"
        r"desplieg\w+|デプロイ|部署"
    )),
    ("testing", (
        r"tests?|tested|testing|coverage|pytest|fixtures?|mock(?:s|ed|ing)?|e2e|unit tests?|"
        r"flaky|snapshots?|regression|prueba\w*|テスト|测试"
    )),
    ("versions", (
        r"versions?|upgrad\w+|minimum|pinned?|pins|bump\w*|1?\d\.\d+ (?:or|and) (?:newer|later|"
        r"above)|msrv|eol|lts"
    )),
    ("storage", (
        r"stor(?:es?|ed|age)|database|db|tables?|persist\w*|writes? to|saved? (?:in|to)|"
        r"backups?|buckets?|index(?:es)?|migrations?|schemas?|rows?|cach(?:es?|ed|ing)|"
        r"speicher\w*|guarda\w*|缓存|保存"
    )),
    ("performance", (
        r"slow\w*|fast\w*|latenc\w+|throughput|p9[59]|memory (?:leak|usage)|cpu|timeouts?|"
        r"times? out|optimi[sz]\w+|bottleneck|\d+ ?ms|qps|rps|langsam|lent\w*|遅い|慢"
    )),
    ("dependencies", (
        r"depend\w*|requires?|relies on|librar(?:y|ies)|packages?|imports?|vendored|lock ?file"
    )),
    ("configuration", (
        r"config\w*|settings?|environment variables?|env vars?|flags?|set to|overrid\w+|"
        r"defaults?|ports?|enabled?|disabled?"
    )),
    ("interface", (
        r"api|apis|endpoints?|returns?|responses?|requests?|payloads?|graphql|grpc|rest|"
        r"webhooks?|cli|schema|protocol|exposes?|publishes|renders?|ui"
    )),
    ("schedule", (
        r"every (?:\d+ )?(?:minutes?|hours?|days?|weeks?|night|morning|monday|friday)|nightly|"
        r"daily|weekly|monthly|cron|schedul\w+|deadline|until|by (?:monday|friday)|mondays?|"
        r"fridays?|thursdays?|vendredi|jeudi"
    )),
    ("workflow", (
        r"merg\w+|rebase|squash|pull requests?|prs?|code reviews?|reviews?|branch(?:es)?|"
        r"commits?|push\w*|ci|pipelines?|tickets?|main"
    )),
    ("issues", (
        r"bugs?|broken|breaks?|fail(?:s|ed|ing|ure|ures)?|crash\w*|errors?|leaks?|races?|"
        r"deadlocks?|incidents?|outages?|flak\w+|down"
    )),
    ("conventions", (
        r"naming|style|lint\w*|format(?:ting|ted|ter)?|indent\w*|tabs?|spaces|camelcase|"
        r"snake_case|conventions?|docstrings?|comments?|prefix\w*|strict mode"
    )),
    ("communication", (
        r"emails?|slack|meetings?|contact|reports?|notif\w+|answers?|messages?|summary|english|"
        r"german|call me"
    )),
    ("preferences", (
        r"prefers?|preferred|likes?|hates?|favou?rite|rather than|instead of|prefiero|préfère|"
        r"lieber"
    )),
    ("technology", (
        r"written in|built (?:with|on)|uses?|using|moved? (?:from|to)|migrat\w+|switch\w*|"
        r"replac\w+|rewr\w+"
    )),
)  # fmt: skip
_ONE: Final = re.compile(
    rf"(?<![\w-])(?:{'|'.join(f'(?P<{name}>{cues})' for name, cues in _CUES)})(?![\w-])",
    re.IGNORECASE,
)
_ORDER: Final = {name: place for place, (name, _) in enumerate(_CUES)}
_MOST_CHARS: Final = 600
_SUGGESTIONS: Final[dict[EntityType, tuple[str, ...]]] = {
    "person": ("ownership", "communication", "preferences", "schedule"),
    "organization": ("communication", "ownership", "schedule"),
    "project": ("conventions", "workflow", "deployment", "testing"),
    "tool": ("configuration", "versions", "preferences"),
    "language": ("versions", "conventions", "preferences"),
    "service": ("interface", "deployment", "storage", "performance"),
    "component": ("interface", "storage", "performance"),
    "file": ("configuration", "conventions"),
    "config": ("configuration",),
}
_WORDS: Final = re.compile(r"[^\W_]{3,}")
_LEAST_OVERLAP: Final = 0.12


def aspect_of(text: str) -> str | None:
    """Return the aspect that the words of a text tell, None if they don't."""
    scores: dict[str, int] = {}
    for match in _ONE.finditer(text, 0, _MOST_CHARS):
        name = match.lastgroup or ""
        scores[name] = scores.get(name, 0) + 1
    if not scores:
        return None
    return max(scores, key=lambda name: (scores[name], -_ORDER[name]))


def classify_aspect(
    content: str, entity_type: EntityType, existing: Sequence[tuple[str, Sequence[str]]]
) -> tuple[str, float]:
    """Return the aspect of a fact and how sure that is; aspects that exist come first.

    ``existing`` are the entity's aspects, each with some of its facts.
    """
    told = aspect_of(content)
    names = {name for name, _ in existing}
    if told is not None and (told in names or not existing):
        return told, 0.75
    words = _words(content)
    best, most = "", 0.0
    for name, samples in existing:
        near = max((_overlap(words, _words(sample)) for sample in samples), default=0.0)
        if name in words:
            near += 0.3
        if near > most:
            best, most = name, near
    if best and most >= max(_LEAST_OVERLAP, 0.3 if told else 0.0):
        return best, min(0.8, 0.4 + most)
    if told is not None:
        return told, 0.65
    for name in _SUGGESTIONS.get(entity_type, ()):
        if name in words or name.removesuffix("s") in words:
            return name, 0.5
    return "general", 0.3


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower().removesuffix("s") for word in _WORDS.findall(text))


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / max(1, min(len(first), len(second)))
