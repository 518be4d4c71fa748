"""The block that Intaglio keeps in a file of instructions; everything outside of it is the user's.

The block stands between two comments. The first has a digest of what was written, by which an edit
of the block is recognised from the file alone, and says whether the file was created for it::

    <!-- INTAGLIO:START 1f3a5b7c9d2e4f60 new-file -->
    <!-- INTAGLIO:FILE AGENTS.md -->
    the text of that file of the workspace
    <!-- INTAGLIO:END -->

Pure: from bytes to bytes. The line end after the last comment belongs to the block, so that taking
the block out restores the file byte for byte.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

BOM: Final = b"\xef\xbb\xbf"
_DIGEST_CHARS: Final = 16
_NEW_FILE: Final = "new-file"
_PREFIX: Final = b"<!-- INTAGLIO:"
_SUFFIX: Final = b"-->"
_END_LINE: Final = "<!-- INTAGLIO:END -->"
_FILE_START: Final = "<!-- INTAGLIO:FILE "
_FILE_END: Final = " -->"
# A text that quotes these comments gets a backslash in each, which is taken out again.
_QUOTED: Final = re.compile(r"INTAGLIO(\\*+):")
_Marker: TypeAlias = Literal["START", "END"]


@dataclass(frozen=True, slots=True)
class BlockSection:
    """The text of one file in a block: lines end with a line feed, but for the last.

    ``file`` is relative to the workspace; empty for text that stands before the first file's.
    """

    file: str
    text: str


@dataclass(frozen=True, slots=True)
class ManagedBlock:
    """A block in a file: ``body`` is what stands between its comments, with line feeds.

    ``spans`` are where it is, from its first byte to behind its last; more than one if there are
    copies of it. ``digest`` is what its first comment says of what was written.
    """

    body: str
    digest: str
    is_new_file: bool
    spans: tuple[tuple[int, int], ...]

    @property
    def is_edited(self) -> bool:
        """Whether somebody else has changed it since it was written."""
        return digest_of(self.body) != self.digest


@dataclass(frozen=True, slots=True)
class NoBlock:
    """The file has no block."""


@dataclass(frozen=True, slots=True)
class BrokenBlock:
    """The comments don't make one block; ``line`` is the first that doesn't fit, from 1."""

    line: int
    reason: str


FoundBlock: TypeAlias = ManagedBlock | NoBlock | BrokenBlock


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    start: int
    end: int
    marker: _Marker
    words: tuple[str, ...]


def digest_of(body: str) -> str:
    """Return the digest of a block's body."""
    encoded = body.encode("utf-8", "surrogateescape")
    return hashlib.sha256(encoded).hexdigest()[:_DIGEST_CHARS]


def find_block(content: bytes) -> FoundBlock:
    """Find the block of a file."""
    lines = _markers(content)
    if not lines:
        return NoBlock()
    blocks: list[ManagedBlock] = []
    for first, last in zip(lines[::2], [*lines[1::2], None], strict=False):
        if first.marker == "END":
            return BrokenBlock(first.number, "an end without a start")
        if last is None or last.marker == "START":
            return BrokenBlock(first.number, "a start without an end")
        body = content[first.end : last.start].decode("utf-8", "surrogateescape")
        blocks.append(
            ManagedBlock(
                body=_with_line_feeds(body),
                digest=first.words[0] if first.words else "",
                is_new_file=_NEW_FILE in first.words,
                spans=((first.start, last.end),),
            )
        )
    one, *copies = blocks
    for number, each in enumerate(copies, 1):
        if each.body != one.body or each.is_edited:
            return BrokenBlock(lines[2 * number].number, "a second block that differs")
    spans = tuple(span for each in blocks for span in each.spans)
    return ManagedBlock(one.body, one.digest, any(each.is_new_file for each in blocks), spans)


def _markers(content: bytes) -> list[_Line]:
    found: list[_Line] = []
    start = len(BOM) if content.startswith(BOM) else 0
    for number, line in enumerate(content[start:].splitlines(keepends=True), 1):
        end, text = start + len(line), line.strip()
        if text.startswith(_PREFIX) and text.endswith(_SUFFIX):
            inside = text[len(_PREFIX) : -len(_SUFFIX)].decode("utf-8", "replace").split()
            match inside:
                case ["START", *words]:
                    found.append(_Line(number, start, end, "START", tuple(words)))
                case ["END", *_]:
                    found.append(_Line(number, start, end, "END", ()))
                case _:
                    pass
        start = end
    return found


def put_block(content: bytes | None, body: str, *, digest: str | None = None) -> bytes:
    """Write a block's body: in place of the block, or as the first lines of the file.

    ``content`` is None where there is no file. With ``digest``, the block counts as edited since
    what had that digest was written. Raises ValueError for a file whose block is broken.
    """
    before = content or b""
    found = find_block(before)
    is_new_file = found.is_new_file if isinstance(found, ManagedBlock) else content is None
    line_end = _line_end(before)
    words = [digest_of(body) if digest is None else digest, *([_NEW_FILE] if is_new_file else [])]
    text = f"<!-- INTAGLIO:START {' '.join(words)} -->\n{body}{_END_LINE}"
    block = text.encode("utf-8", "surrogateescape").replace(b"\n", line_end)
    match found:
        case NoBlock():
            start = len(BOM) if before.startswith(BOM) else 0
            return before[:start] + block + line_end + before[start:]
        case ManagedBlock(spans=[(start, end), *_]):
            last = before[start:end]
            kept_end = line_end if last.endswith((b"\n", b"\r")) else b""
            return _without(before, found.spans, block + kept_end)
        case _:
            raise ValueError("the file's block is broken")


def strip_block(content: bytes) -> bytes:
    """Return a file without its block; as it is if that is broken or missing."""
    found = find_block(content)
    return _without(content, found.spans, b"") if isinstance(found, ManagedBlock) else content


def is_blank(content: bytes) -> bool:
    """Whether nothing is left of a file that was created for the block."""
    return content in {b"", BOM}


def _without(content: bytes, spans: Sequence[tuple[int, int]], first: bytes) -> bytes:
    """Replace the first span, and take out the others."""
    parts: list[bytes] = []
    at = 0
    for number, (start, end) in enumerate(spans):
        parts += [content[at:start], b"" if number else first]
        at = end
    return b"".join([*parts, content[at:]])


def _line_end(content: bytes) -> bytes:
    at = content.find(b"\n")
    if at < 0:
        return b"\r" if b"\r" in content else b"\n"
    return b"\r\n" if content[at - 1 : at] == b"\r" else b"\n"


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def section_text(content: str) -> str:
    """Return a file's text as it stands in a section."""
    return _with_line_feeds(content.removeprefix("\ufeff")).rstrip("\n")


def body_of(sections: Iterable[BlockSection]) -> str:
    """Return the body of a block with these sections; empty without any."""
    return "".join(
        f"{_FILE_START}{each.file}{_FILE_END}\n{_quote(each.text)}\n" for each in sections
    )


def sections_of(body: str) -> tuple[BlockSection, ...]:
    """Return the sections of a block's body; the other way round than `body_of`."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in body.split("\n"):
        stripped = line.strip()
        if stripped.startswith(_FILE_START) and stripped.endswith(_FILE_END):
            found.append((stripped[len(_FILE_START) : -len(_FILE_END)].strip(), []))
        else:
            found[-1][1].append(line)
    # What follows the last line feed is no line.
    if not found[-1][1][-1:] or found[-1][1][-1] == "":
        del found[-1][1][-1:]
    head, *rest = found
    sections = [BlockSection(file, _unquote("\n".join(lines))) for file, lines in rest]
    return (
        (BlockSection("", _unquote("\n".join(head[1]))), *sections) if head[1] else tuple(sections)
    )


def _quote(text: str) -> str:
    return _QUOTED.sub(r"INTAGLIO\1\\:", text)


def _unquote(text: str) -> str:
    return _QUOTED.sub(lambda found: f"INTAGLIO{found[1][:-1]}:", text)
