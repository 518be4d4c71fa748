"""Splits a user's message into sentences, dropping code, quotes, logs and tags."""

import re
from dataclasses import dataclass

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})")
_TAGGED = re.compile(r"<([a-z][a-z0-9]*(?:[-_][a-z0-9-_]+)|details|pre|code)\b[^<>]*>")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6}|\[[ xX]\])\s+")
_LOG = re.compile(
    r"^\s*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|"
    r"FATAL)\b|at \S+[(:]|File \"|Traceback|[$#>%\u276f] \S|[+-]{3} |@@ |\||"
    r"\w+(?:Error|Exception):|"
    r"(?:error|warning|note|npm ERR!)(?:\[\w+\])?:)"
)
_CODE_LINE = re.compile(
    r"[;{}]\s*$|^\s*(?:def|class|import|from|const|let|var|function|return)\b.*[=(:]"
)
_HIDDEN = re.compile(
    r"`+[^`\n]*`+|https?://\S+|\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”|„[^“”\n]{0,300}[“”]|«[^»\n]{0,300}»"
    r"|(?<!\w)'[^'\n]{2,300}'(?!\w)"
)
_END = re.compile(r"[.!?…]+[\"'”)\]]*(?=\s|$)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|approx|cf|resp|incl|excl|no|fig|dr|mr|mrs|ms|st|z\.b|d\.h|u\.a|bzw|"
    r"ca|evtl|ggf|usw)|\b[a-zA-Z])\.$",
    re.IGNORECASE,
)
_WRAPPED = 60
_COVER = "\x01"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as written; in ``bare``, code, links and quotations are blanked out.

    ``number`` is its index in the message, from 0, and stable for the same text.
    """

    number: int
    text: str
    bare: str


def sentences(message: str) -> list[Sentence]:
    """Return the sentences in the user's own words."""
    found: list[Sentence] = []
    for paragraph in _paragraphs(_without_tags(message)):
        hidden = _HIDDEN.sub(lambda match: _COVER * len(match.group()), paragraph)
        start = 0
        for end in [*_ends(hidden), len(hidden)]:
            text = paragraph[start:end].strip()
            if text:
                bare = hidden[start:end].strip().replace(_COVER, " ")
                found.append(Sentence(len(found), text, " ".join(bare.split())))
            start = end
    return found


def _ends(text: str) -> list[int]:
    return [
        match.end()
        for match in _END.finditer(text)
        if not _ABBREVIATION.search(text, max(0, match.end() - 8), match.end())
    ]


def _without_tags(message: str) -> str:
    """Remove content between tags such as ``<system-reminder>``, which no person wrote."""
    kept: list[str] = []
    at = 0
    for opening in _TAGGED.finditer(message):
        if opening.start() < at:
            continue
        closing = message.find(f"</{opening[1]}>", opening.end())
        if closing < 0:
            continue
        kept.append(message[at : opening.start()])
        at = closing + len(opening[1]) + 3
    return "\n".join((*kept, message[at:]))


def _paragraphs(message: str) -> list[str]:
    """Join wrapped lines to paragraphs; list items stay separate."""
    found: list[str] = []
    fence = ""
    joinable = False
    for line in message.replace("\r\n", "\n").split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and line.strip() == mark[1]:
                fence = ""
            continue
        if mark:
            fence, joinable = mark[1], False
            continue
        if _is_foreign(line):
            joinable = False
            continue
        item = _ITEM.match(line)
        text = line[item.end() :].strip() if item else line.strip()
        if joinable and not item:
            found[-1] = f"{found[-1]} {text}"
        else:
            found.append(text)
        # A long line without a sentence end was wrapped; a short one ended deliberately.
        joinable = len(line) >= _WRAPPED and not _END.search(text[-3:])
    return found


def _is_foreign(line: str) -> bool:
    """Whether the line is empty, quoted, indented, log output or code."""
    bare = line.strip()
    return (
        not bare
        or bare.startswith(">")
        or (line.startswith(("    ", "\t")) and not _ITEM.match(line))
        or bool(_LOG.match(line))
        or bool(_CODE_LINE.search(line))
    )
