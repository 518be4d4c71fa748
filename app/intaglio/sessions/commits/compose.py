"""Composes what is told of a commit: its message whole, or the sentences that answer; pure."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from intaglio.base.clock import local_day
from intaglio.base.text import estimate_tokens, first_sentences, split_sentences, storage_form
from intaglio.commits.values import StoredCommit
from intaglio.domain.short_hash import SHORT_HASH
from intaglio.fence.characters import visible
from intaglio.language.topics import topic_words
from intaglio.sessions.past_sessions.quotation import in_quotation_marks

MOST_TOKENS: Final = 150
"""The most tokens of what is quoted of a commit."""
_LONGEST_SUBJECT: Final = 200
_GAP: Final = "…"
_VERBS: Final = {"commit": "decided in", "merge": "merged in", "revert": "reverted in"}
# A paragraph, or an item of a list, begins a sentence; other line breaks are the editor's.
_BLOCK: Final = re.compile(r"\n[ \t]{0,8}\n|\n(?=[ \t]{0,8}(?:[*+-]|\d{1,3}[.)])[ \t])")


def commit_line(
    commit: StoredCommit, asked: Collection[str], taken_back: StoredCommit | None
) -> str:
    """Format a commit as one line with its day, its hash and its words; not sanitized.

    ``asked`` are the topic words of the prompt, ``taken_back`` is the commit that reverts it.
    """
    day = local_day(commit.committed_at)
    if taken_back is not None:
        day += f", reverted on {local_day(taken_back.committed_at)} in {_short(taken_back.hash)}"
    what = f"{_VERBS[commit.kind]} commit {_short(commit.hash)}"
    if commit.kind == "revert" and commit.reverts:
        what += f", which takes back {_short(commit.reverts)}"
    return f"- ({day}) {what}: {in_quotation_marks(told_words(commit, asked))}"


def told_words(commit: StoredCommit, asked: Collection[str], tokens: int = MOST_TOKENS) -> str:
    """Return the subject and the body, or those sentences of a long body that share most words."""
    subject = _plain(commit.subject)
    parts = _sentences(commit.body)
    whole = " ".join((_ended(subject), *parts))
    if estimate_tokens(whole) <= tokens:
        return whole
    subject = first_sentences(subject, _LONGEST_SUBJECT) or subject[:_LONGEST_SUBJECT]
    left = tokens - estimate_tokens(_ended(subject) + f" {_GAP} {_GAP}")
    first, last = _best_run(parts, frozenset(asked) - topic_words(subject), left)
    told = parts[first:last]
    if not told:
        return _ended(subject)
    before = [_GAP] if first else []
    after = [_GAP] if last < len(parts) else []
    return " ".join((_ended(subject), *before, *told, *after))


def _best_run(parts: Sequence[str], asked: frozenset[str], tokens: int) -> tuple[int, int]:
    """Return where the run of sentences begins and ends that shares most words with a question.

    Of runs that share as many, the earliest: a message says first why it was made.
    """
    sizes = [estimate_tokens(part + " ") for part in parts]
    held = [topic_words(part) & asked for part in parts]
    best, most = (0, 0), -1
    for first in range(len(parts)):
        last, used, shared = first, 0, set[str]()
        while last < len(parts) and used + sizes[last] <= tokens:
            used += sizes[last]
            shared |= held[last]
            last += 1
        if last > first and len(shared) > most:
            best, most = (first, last), len(shared)
    return best


def _sentences(body: str) -> list[str]:
    """Return the sentences of a body, whose lines an editor has broken."""
    blocks = (_plain(block) for block in _BLOCK.split(body))
    return [sentence for block in blocks if block for sentence in split_sentences(block)]


def _plain(text: str) -> str:
    return storage_form(visible(text))


def _ended(subject: str) -> str:
    return subject if subject.endswith((".", "!", "?", ":")) else f"{subject}."


def _short(digits: str) -> str:
    return digits[:SHORT_HASH]
