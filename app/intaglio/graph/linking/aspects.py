"""Decides which aspect of an entity a fact is about, from its verbs and nouns."""

import re
from collections.abc import Sequence
from typing import Final

from intaglio.domain.entity_kinds import EntityType
from intaglio.language.overlap import topic_overlap
from intaglio.language.stems import stem
from intaglio.language.topics import topic_words

_CUES: Final = (
    ("ownership", (
        r"own(?:s|ed|er|ers|ership)?|maintain(?:s|ed|er|ers)|responsible for|in charge|"
        r"on-?call|assigned to|belongs to|zuständig|responsable|encarga"
    )),
    ("security", (
        r"secrets?|credentials?|passwords?|api keys?|encrypt\w*|auth(?:entication|orization)?|"
        r"permissions?|oauth\w*|jwts?|vulnerabilit\w+|cves?|tls|rotate[sd]?|signed|"
        r"certificates?|login|Passwörter|contraseñas?|credenciales|mots? de passe"
    )),
    ("deployment", (
        r"deploy\w*|releas\w+|rollback|rolled? out|roll ?out|rollouts?|ships?|shipped|hosted|"
        r"staging|production|prod|canary|runs on|blue[- ]green|helm|cluster|déploie|despleg\w+|"
        r"desplieg\w+"
    )),
    ("testing", (
        r"tests?|tested|testing|coverage|pytest|fixtures?|mock(?:s|ed|ing)?|e2e|unit tests?|"
        r"flaky|snapshots?|regression|prueba\w*"
    )),
    ("versions", (
        r"versions?|upgrad\w+|minimum|pinned?|pins|bump\w*|1?\d\.\d+ (?:or|and) (?:newer|later|"
        r"above)|msrv|eol|lts"
    )),
    ("storage", (
        r"stor(?:es?|ed|age)|database|db|tables?|persist\w*|writes? to|saved? (?:in|to)|"
        r"backups?|buckets?|index(?:es)?|migrations?|schemas?|rows?|cach(?:es?|ed|ing)|"
        r"speicher\w*|guarda\w*"
    )),
    ("performance", (
        r"slow\w*|fast\w*|latenc\w+|throughput|p9[59]|memory (?:leak|usage)|cpu|timeouts?|"
        r"times? out|optimi[sz]\w+|bottleneck|\d+ ?ms|qps|rps|langsam|lent\w*"
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
_PLAIN: Final = re.compile(r"([\w-]+)(\?)?")
_ENDINGS: Final = re.compile(r"([\w-]{1,60})\(\?:([\w|]+)\)(\?)?")


def _alternatives(cues: str) -> list[str]:
    """Return the alternatives of an expression."""
    parts, depth = [""], 0
    for piece in re.split(r"([()|])", cues):
        if piece == "|" and not depth:
            parts.append("")
        else:
            depth += {"(": 1, ")": -1}.get(piece, 0)
            parts[-1] += piece
    return parts


def _words_of(cue: str) -> list[str]:
    """Return the words that an alternative stands for, none if it isn't that simple."""
    plain, ending = _PLAIN.fullmatch(cue), _ENDINGS.fullmatch(cue)
    if plain:
        return [plain[1], plain[1][:-1]] if plain[2] else [plain[1]]
    if ending:
        words = [ending[1] + end for end in ending[2].split("|")]
        return [*words, ending[1]] if ending[3] else words
    return []


_LITERAL: Final = {
    word: name
    for name, cues in reversed(_CUES)
    for cue in _alternatives(cues.lower())
    for word in _words_of(cue)
}
"""Cues that are plain words, which a table finds faster than an expression."""

_OTHERS: Final = {
    name: "|".join(cue for cue in _alternatives(cues) if not _words_of(cue.lower()))
    for name, cues in _CUES
}
_ONE: Final = re.compile(
    rf"(?<![\w-])(?:{'|'.join(f'(?P<{name}>{cues})' for name, cues in _OTHERS.items() if cues)})"
    r"(?![\w-])",
    re.IGNORECASE,
)
_CJK_CUES: Final = {
    cue: name
    for name, cues in {
        "ownership": "担当 负责 管理して",
        "deployment": "デプロイ 部署 本番 上线 发布",
        "testing": "テスト 测试",
        "storage": "保存 缓存 数据库 バックアップ キャッシュ 数据",
        "security": "認証 密码 秘密 パスワード 权限",
        "configuration": "設定 配置",
        "dependencies": "依赖 依存",
        "performance": "遅い 慢 性能",
        "interface": "接口 エンドポイント",
        "conventions": "規約 规范 コミットメッセージ 提交信息",
        "workflow": "レビュー 审查 ブランチ 分支",
    }.items()
    for cue in cues.split()
}
_WORD: Final = re.compile(r"[\w-]+")
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
_LEAST_OVERLAP: Final = 0.12


def aspect_of(text: str) -> str | None:
    """Return the aspect that the words of a text tell, None if they don't."""
    scores: dict[str, int] = {}
    for match in _ONE.finditer(text, 0, _MOST_CHARS):
        name = match.lastgroup or ""
        scores[name] = scores.get(name, 0) + 1
    for word in _WORD.findall(text.lower(), 0, _MOST_CHARS):
        told = _LITERAL.get(word)
        if told is not None:
            scores[told] = scores.get(told, 0) + 1
    if not text.isascii():
        for cue, told in _CJK_CUES.items():
            if cue in text[:_MOST_CHARS]:
                scores[told] = scores.get(told, 0) + 1
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
    words = topic_words(content)
    best, most = "", 0.0
    for name, samples in existing:
        near = max((topic_overlap(content, sample).share for sample in samples), default=0.0)
        if stem(name) in words:
            near += 0.3
        if near > most:
            best, most = name, near
    if best and most >= max(_LEAST_OVERLAP, 0.3 if told else 0.0):
        return best, min(0.8, 0.4 + most)
    if told is not None:
        return told, 0.65
    for name in _SUGGESTIONS.get(entity_type, ()):
        if stem(name) in words:
            return name, 0.5
    return "general", 0.3
