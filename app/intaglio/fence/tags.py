"""Tags by which text speaks as someone else: as the system, the harness, a tool or the fence."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

from intaglio.fence.lookalikes import OPENERS, QUOTES, read
from intaglio.fence.marks import OWN_TAGS

GENERAL_TAGS: Final = (
    # Roles and their instructions
    *("system", "system-reminder", "system-message", "system-prompt", "system-note"),
    *("system-instruction", "system-info", "system-warning", "sys"),
    *("assistant", "assistant-message", "assistant-response", "human", "developer-message"),
    *("user-message", "user-query", "user-request", "user-info", "user-rules", "user-input"),
    *("user-shell-command", "user-prompt-*"),
    *("instructions", "permissions-instructions", "*-instruction"),
    # Tool calls and their results
    *("function-call", "function-result", "function-response", "tool-call", "tool-result"),
    *("tool-use", "tool-response", "tool-output", "tool-code", "invoke", "parameter", "antml:*"),
    # What a model thinks
    *("thinking", "think", "reasoning", "scratchpad"),
    # Context, events and memories
    *("*-context", "*-reminder", "*-notification", "*-caveat", "turn-aborted"),
    *("collaboration-mode", "environment-details", "additional-data", "additional-metadata"),
    *("ephemeral-message", "attached-files", "memories", "relevant-memories", "memory-block"),
    # Turns of chat templates
    *("start-of-turn", "end-of-turn", "bos", "eos"),
)
"""Tags of agent programs and models in general; what one harness adds is declared with it.

Case doesn't matter, ``-`` stands for any separator or none, ``*`` for one or more words. A name of
several words counts in the plural too.
"""

_OPENERS: Final = r"(?:<|&(?:\#0{0,6}60|\#x0{0,6}3c|lt);?|\\u003c|\\u\{0{0,4}3c\}|\\x3c|%3c)"
_GAP: Final = r"(?P<gap>[\s\x00/\\!?]{0,60})"
_PREFIX: Final = r"(?:[a-z][\w.]{0,20}:)?"
# A single word is a tag only if it ends like one: "a < human error" compares.
_END: Final = r"(?=[\s/\\?!]{0,8}(?:[<>]|$)|\s{1,8}[\w:.-]{1,40}\s{0,4}=)"
# "<user>" alone is a placeholder as a rule; with its end it is a role.
_ROLE: Final = rf"(?:(?<=[/\\])user{_END}|user\b(?!-)(?=[^<]{{0,1000}}<\s?/\s?user))"
_WORDS: Final = r"[a-z0-9]{1,24}"
# Special tokens of chat templates: <|im_start|>, [INST].
_TURN: Final = r"(?P<token><)\|[^\s<>|]{1,40}\|>"
_BRACKET: Final = (
    r"(?P<bracket>\[)(?=/?(?-i:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])"
)
# What a match begins with, fullwidth forms included: most texts have none of it.
_SUSPECT = re.compile(rf"[<&\\%{OPENERS}\uff06\uff3b\uff3c\uff05\ufe60\ufe68\ufe6a]")
_SUSPECT_BRACKET = re.compile(r"\[/?[A-Z]")


class TagFilter:
    """Finds the tags that have a meaning, however they are spelled, and takes it from them."""

    def __init__(self, tags: Iterable[str]) -> None:
        self._pattern = _compiled(tuple(dict.fromkeys(tag.lower() for tag in tags)))

    def neutralise(self, text: str) -> str:
        """Write ``&lt;`` for the bracket of each such tag; everything else stays unchanged."""
        if not _SUSPECT.search(text) and not _SUSPECT_BRACKET.search(text):
            return text
        seen = read(text)
        pieces: list[str] = []
        position = 0
        for found in self._pattern.finditer(seen.text):
            kind = _kind(found)
            start, end = seen.span(found.start(kind), found.end(kind), len(text))
            if kind == "open" and _is_harmless(seen.text, found, text[start]):
                continue
            pieces += (text[position:start], "&#91;" if kind == "bracket" else "&lt;")
            position = end
        return "".join((*pieces, text[position:])) if pieces else text


def _kind(found: re.Match[str]) -> Literal["token", "bracket", "open"]:
    if found["token"]:
        return "token"
    return "bracket" if found["bracket"] else "open"


def _is_harmless(text: str, found: re.Match[str], opener: str) -> bool:
    """Whether this is a type's parameter (``List<ToolCall>``) or a quoted word."""
    before = text[found.start() - 1 : found.start()] if found.start() else ""
    name = found["name"]
    if opener in QUOTES and not re.search(r"[\s_:-]", name):
        return True
    camel_case = name.isalnum() and name[0].isupper() and not name.isupper()
    return camel_case and opener == "<" and not found["gap"] and before.isalnum()


@lru_cache(maxsize=8)
def _compiled(tags: tuple[str, ...]) -> re.Pattern[str]:
    own = "|".join(_spelled(tag) for tag in OWN_TAGS)
    many = "|".join(_spelled(tag) for tag in tags if _has_parts(tag))
    single = "|".join(re.escape(tag) for tag in tags if not _has_parts(tag))
    names = [
        own,
        rf"(?:{many})s?(?![a-z0-9])" if many else "",
        rf"(?:{single}){_END}" if single else "",
        _ROLE,
    ]
    name = "|".join(filter(None, names))
    opened = rf"(?P<open>{_OPENERS})(?={_GAP}{_PREFIX}(?P<name>{name}))"
    return re.compile(f"{_TURN}|{_BRACKET}|{opened}", re.IGNORECASE)


def _has_parts(tag: str) -> bool:
    return bool(re.search(r"[-_:*]", tag))


def _spelled(tag: str) -> str:
    """Return the pattern of a name of several words."""
    if tag.startswith("*-"):
        return rf"(?:{_WORDS}[_-]){{1,4}}{_spelled(tag[2:])}"
    if tag.endswith("-*"):
        return rf"{_spelled(tag[:-2])}[_-]{_WORDS}"
    if tag.endswith(":*"):
        return rf"{_spelled(tag[:-2])}:{_WORDS}"
    return r"[\s_.:-]{0,3}".join(re.escape(word) for word in re.split("[-_]", tag))
