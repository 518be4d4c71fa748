"""Finds secrets by their context: key blocks, headers, connection strings.

All functions yield spans in order; ``low`` is the text in lower case, character for character.
"""

import re
from collections.abc import Iterator

from intaglio.redaction.entropy import is_placeholder, is_wordy, looks_like_password, looks_random
from intaglio.redaction.spans import MARK_START, Span

_NAME = r"(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?"
_BEGIN = re.compile(rf"-----BEGIN {_NAME}-----")
_END = re.compile(rf"-----END {_NAME}-----")
_BREAK = r"(?:\\r|\\n|[\s\"'+,>|])"
# Header fields of old PEM and PGP blocks, then lines of base64; the last may be short.
_BODY = re.compile(
    rf"{_BREAK}{{0,40}}+(?>(?:[A-Za-z-]{{3,20}}: [^\n\\]{{0,120}}+{_BREAK}{{1,20}}+){{0,6}})"
    rf"(?:[A-Za-z0-9+/]{{16,}}+={{0,2}}{_BREAK}{{0,40}}+)++"
    rf"(?:[A-Za-z0-9+/=]{{1,80}}+{_BREAK}{{0,40}}+(?=-----END|\Z))?"
)
_ROW = re.compile(r"[ \t>|]{0,8}+[A-Za-z0-9+/]{16,}+={0,2}[ \t\r]{0,8}+")

_PUTTY = re.compile(
    rf"Private-Lines: [0-9]{{1,4}}{_BREAK}{{1,8}}+"
    rf"(?P<s>(?:[A-Za-z0-9+/]{{16,}}+={{0,2}}{_BREAK}{{0,8}}+)++"
    rf"(?:[A-Za-z0-9+/]{{1,15}}={{0,2}}(?={_BREAK}{{1,12}}Private-MAC))?)"
)
_PUTTY_MAC = re.compile(r"Private-MAC: (?P<s>[0-9a-f]{40,64})\b")

_LOGIN = re.compile(
    r"://(?P<user>[^\s:/@?#\"'<>\\`]{0,128}+):(?P<s>[^\s\"'<>/\\`]{1,256})@(?!sha\d)(?=[\w.\[%$-])"
)
_TOKEN_LOGIN = re.compile(r"://(?P<s>[\w.~%+-]{16,256}+)@(?=[\w.\[%$-])")
_ORACLE = re.compile(r"jdbc:oracle:\w{1,8}:[\w$#]{1,64}+/(?P<s>[^\s@/\"']{3,64}+)@")
_OPTION = re.compile(
    r"-(?:(?P<user>(?<=[\s\"'(]-)u|-user)|-(?:basic|auth|creds))[ =]?['\"]?[\w.@%+-]{1,64}+:"
    r"(?P<s>[^\s\"']{6,128}+)"
)
# ``-u name:group`` and ``--user`` mean a login only to programs that speak HTTP and their kind.
_CLIENTS = re.compile(
    r"\b(?:curl|wget|https?|xh|aria2c|hurl|ab|hey|wrk|siege|axel|httpie|nats|rclone|mc|jf|jfrog|"
    r"invoke-webrequest|elasticsearch|kibana|lynx)\b"
)
_COMMAND_END = re.compile(r"(?<!\\)\n|&&| \| |; (?=[a-z]+ )")
_LINE_REACH = 400
_PHRASES = (
    (
        ("mnemonic", "seed", "recovery"),
        re.compile(
            r"(?:mnemonic|(?:seed|recovery)[ _-]?(?:phrase|words))[\"']?\s{0,3}(?:=|:|is)\s{0,3}"
            r"[\"']?(?P<s>(?:[a-z]{3,8}+ ){11,23}+[a-z]{3,8})\b"
        ),
    ),
    (
        ("pass",),
        re.compile(
            r"pass(?:word|wort|wd)?[\"']?\s{0,3}(?:=|:|is|ist)\s{0,3}[\"']?"
            r"(?P<s>[a-z]{4} [a-z]{4} [a-z]{4} [a-z]{4})\b"
        ),
    ),
)
_VOWELS = re.compile("[aeiouy]")
_GROUPS = 3
_HEADER = re.compile(
    r"(?P<head>authorization[\"'\])]{0,3}+[ \t]{0,4}+(?:=>|[:=,])[ \t]{0,4}+[\"'`]?"
    r"(?:[a-z][a-z0-9_-]{1,30}+(?:[ ]token=)?[ ])?|bearer)[ :=\"'`]{0,4}+"
    r"(?P<s>[a-z0-9._~+/=-]{8,4096}+)"
)
_PARAMETER = re.compile(
    r"\b(?:signature|response|oauth_token|oauth_signature|credential|mac|nonce|cnonce|apikey|"
    r"token)=\"?(?P<s>[a-z0-9%+/_=-]{16,512}+)"
)
_SIGNED = ("signature=", "response=", "oauth_", "mac=", "token=")
_SCHEME_LINE = 1_200
_COOKIE = re.compile(
    r"cookie[\"'\])]{0,3}+\s{0,4}+(?:=>|[:=,])\s{0,4}+[\"'`]?"
    r"(?P<s>(?:[\w.-]{1,64}+=[^\s;,\"'`]{0,4096}+(?:; ?)?)++)"
)
_PAIR_VALUE = re.compile(r"=([^;]*+)")
_MIN_BEARER = 16


def key_blocks(text: str) -> Iterator[Span]:
    """Find private key blocks from their first line on, complete or truncated."""
    done = 0
    for begin in _BEGIN.finditer(text):
        body = _BODY.match(text, begin.end()) if begin.start() >= done else None
        if body is None:
            continue
        closing = _END.match(text, body.end())
        done = (
            closing.end()
            if closing
            else begin.start() + len(text[begin.start() : body.end()].rstrip(" \t\r\n\"'+,>|"))
        )
        yield Span(begin.start(), done, "private-key")


def key_endings(text: str) -> Iterator[Span]:
    """Find the lines before a private key's last line if the first line was truncated."""
    done = 0
    for closing in _END.finditer(text):
        start = closing.start()
        while start > done:
            row = text.rfind("\n", done, start - 1) + 1 or done
            if not _ROW.fullmatch(text, row, start - (text[start - 1] == "\n")):
                break
            start = row
        if start < closing.start():
            yield Span(start, closing.end(), "private-key")
        done = closing.end()


def putty_keys(text: str) -> Iterator[Span]:
    """Find the private part of a PuTTY key file."""
    for match in _PUTTY.finditer(text):
        body = match["s"].rstrip(" \t\r\n\\\"'+,>|")
        yield Span(match.start("s"), match.start("s") + len(body), "private-key")
    for match in _PUTTY_MAC.finditer(text):
        yield Span(match.start("s"), match.end("s"), "private-key")


def logins(text: str, low: str) -> Iterator[Span]:
    """Find the password in ``scheme://user:password@host``."""
    if "://" in low:
        for match in _LOGIN.finditer(text):
            value = match["s"]
            if MARK_START not in value and not _stands_for(value) and value != match["user"]:
                yield Span(match.start("s"), match.end("s"), "password")


def user_tokens(text: str, low: str) -> Iterator[Span]:
    """Find the token in ``https://token@host``, and the password of an Oracle URL."""
    if "://" in low and "@" in low:
        for match in _TOKEN_LOGIN.finditer(text):
            if looks_random(match["s"]):
                yield Span(match.start("s"), match.end("s"), "authorization")
    if "jdbc:oracle" in low:
        for match in _ORACLE.finditer(text):
            if not is_placeholder(match["s"]):
                yield Span(match.start("s"), match.end("s"), "password")


def phrases(_: str, low: str) -> Iterator[Span]:
    """Find the words of a wallet's seed phrase, and application passwords in groups of four."""
    for names, regex in _PHRASES:
        if any(name in low for name in names):
            for match in regex.finditer(low):
                if not all(_VOWELS.search(word) for word in match["s"].split()[:4]) or (
                    match["s"].count(" ") > _GROUPS
                ):
                    yield Span(match.start("s"), match.end("s"), "password")


def options(text: str, low: str) -> Iterator[Span]:
    """Find the password in ``-u user:password``."""
    if "-u" in low or "--user" in low or "--auth" in low or "--creds" in low:
        for match in _OPTION.finditer(text):
            value = match["s"]
            if (
                MARK_START not in value
                and not value.isdigit()
                and looks_like_password(value)
                and (match["user"] is None or _CLIENTS.search(_command_line(low, match.start())))
            ):
                yield Span(match.start("s"), match.end("s"), "password")


def _command_line(low: str, end: int) -> str:
    """Return the command before a place; a backslash continues it on the next line."""
    before = low[max(0, end - _LINE_REACH) : end]
    return _COMMAND_END.split(before)[-1]


def headers(text: str, low: str) -> Iterator[Span]:
    """Find what follows ``Authorization:`` or ``Bearer``, and a scheme's signature."""
    if "authorization" not in low and "bearer" not in low:
        return
    done = 0
    for match in _HEADER.finditer(low):
        start, end = match.span("s")
        value = text[start:end]
        if start < done:
            continue
        if match["head"] == "bearer":
            real = len(value) >= _MIN_BEARER and looks_random(value)
        else:
            real = not is_placeholder(value) and not is_wordy(value)
        if real:
            yield Span(start, end, "authorization")
            done = end


def signatures(text: str, low: str) -> Iterator[Span]:
    """Find the secret parameters of an ``Authorization`` header: Digest, AWS4, OAuth, Hawk."""
    if "authorization" not in low or not any(name in low for name in _SIGNED):
        return
    at = 0
    while (head := low.find("authorization", at)) >= 0:
        stop = low.find("\n", head, head + _SCHEME_LINE)
        at = stop if stop >= 0 else min(len(low), head + _SCHEME_LINE)
        for match in _PARAMETER.finditer(low, head, at):
            value = text[match.start("s") : match.end("s")]
            if looks_random(value):
                yield Span(match.start("s"), match.end("s"), "authorization")


def cookies(text: str, low: str) -> Iterator[Span]:
    """Find the pairs of a ``Cookie`` or ``Set-Cookie`` header with random values."""
    if "cookie" not in low:
        return
    for match in _COOKIE.finditer(low):
        pairs = text[match.start("s") : match.end("s")]
        if any(looks_random(value) for value in _PAIR_VALUE.findall(pairs)):
            yield Span(match.start("s"), match.end("s"), "cookie")


def _stands_for(value: str) -> bool:
    return value[0] in "${<*" or is_placeholder(value)
