"""Finds secret-looking values assigned to names such as ``password`` or ``api_key``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from intaglio.redaction.entropy import (
    entropy_bits,
    is_jumbled,
    is_placeholder,
    is_reference,
    is_uuid,
    is_wordy,
    looks_like_password,
    looks_random,
)
from intaglio.redaction.spans import MARK_START, Span

# Every secret name contains one of these; ``key`` counts only after one of ``_KEY_BEFORE``.
_STEMS_OF_NAMES = (
    *("pass", "pwd", "kennwort", "geheim", "zugangsdaten", "secret", "token", "credential"),
    *("psk", "_auth", '"auth"', "client-key-data", "phpsessid", "jsessionid", "_session="),
    *("asp.net_sessionid", "connect.sid"),
)
_KEY = "key"
_KEY_BEFORE = re.compile(
    r"(?:(?:api|access|private|auth|app|signing|encryption|decryption|master|service|license|"
    r"storage|account|shared|preshared|webhook|deploy|fernet|hmac|jwt|crypt|ingest|"
    r"subscription)[ _-]?|[_-])\Z"
)
_KEY_REACH = 16
# The secret word in the name, what may follow it in the name, then the assignment.
_NAME = re.compile(
    r"(?P<word>pass(?:word|wd|phrase|wort|code|w|)|pwd|kennwort|geheim(?:nis|schl(?:ü|ue)ssel|)|"
    r"zugangsdaten|secret|token|credential|psk|_auth|\"auth(?=\")|client-key-data|"
    r"phpsessid|jsessionid|asp\.net_sessionid|connect\.sid|_session(?==)|"
    r"(?:api|access|private|auth|app|signing|encryption|decryption|master|service|license|storage|"
    r"account|shared|preshared|webhook|deploy|fernet|hmac|jwt|crypt|ingest|"
    r"subscription)[ _-]?key|[_-]key)"
    r"(?>(?:[_-]?"
    r"(?:key|value|base|prod|production|dev|test|staging|live|raw|b64|base64|[0-9]{1,2})){0,2})"
    r"s?\\{0,3}[\"'`]?\]?(?:"
    r"(?P<assign>\s{0,16}+(?::\s{0,4}+[a-z_][\w.\[\]| ]{0,40}+)?(?:=>|:=|=(?!=))\s{0,16}+)|"
    r"(?P<colon>\s{0,16}+:\s{0,16}+)|"
    r"(?P<element>>)|"
    r"(?P<quote>[\s,]{1,4}+(?=[\"'][^\s\"']{6}))|"
    r"(?P<prose> (?:is|ist|lautet|was|war):? (?=[^\s]{6}))|"
    r"(?P<flag>[ ](?=[^\s-]{6})))"
)
_QUOTED = re.compile(
    r"[rbfu]{0,2}(?:\\{1,3}\"([^\"\\\n]{1,512}+)\\|\"([^\"\n]{1,512}+)\"|'([^'\n]{1,512}+)'|"
    r"`([^`\n]{1,512}+)`)",
    re.IGNORECASE,
)
_BARE = re.compile(r"[\"'`]?((?>(?:[^\s\"'`,;()\[\]{}<>|&\\=]|&(?![\w.-]{1,32}=)){6,512})={0,2})")
_MERE_KEY = ("_key", "-key")
_BEFORE = 48
_NAME_CHARS = "abcdefghijklmnopqrstuvwxyz0123456789_-."
_HASHES = re.compile(r"commit|sha\d|digest|checksum|hash|fingerprint|integrity|public|etag")
_NOT_TOKEN = re.compile(
    r"(?:next|page|continuation|cursor|sync|stop|pad|eos|bos|unk|mask|special|design|css|color|"
    r"lexer|syntax|max|min|num|per|cancel|idempotency)[_-]?\Z"
)
_NOT_KEY = re.compile(
    r"(?:public|cache|primary|foreign|sort|partition|session|object|row|storage|index|group|query|"
    r"map|dedup|content|idempotency|host|translation|i18n|state|event|routing|registry|composite|"
    r"natural|search|config|lookup|join)\Z"
)
_TEMPLATE = re.compile(r"\{[\w.!: ]{0,64}\}")
_CODE = re.compile(r"[A-Za-z_][\w.]*\Z")
_STEMS = re.compile(r"pass|token|secret|key|type|str|int|bool|base64|utf|sha\d|md5|v\d|hash|crypt")
_STRONG_LENGTH = 20
_STRONG_BITS = 3.3
_LITERAL_LENGTH = 8
_LETTERS_ONLY = 12
_REACH = 64
_CALLS = ('("', "('")
_SLASHES = ("/", "\\")
_PARAMETER_STARTS = ("?", "&", "=")
_SHORT_WORDS = ("pass", "passw", "geheim", "psk", "_auth", '"auth')
_KEY_ID = re.compile(r"(?:0x)?(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{16}|[0-9A-Fa-f]{40})")


@dataclass(frozen=True, slots=True)
class _Value:
    text: str
    start: int
    end: int
    quoted: bool


@dataclass(frozen=True, slots=True)
class _Name:
    """The target of an assignment: its secret word, the text before it, and how the value follows.

    ``literal`` means that a bare value can't be code: ``NAME=value``, as in a .env file. Names
    ``within`` a list or a path aren't assigned to.
    """

    word: str
    left: str
    how: str
    literal: bool
    element: bool
    within: bool

    @property
    def password(self) -> bool:
        return self.word.startswith(("pass", "pwd", "kennwort"))


def find_assignments(text: str, low: str) -> Iterator[Span]:
    """Yield the values, in order; ``low`` is the text in lower case, character for character."""
    at = 0
    for start in _candidates(low):
        if start < at:
            continue
        match = _NAME.match(low, start)
        if match is None:
            continue
        at = match.end()
        value = _value(text, at)
        if value is None:
            continue
        name = _name(text, low, match, value)
        if _is_secret(name, value):
            yield Span(value.start, value.end, "password" if name.password else "secret")
            at = value.end
        elif not value.quoted:
            # A long value may itself end in a secret name. Text before it isn't searched again:
            # otherwise one endless word would be searched once for each name in it.
            at = max(at, value.end - _REACH)


def _candidates(low: str) -> list[int]:
    """Return where secret names may start, in order; faster than one expression for all."""
    found: list[int] = []
    for stem in _STEMS_OF_NAMES:
        at = low.find(stem)
        while at >= 0:
            found.append(at)
            at = low.find(stem, at + 1)
    at = low.find(_KEY)
    while at >= 0:
        begin = max(0, at - _KEY_REACH)
        before = _KEY_BEFORE.search(low[begin:at])
        if before:
            found.append(begin + before.start())
        at = low.find(_KEY, at + 1)
    found.sort()
    return found


def _value(text: str, at: int) -> _Value | None:
    quoted = _QUOTED.match(text, at)
    if quoted:
        start, end = quoted.span(quoted.lastindex or 0)
        return _Value(text[start:end], start, end, quoted=True)
    bare = _BARE.match(text, at)
    if not bare:
        return None
    start, end = bare.span(1)
    while end > start and text[end - 1] in ".?:*":
        end -= 1
    if text[end : end + 1] in ("(", "[", "{"):
        return None
    return _Value(text[start:end], start, end, quoted=False)


def _name(text: str, low: str, match: re.Match[str], value: _Value) -> _Name:
    window = low[max(0, match.start() - _BEFORE) : match.start()]
    left = window[len(window.rstrip(_NAME_CHARS)) :]
    start = match.start() - len(left)
    is_shell = (
        text[start : match.end("word")].isupper()
        or left.startswith("--")
        or text[start - 1 : start] in _PARAMETER_STARTS
    )
    return _Name(
        word=match["word"],
        left=left,
        how=match.lastgroup or "",
        literal=match["assign"] == "=" and is_shell,
        within=("," in (match["quote"] or "") and low[start - 2 : start] not in _CALLS)
        or (match["colon"] == ":" and low[start - 1 : start] in _SLASHES and not value.quoted),
        element=low[start - 1 : start] == "<" and text.startswith("</", value.end),
    )


def _is_secret(name: _Name, value: _Value) -> bool:
    if (
        MARK_START in value.text
        or " " in value.text
        or _HASHES.search(name.left)
        or (name.word == "token" and _NOT_TOKEN.search(name.left))
        or (name.word in _MERE_KEY and _NOT_KEY.search(name.left))
        or (name.word in _SHORT_WORDS and name.left[-1:].isalnum())
        or is_reference(value.text)
        or _TEMPLATE.search(value.text)
        or name.within
        or (name.how == "flag" and not name.left.startswith("-"))
        or (name.how == "element" and not name.element)
    ):
        return False
    if name.word in _MERE_KEY:
        return _is_strong(name, value)
    if name.word in _SHORT_WORDS:
        return _is_strict(name, value)
    if name.password:
        return _is_password(name, value)
    return _is_key(name, value)


def _is_strict(name: _Name, value: _Value) -> bool:
    """A short name like ``pass`` needs ``=`` or quotes, and a value that can't be a word."""
    if name.how == "prose" or not (name.how == "assign" or value.quoted):
        return False
    return _has_digit(value.text) and looks_like_password(value.text) and not is_wordy(value.text)


def _is_strong(name: _Name, value: _Value) -> bool:
    """A name like ``…_key`` alone needs a long random value that can't be code or an id."""
    return (
        (value.quoted or name.literal)
        and len(value.text) >= _STRONG_LENGTH
        and entropy_bits(value.text) >= _STRONG_BITS
        and looks_random(value.text)
        and not is_uuid(value.text)
    )


def _is_password(name: _Name, value: _Value) -> bool:
    text = value.text
    if value.quoted:
        return looks_like_password(text)
    if name.literal:
        return looks_like_password(text) or (
            len(text) >= _LITERAL_LENGTH and not is_placeholder(text)
        )
    if text.isalpha():
        return is_jumbled(text, _LETTERS_ONLY) and not text.islower()
    if not looks_like_password(text):
        return False
    if not _CODE.match(text):
        return True
    return _has_digit(text) and not (_STEMS.search(text.lower()) and is_wordy(text))


def _is_key(name: _Name, value: _Value) -> bool:
    text = value.text
    if not looks_random(text):
        return False
    if is_uuid(text):
        return (
            name.word.startswith(("api", "secret"))
            or name.left.endswith(("auth_", "access_", "_auth"))
            or (name.word == "token" and (name.literal or name.left.startswith("x-")))
        )
    if name.word.startswith("signing") and _KEY_ID.fullmatch(text):
        return False
    if value.quoted or name.literal or name.left.startswith("--"):
        return True
    return _has_digit(text) and not is_wordy(text)


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)
