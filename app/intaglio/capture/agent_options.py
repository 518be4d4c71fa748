"""Reads the options that an agent's message enumerates; pure, in linear time."""

import re
from typing import Final

from intaglio.capture.reply_openings import OptionLabel, label_number

MAX_OPTION_CHARS: Final = 320
_MAX_OPTIONS: Final = 9
_OPENS_OPTION: Final = re.compile(r"^(?:or|oder|ou|o)\s", re.IGNORECASE)
_ITEM: Final = re.compile(
    r"(?:(?<=\n)|(?<=\s)|^)(?:[-*•]\s{1,3})?"
    r"(?P<named>(?:option|approach|solution|variante?|alternative|plan|opción|方案|选项)\s?)?"
    r"(?P<open>\()?(?P<label>\d{1,2}|[A-H]|[一二三四五])(?P<end>[.):：、]|\s[–—-]\s)(?!\d)(?=\s?\S)",
    re.IGNORECASE,
)
# What follows the options in the same line.
_AFTER_OPTIONS: Final = re.compile(
    r"(?<=[.!?)\w])\s+(?=(?i:which|what|would you|do you|should|shall|please|let me know|tell me|"
    r"once you|your preference|my recommendation|i recommend|i'd|the first|the second)\b)"
    r"|(?<=[.!?])\s+(?=[A-Z])"
)


def option_text(said: str, label: OptionLabel) -> str:
    """Return the text of the option of that number; empty if there is none."""
    kind, options = _options(said)
    is_other = bool(label.kind) and kind != label.kind
    return "" if is_other or not 0 <= label.number < len(options) else options[label.number]


def _options(said: str) -> tuple[str, list[str]]:
    """Return the texts of the last enumeration, in order, and what labels them."""
    group: list[re.Match[str]] = []
    last: list[re.Match[str]] = []
    kind, last_kind = "", ""
    for item in _ITEM.finditer(said):
        label = item["label"]
        if label.islower() and not item["named"] and not _begins_line(said, item):
            continue
        number = label_number(label)
        same = label.isdigit() == (kind == "number")
        if group and same and number == len(group):
            group.append(item)
        elif number == 0:
            group, kind = [item], "number" if label.isdigit() else "letter"
        else:
            continue
        if len(group) > 1:
            last, last_kind = group, kind
    if not 1 < len(last) <= _MAX_OPTIONS:
        return "", []
    ends = [*(item.start() for item in last[1:]), len(said)]
    texts = [_first_line(said[item.end() : end]) for item, end in zip(last, ends, strict=True)]
    return last_kind, texts


def _begins_line(said: str, item: re.Match[str]) -> bool:
    """Whether it is "(a)" at a line's start; within a sentence it refers to an option."""
    is_bracketed = item["open"] is not None and item["end"] == ")"
    return is_bracketed and (item.start() == 0 or said[item.start() - 1] == "\n")


def _first_line(text: str) -> str:
    line = text.strip().split("\n", 1)[0]
    cut = _AFTER_OPTIONS.search(line)
    line = line[: cut.start()] if cut else line
    line = _OPENS_OPTION.sub("", line.strip(" \t-*•"))
    return line.rstrip(" \t,;:?？(")[:MAX_OPTION_CHARS]
