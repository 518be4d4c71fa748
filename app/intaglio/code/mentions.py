"""Finds which files and which symbols of code a memory names; pure."""

import re
from dataclasses import dataclass
from typing import Final

_MAX_CHARS: Final = 8_000
_MOST: Final = 40
_TICKED: Final = re.compile(r"`([^`\n]{1,200}+)`")
_PATH: Final = re.compile(
    r"(?<![\w/.@-])[\w@.+-]{0,100}+(?:/[\w@.+-]{1,100}+){1,30}|[\w@+-]{1,100}+(?:\.[\w+-]{1,20}+){1,4}"
)
_SYMBOL: Final = re.compile(
    r"(?<![\w$/])[A-Za-z_$][\w$]{1,100}+(?:(?:::|->|[.#])[A-Za-z_$][\w$]{0,100}+){0,6}(\(\))?"
)
_SNAKE_OR_CAMEL: Final = re.compile(r"\w_\w|[a-z0-9][A-Z]")
_QUALIFIED: Final = re.compile(r"::|->|\w[.#]\w")


@dataclass(frozen=True, slots=True)
class NamedInCode:
    """What a text may name: paths or names of files, and symbols in the form of code."""

    paths: tuple[str, ...]
    symbols: tuple[str, ...]


def named_in_code(text: str) -> NamedInCode:
    """Return what a text may name, each once, in order; whether it exists isn't known."""
    text = text[:_MAX_CHARS]
    ticked = _TICKED.findall(text)
    paths: dict[str, None] = {}
    symbols: dict[str, None] = {}
    for each in ticked:
        if " " not in each:
            paths[each] = None
        for match in _SYMBOL.finditer(each):
            symbols[_plain(match)] = None
    for match in _PATH.finditer(text):
        paths[match.group().rstrip(".")] = None
    for match in _SYMBOL.finditer(text):
        if match.group(1) or _is_code(match.group()):
            symbols[_plain(match)] = None
    return NamedInCode(tuple(paths)[:_MOST], tuple(symbols)[:_MOST])


def _plain(match: re.Match[str]) -> str:
    return match.group().removesuffix("()")


def _is_code(word: str) -> bool:
    return bool(_SNAKE_OR_CAMEL.search(word) or _QUALIFIED.search(word))
