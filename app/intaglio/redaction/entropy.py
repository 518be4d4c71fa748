"""Distinguishes random values and passwords from words, names and paths."""

import math
import re
from collections import Counter

MIN_BITS = 2.7
"""Shannon bits per character below which nothing counts as random."""

_LONG = 16
_SHORT = 8
_PASSWORD = 6
_JUMBLED = 20
_JUMBLED_PART = 3.4
_MAX_PARTS = 0.34

_PLACEHOLDER = re.compile(
    r"(?-i:x{4,}|X{4,})|\*{3,}|\.{3}|…|#{4,}|change.?(?:me|this|it)|(?<![A-Za-z0-9])your|enter.?your|example|placeholder|dummy|"
    r"redacted|replace|insert|sample|<[^<>]*>|\$\{|\$\(|\{\{|%\(|^%[A-Z_]+%$|"
    r"^(?:none|null|nil|true|false|undefined|empty|todo|tbd|test(?:ing)?[\d_-]*|foo(?:bar)?|bar|"
    r"pass(?:word|wd|phrase)?|secret|token|api.?key|key|admin|root|guest|user|default|hidden|p|pw|"
    r"pwd|s3cr3t|abc(?:def)?(?:123)?|string|str|bytes|value|required|optional|masked)$",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"\$[A-Za-z_]|[a-z][a-z0-9+.-]*://|arn:|vault:|op:|env[.:]|secrets?[./]|process\.env|os\.environ|"
    r"config[.\[]|settings[.\[]|self\.|this\.|ref\+|file:|data:|ssh-|ecdsa-|"
    r"!(?:vault|secret|env|ref|reference|sub|getatt|encrypted)\b|"
    r"(?:sha(?:1|224|256|384|512)|md5)[:-]",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?:[A-Za-z]:\\|\\\\|~/|\.{1,2}/|/)")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z](?:[A-Z](?![a-z]))*|[0-9]+|[^A-Za-z0-9]+")
_DIVIDERS = re.compile(r"[-_.]")
_VERSION = re.compile(r"[A-Za-z]{1,3}[0-9]{1,4}|[A-Za-z]{1,10}[0-9]")
_VOWEL = re.compile("[aeiouyAEIOUY]")


def entropy_bits(text: str) -> float:
    """Return the Shannon entropy of the characters, in bits per character."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values()) if size else 0.0


def is_placeholder(value: str) -> bool:
    """Check for a placeholder instead of a secret: ``changeme``, ``<token>``, ``${VAR}``."""
    return bool(_PLACEHOLDER.search(value))


def is_uuid(value: str) -> bool:
    """Check for a UUID in its canonical form."""
    return bool(_UUID.fullmatch(value))


def is_reference(value: str) -> bool:
    """Check for a reference to a secret: a variable, URL, path or hash."""
    if _REFERENCE.match(value):
        return True
    is_path = bool(_PATH.match(value)) and not value.endswith("=")
    return is_path and value.count("/") + value.count("\\") > 1


def is_wordy(value: str) -> bool:
    """Check whether the value consists of words: letters and digits rarely mixed, enough vowels.

    ``refresh_token``, ``MyPageV2`` and ``db-credentials`` do; ``hG7x2Kq9`` doesn't.
    """
    parts = [part for part in _PART.findall(value) if part[0].isalnum()]
    if not parts:
        return True
    if is_jumbled(value):
        return False
    good = sum(len(part) for part in parts if _is_word(part))
    total = sum(len(part) for part in parts)
    return good >= total * (1 - _MAX_PARTS) and len(parts) <= max(2, total // 3)


def is_jumbled(value: str, least: int = _JUMBLED) -> bool:
    """Check for a long value in which case or digits change every few letters."""
    return (
        len(value) >= least
        and value.isalnum()
        and len(_PART.findall(value)) * _JUMBLED_PART >= len(value)
    )


def _is_word(part: str) -> bool:
    if part.isdigit():
        return len(part) <= 4  # noqa: PLR2004 - a version, a year
    share = len(_VOWEL.findall(part)) / len(part)
    return len(part) > 1 and 0.15 <= share <= 0.7  # noqa: PLR2004 - measured on English words


def is_name(value: str) -> bool:
    """Check for a name of words and numbers: ``my-worker-v2``, ``user_account_2024``."""
    return all(
        part.isdigit()
        or (part.isalpha() and _is_word(part) and not is_jumbled(part))
        or _VERSION.fullmatch(part)
        for part in _DIVIDERS.split(value)
        if part
    )


def looks_random(value: str) -> bool:
    """Check whether the value looks like a key: long enough, varied, and not made of words."""
    if len(value) < _SHORT or is_placeholder(value) or entropy_bits(value) < MIN_BITS:
        return False
    digits = sum(char.isdigit() for char in value)
    letters = sum(char.isalpha() for char in value)
    if digits and letters:
        return not is_wordy(value)
    return len(value) >= _LONG and letters > 0 and not is_wordy(value)


def looks_like_password(value: str) -> bool:
    """Check whether the value looks like a password: two kinds of characters, or random."""
    if len(value) < _PASSWORD or is_placeholder(value):
        return False
    kinds = (
        any(char.islower() for char in value)
        + any(char.isupper() for char in value)
        + any(char.isdigit() for char in value)
        + any(not char.isalnum() and char not in "-_. " for char in value)
    )
    plain = value.replace("-", "").replace("_", "").replace(".", "")
    if kinds > 1 and not (plain.isalpha() and is_wordy(value)):
        return True
    return value.isdigit() or looks_random(value)
