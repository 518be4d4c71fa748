"""Splits a statement into the tokens that frames are made of; takes linear time.

Names that code writes in one piece are split as prose would write them ("end-to-end",
"waitlist_autofill"), so that both spellings are the same tokens. East Asian characters are a token
each, as their words aren't separated.
"""

import re
from dataclasses import dataclass
from typing import Final

from intaglio.language.tokens import fold

_CJK: Final = r"\u3005\u3041-\u30ff\u3400-\u9fff"
_TOKEN: Final = re.compile(
    rf"https?://[^\s<>\"')\]]+|[{_CJK}]"
    r"|\d+(?:[.,:]\d+)*"
    r"|[A-Za-z](?:\+\+|[*#])(?=[\s,;.!?)\"'`:]|$)|[Ww]/(?:o\b)?"
    r"|[A-Za-z][\w]{0,8}[-_/](?=[\s,;.!?)\"'`]|$)"
    rf"|[#@~/.$*]{{0,3}}[^\W{_CJK}](?:[^\W{_CJK}]|[.+#/@'\u2019:-](?=[^\W{_CJK}]))*"
    r"|[%\u20ac$\u00a3\u00a5\u00b0+]|[.,;:!?()\u2014\u2013\u2026\u3001\uff0c\u3002\uff1b\uff1a\uff01\uff1f\n]"
)
_BREAKS: Final = frozenset(".,;:!?()\u2014\u2013\u2026\u3001\uff0c\u3002\uff1b\uff1a\uff01\uff1f\n")
_ENDS: Final = frozenset(".;!?\u3002\uff1b\uff01\uff1f\n")
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_NUMBER_AND_UNIT: Final = re.compile(r"(\d+(?:\.\d+)?)([A-Za-z\u00b5]{1,9})")
_IN_ONE_PIECE: Final = re.compile(r"[a-z]{2,12}(?:-[a-z]{2,12}){1,2}-?\d{1,2}[a-z]?")
_ROOTS: Final = ("/", "./", "../", "~/")
_EXTENSION: Final = re.compile(r"[\w-]\.[a-z]{1,5}\Z")
_SHORTEST: Final = 4
_SEPARATORS: Final = re.compile(r"[-_/]")
_SHORT_FOR: Final = {"w/": "with", "w/o": "without"}
_SIGNS: Final = frozenset({"++", "*", "#"})
_ELIDED: Final = frozenset({"d", "l", "n", "s", "c", "j", "m", "t", "qu", "jusqu", "lorsqu"})


@dataclass(frozen=True, slots=True)
class FrameToken:
    """A token: as written, folded, and whether it begins a sentence or only punctuates.

    ``ends`` is set for what ends a clause for certain; ``whole`` is a name that must not be split.
    """

    text: str
    form: str
    starts: bool = False
    breaks: bool = False
    ends: bool = False
    whole: bool = False


def split(text: str) -> tuple[FrameToken, ...]:
    """Return the tokens of a statement, in order."""
    found: list[FrameToken] = []
    starts = True
    for match in _TOKEN.finditer(text):
        written = match.group()
        if written in _BREAKS:
            found.append(FrameToken(written, written, breaks=True, ends=written in _ENDS))
            starts = written in _ENDS
            continue
        for part in _parts(written):
            whole = len(part) > 1 and not part.isalnum() and _is_whole(part)
            found.append(FrameToken(part, fold(part), starts=starts, whole=whole))
            starts = False
    return tuple(found)


def forms(phrase: str) -> tuple[str, ...]:
    """Return the folded tokens of a phrase of a list, as `split` finds them in a text."""
    plain = phrase.split()
    if phrase.isascii() and all(map(str.isalpha, plain)):
        return tuple(map(str.lower, plain))
    return tuple(token.form for token in split(phrase) if not token.breaks)


def _is_whole(part: str) -> bool:
    return (
        part.startswith(("http", "#", "@", "/", "~", "./"))
        or _IN_ONE_PIECE.fullmatch(part) is not None
        or "." in part
        or part[-1] in "-_/"
    )


def _parts(written: str) -> list[str]:
    if written.isalpha() or _NUMBER.fullmatch(written):
        return [written]
    if written.lower() in _SHORT_FOR or (len(written) > 1 and written[1:] in _SIGNS):
        return [_SHORT_FOR.get(written.lower(), written)]
    plain = written.replace("\u2019", "'")
    if plain.startswith("http") or (plain[0] in "#@" and len(plain) > 1):
        return [plain.rstrip(".,:;")]
    if "/" in plain and (plain.startswith(_ROOTS) or _EXTENSION.search(plain)):
        return [plain.rstrip(".")]
    if (plain[-1] in "-_/" and len(plain) > 1) or _IN_ONE_PIECE.fullmatch(plain):
        return [plain]
    plain = plain.lstrip("~*.$") or plain
    if "'" in plain:
        plain = _without_clitic(plain)
    found: list[str] = []
    for part in _SEPARATORS.split(plain.replace("'", "_") if _has_elision(plain) else plain):
        number = _NUMBER_AND_UNIT.fullmatch(part)
        found += number.groups() if number else ([part] if part else [])
    return found


def _has_elision(word: str) -> bool:
    return "'" in word and word.partition("'")[0].lower() in _ELIDED


def _without_clitic(word: str) -> str:
    """Return "shop" for "shop's"; "don't" and "l'api" stay."""
    lower = word.lower()
    return word[:-2] if lower.endswith("'s") and len(word) >= _SHORTEST else word
