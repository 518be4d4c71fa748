"""The headings, bullets and paragraphs of a text in Markdown; pure.

Code, comments, struck-out text, quotations and tables are left out: nobody states anything there.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

# No statement is longer, and each is matched with patterns.
_MAX_LINE_CHARS: Final = 1_000
_MAX_BLOCK_CHARS: Final = 2_000
_MAX_FRONT_LINES: Final = 100

_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_CODE: Final = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1[^\n]*$|\Z)", re.DOTALL | re.MULTILINE)
_STRUCK: Final = re.compile(r"~~(?:[^~\n]|~(?!~))+~~")
_LINK: Final = re.compile(r"\[([^\]\n]{0,200})\]\([^)\n]{0,500}\)")
_MARK: Final = re.compile(r"`(?P<code>[^`\n]{1,300})`|\*\*|(?<!\w)__|__(?!\w)|`")
_HEADING: Final = re.compile(r" {0,3}(?P<marks>#{1,6})\s(?P<text>.*)")
_BULLET: Final = re.compile(
    r"\s*(?:[-*+]|(?P<number>\d{1,3}[.)]))\s+(?P<box>\[[ xX]\]\s+)?(?P<text>.*)"
)
_LABEL: Final = re.compile(r"\*\*[^*\n]{1,80}(?::\*\*|\*\*\s?:)")
_INDENTED: Final = re.compile(r"(?: {4}|\t)\s*\S")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|(?<=[\u3002\uff01\uff1f])")


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """A heading, a bullet or a paragraph; ``level`` is that of the heading, else 0.

    ``indent`` is a bullet's in characters, else -1. ``is_task`` is a bullet with an empty box,
    ``is_numbered`` one of an ordered list.
    """

    text: str
    level: int = 0
    indent: int = -1
    is_task: bool = False
    is_numbered: bool = False

    @property
    def is_bullet(self) -> bool:
        """Whether it is an entry of a list."""
        return self.indent >= 0


def markdown_blocks(text: str) -> Iterator[MarkdownBlock]:
    """Yield the blocks of a text in order, with their markup inside."""
    text = split_front_matter(text)[1]
    lines = _STRUCK.sub("", _CODE.sub("", _COMMENT.sub("", text))).splitlines()
    return _joined(line[:_MAX_LINE_CHARS] for line in lines)


def split_front_matter(text: str) -> tuple[str, str]:
    """Split a text into the keys between ``---`` at its beginning, and the rest."""
    head, mark, rest = text.lstrip("\ufeff").partition("\n")
    if not mark or head.rstrip() != "---":
        return "", text
    keys: list[str] = []
    for number, line in enumerate(rest.splitlines(keepends=True)):
        if line.rstrip() == "---":
            return "".join(keys), rest[sum(map(len, keys)) + len(line) :]
        if number >= _MAX_FRONT_LINES:
            break
        keys.append(line)
    return "", text


def plain_markdown(text: str) -> str:
    """Return a block's text without emphasis, code marks and the addresses of links."""
    return _MARK.sub(lambda mark: mark["code"] or "", _LINK.sub(r"\1", text)).strip()


def markdown_sentences(text: str) -> list[str]:
    """Return the sentences of a block's text."""
    return [part for part in _SENTENCE_END.split(text) if part.strip()]


def _joined(lines: Iterable[str]) -> Iterator[MarkdownBlock]:
    """Join the lines of each bullet and paragraph; quotations, tables and code are left out.

    A line of a paragraph that begins with a label in bold is one of its own.
    """
    current: MarkdownBlock | None = None
    in_list = False
    for line in (*lines, ""):
        if (heading := _HEADING.match(line)) or not line.strip() or line.lstrip()[0] in ">|":
            if current:
                yield current
            current = _heading(heading) if heading else None
            if current:
                yield current
                current, in_list = None, False
        elif bullet := _BULLET.match(line):
            if current:
                yield current
            indent = len(line) - len(line.lstrip())
            current, in_list = (
                MarkdownBlock(
                    bullet["text"].strip(),
                    indent=indent,
                    is_task=(bullet["box"] or "").startswith("[ "),
                    is_numbered=bullet["number"] is not None,
                ),
                True,
            )
        elif current and (current.is_bullet or not _LABEL.match(line)):
            joined = f"{current.text} {line.strip()}"
            current = replace(current, text=joined[:_MAX_BLOCK_CHARS])
        elif in_list or not _INDENTED.match(line):
            if current:
                yield current
            current, in_list = MarkdownBlock(line.strip()), in_list and line[0].isspace()


def _heading(found: re.Match[str]) -> MarkdownBlock:
    text = found["text"].strip().rstrip("#").rstrip()
    return MarkdownBlock(text, len(found["marks"]))
