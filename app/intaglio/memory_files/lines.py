"""Reads the statements of a memory file: each becomes a memory of its own; pure.

A statement is a bullet or a paragraph, or some sentences of a long one. What it needs to be
understood stands before it: the words of the heading or of the introduction above it. What is no
statement is left out: code, tables, quotations, links to other files, open tasks, questions, and
what stands below headings such as "Changelog" or "Next steps".
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Final
from unicodedata import east_asian_width

from intaglio.base.text import clip, normal_form, scrub, storage_form
from intaglio.fence.marks import strip_injected
from intaglio.language.markdown import (
    MarkdownBlock,
    markdown_blocks,
    markdown_sentences,
    plain_markdown,
    split_front_matter,
)
from intaglio.language.topics import topic_words
from intaglio.memory_files.values import FileLine
from intaglio.redaction.redact import clean

MAX_LINES: Final = 500
"""The most statements that are read in a file."""

_MAX_CHARS: Final = 600
_PART_CHARS: Final = 320
_LABEL_CHARS: Final = 80
_STEP_CHARS: Final = 120
_MIN_WORDS: Final = 3
_MIN_WIDE: Final = 6
_ID_DIGITS: Final = 32
# Sync and other programs write these into files; the dates of dated notes are no statement.
_MANAGED: Final = re.compile(
    r"<!-- *(?P<owner>INTAGLIO|SIGNET):START\b.*?(?:<!-- *(?P=owner):END *-->|\Z)", re.DOTALL
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_CODE_SPAN: Final = re.compile(r"`[^`\n]{0,300}`")
_INDEX_LINK: Final = re.compile(r"\W{0,4}\[[^\]\n]{0,200}\]\([^)\s]{0,300}\.md")
_MARKUP_ONLY: Final = re.compile(r"[\W_]*|</?\w[^>]{0,300}>.*", re.DOTALL)
_NUMBER: Final = re.compile(r"\d{1,3}[.)]\s+")
_SPACED: Final = re.compile(r"[-_]+")
_NAME: Final = re.compile(r"^name: *(?P<name>[^\n]{1,100})", re.MULTILINE)
_QUESTION: Final = re.compile(r"[?\uff1f][\s\"')*_]{0,4}$")
_PLACEHOLDER: Final = re.compile(
    r"\b(?:todo|tbd|lorem ipsum)\b|\[(?!Task\b|redacted)\w[^\]\n]{0,80}\]|"
    r"^[<({][^)}>]{0,200}[)}>]$|^@\S+$",
    re.IGNORECASE,
)
_ONLY_SECRET: Final = re.compile(r"[^\[\]]{0,200}\[redacted[^\]]{0,40}\]\W*")
_FRAGMENT: Final = re.compile(r"[a-z]+ ")
_ANNOUNCES: Final = re.compile(
    r"^(?:this (?:file|document|section|page|folder|guide|index|log)\b|last (?:updated|modified)\b|"
    r"(?:see|read|refer to|check|browse|visit)(?: also| more)?:? |"
    r"(?:updated|created|version|date|author|status|scope|applies_to):)",
    re.IGNORECASE,
)
_PASSING: Final = re.compile(
    r"\b(?:todos?|to do|ideas|open (?:questions|items|points)|next (?:steps?|actions?)|"
    r"in progress|in flight|upcoming|backlog|roadmap|change ?logs?|history|"
    r"(?:session|work|activity) logs?|log entries|examples?|templates?|deprecated|obsolete|"
    r"outdated|archived?|rejected|alternatives considered|table of contents|contents|index|"
    r"references|related|see also|(?:quick )?links|how to use|format|instructions for \w+|"
    r"current (?:focus|task|status)|rollout_summary_files|keywords|recent changes|progress|"
    r"status|milestones?|completed?|done|what works|what's left|what went (?:well|wrong))\b",
    re.IGNORECASE,
)
_DATED: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_GENERAL: Final = re.compile(
    r"\b(?:the|a|an|and|of|for|my|our|this|project|repo|repository|agent|assistant|"
    r"memory|memories|notes?|overview|summary|general|misc|miscellaneous|facts?|key|important|"
    r"context|background|about|details?|introduction|information|info|knowledge|persistent|long|"
    r"term|auto|learned|reusable|task|group|things|points?|md|bank|file|quick|reference|core|"
    r"main)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Trail:
    """The headings and introductions above a block."""

    headings: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    labels: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    def heading(self, level: int, text: str) -> None:
        self.headings = [each for each in self.headings if each[0] < level]
        self.headings.append((level, text))
        self.labels = []

    def enter(self, block: MarkdownBlock) -> None:
        """Leave the introductions that a block doesn't stand below."""
        if block.is_bullet:
            self.labels = [each for each in self.labels if each[0] < block.indent]
        else:
            self.labels = []

    @property
    def is_passing(self) -> bool:
        """Whether what stands here is a plan, a log, or an example.

        The title of a file says what it is about as a whole: "Progress" there is its subject.
        """
        texts = [text for _, text in (*self.headings[1:], *self.labels)]
        first = self.headings[0] if self.headings else (0, "")
        if first[0] > 1 or (first[0] == 1 and len(self.headings) == 1):
            texts.append(first[1])
        return any(_PASSING.search(text) or _DATED.search(text) for text in texts)

    @property
    def path(self) -> str:
        """All of them, for the id of a statement."""
        return " / ".join(text for _, text in (*self.headings, *self.labels))

    @property
    def context(self) -> str:
        """What a statement here needs before it: the nearest introduction, or telling heading."""
        told = [text for _, text in self.headings if _is_telling(text)]
        labels = [text.rstrip(": \uff1a") for _, text in self.labels]
        return ": ".join(clip(text, _LABEL_CHARS) for text in (*told[-1:], *labels[-1:]))


def stated_lines(text: str, scope: str = "") -> list[FileLine]:
    """Return the statements of a file, each once; ``scope`` tells those of two projects apart."""
    text = strip_injected(_MANAGED.sub("", scrub(text)))
    found: dict[str, FileLine] = {}
    for context, path, statement in islice(_statements(text), MAX_LINES):
        # Once more: a name and its secret stood apart between their marks.
        content = clean(_in_context(context, statement))
        if _ONLY_SECRET.fullmatch(content):
            continue
        digest = hashlib.sha256(f"{scope}\n{path}\n{normal_form(content)}".encode())
        found.setdefault(normal_form(content), FileLine(digest.hexdigest()[:_ID_DIGITS], content))
    return list(found.values())


def top_sections(text: str) -> list[str]:
    """Split a file at its headings of the first level."""
    starts = [found.start() for found in re.finditer(r"^# ", text, re.MULTILINE)]
    return [text[start:end] for start, end in pairwise([*starts, len(text)])]


def _statements(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each statement with its context and the path of its headings."""
    blocks = list(_with_steps_joined(markdown_blocks(text)))
    trail = _Trail()
    name = _NAME.search(split_front_matter(text)[0])
    if name is not None:
        trail.heading(0, _SPACED.sub(" ", name["name"]).strip(" \"'"))
    for number, block in enumerate(blocks):
        plain = storage_form(plain_markdown(block.text))
        if block.level:
            trail.heading(block.level, _NUMBER.sub("", plain, count=1))
            continue
        trail.enter(block)
        if _is_label(blocks, number, plain):
            trail.labels.append((block.indent, plain))
            continue
        goes_on = number > 0 and blocks[number - 1].is_bullet and not block.is_bullet
        if goes_on and _FRAGMENT.match(plain):
            continue
        if block.is_task or trail.is_passing or not _may_state(block.text, plain):
            continue
        for part in _parts(plain):
            if _says_something(part):
                yield trail.context, trail.path, part


def _with_steps_joined(blocks: Iterable[MarkdownBlock]) -> Iterator[MarkdownBlock]:
    """Join the steps of a procedure, which say little one by one."""
    steps: list[MarkdownBlock] = []
    for block in (*blocks, MarkdownBlock("")):
        if steps and not (_is_step(block) and block.indent == steps[0].indent):
            texts = (f"{number}. {each.text}" for number, each in enumerate(steps, 1))
            joined = " ".join(texts) if len(steps) > 1 else steps[0].text
            yield from [replace(steps[0], text=joined)] if len(joined) <= _MAX_CHARS else steps
            steps = []
        if _is_step(block):
            steps.append(block)
        elif block.text or block.level:
            yield block


def _is_step(block: MarkdownBlock) -> bool:
    is_short = len(block.text) <= _STEP_CHARS and ":" not in block.text[:_LABEL_CHARS]
    return block.is_numbered and not block.is_task and is_short


def _is_label(blocks: Sequence[MarkdownBlock], number: int, plain: str) -> bool:
    """Whether a block only introduces those that follow."""
    block, after = blocks[number], blocks[number + 1] if number + 1 < len(blocks) else None
    if after is None or not after.is_bullet:
        return False
    if plain.endswith((":", "\uff1a")):
        return True
    is_short = len(plain) <= _LABEL_CHARS and not plain.endswith((".", "!", "\u3002"))
    return is_short and block.is_bullet and after.indent > block.indent


def _may_state(text: str, plain: str) -> bool:
    return not (
        _MARKUP_ONLY.fullmatch(plain)
        or _INDEX_LINK.match(text)
        or _ANNOUNCES.match(plain)
        or plain.endswith((":", "\uff1a"))
        or not _WORD.search(_CODE_SPAN.sub("", text))
    )


def _says_something(part: str) -> bool:
    if _QUESTION.search(part) or _PLACEHOLDER.search(part) or len(part) > _MAX_CHARS:
        return False
    wide = sum(east_asian_width(char) in "WF" for char in part)
    return wide >= _MIN_WIDE or len(_WORD.findall(part)) >= _MIN_WORDS


def _parts(plain: str) -> Iterator[str]:
    """Yield a text as a whole, or a long one in parts of some sentences."""
    if len(plain) <= _PART_CHARS or plain.startswith("1. "):
        yield plain
        return
    part = ""
    for sentence in markdown_sentences(plain):
        if part and len(part) + len(sentence) >= _PART_CHARS:
            yield part
            part = ""
        part = f"{part} {sentence}".strip()
    if part:
        yield part


def _in_context(context: str, statement: str) -> str:
    """Return a statement after its context, unless it says that itself."""
    if not context or topic_words(context) <= topic_words(statement):
        return statement
    return f"{context}: {statement}"


def _is_telling(heading: str) -> bool:
    return bool(_WORD.search(_GENERAL.sub("", heading)))
