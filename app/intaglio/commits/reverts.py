"""Which reverts still hold, and what they say of why; pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.text import first_sentences
from intaglio.commits.values import StoredCommit
from intaglio.domain.short_hash import SHORT_HASH
from intaglio.language.tokens import count_words

_MIN_WORDS: Final = 4
_LONG: Final = 320
_LONGEST: Final = 480
_REVERTS: Final = re.compile(
    r"\bThis (?:partially )?reverts commits? [0-9a-f]{7,64}\b"
    r"(?:,? reversing\s{1,4}changes made to [0-9a-f]{7,64}\b)?[.,;:]?",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(
    r"^(?:reverts?|fix(?:es)?|closes?|refs?|see|bug|issue|related(?: to)?|differential revision|"
    r"original commit|conflicts?)\b:?[ \t]{0,4}[\w./#:&?=@-]{0,200}$",
    re.IGNORECASE | re.MULTILINE,
)
_CONJUNCTION: Final = re.compile(
    r"(?:because|since|as|due to the fact that)\s(?=\S)", re.IGNORECASE
)
# `Revert "x"`, `Reapply "x"`, and these of each other.
_QUOTED_SUBJECT: Final = re.compile(r"(?:Revert|Reapply|Reland) \"")
_MARKS: Final = re.compile(r"[\"“”„«»]")


@dataclass(frozen=True, slots=True)
class HoldingRevert:
    """A revert that holds, and what is told of it."""

    commit: StoredCommit
    content: str


def taken_back(
    reverts: Sequence[StoredCommit], subjects: Mapping[str, str], later: Mapping[str, str]
) -> Iterator[HoldingRevert]:
    """Yield the reverts that hold and say why, in their order.

    ``reverts`` are a project's, newest first. ``subjects`` has those of other commits by hash;
    ``later`` has when a subject was last committed. A revert of a revert, or a later commit of the
    same subject, brings back what was reverted.
    """
    undone = _undone(reverts)
    for each in reverts:
        subject = _subject(each, subjects)
        reason = _reason(each.body)
        is_back = subject is not None and later.get(subject, "") > each.committed_at
        if each.hash in undone or is_back or not reason or _brings_back(each, reverts):
            continue
        yield HoldingRevert(each, f"{_what(each, subject)}. {reason}")


def _undone(reverts: Sequence[StoredCommit]) -> frozenset[str]:
    """Return the hashes of reverts that were reverted, by one that wasn't."""
    undone: set[str] = set()
    # The newest first: whether it holds is known when what it reverts is read.
    for each in reverts:
        if each.hash not in undone and each.reverts is not None:
            undone.update(_named(each.reverts, reverts))
    return frozenset(undone)


def _brings_back(revert: StoredCommit, reverts: Sequence[StoredCommit]) -> bool:
    """Whether a revert takes back another, which took something back itself."""
    steps, known = 0, {revert.hash}
    current = revert
    while current.reverts is not None:
        following = [each for each in reverts if each.hash in _named(current.reverts, reverts)]
        if not following or following[0].hash in known:
            break
        current = following[0]
        known.add(current.hash)
        steps += 1
    return steps % 2 == 1


def _named(start: str, reverts: Iterable[StoredCommit]) -> list[str]:
    return [each.hash for each in reverts if each.hash.startswith(start)]


def subject_of(written: str) -> str:
    """Return the subject that a revert's own subject quotes, or the subject itself."""
    subject = written
    while (found := _QUOTED_SUBJECT.match(subject)) is not None:
        subject = subject[found.end() :].rstrip().removesuffix('"')
    return subject


def _what(revert: StoredCommit, subject: str | None) -> str:
    """Say what was reverted; of a commit whose subject isn't known, its hash."""
    short, named = revert.hash[:SHORT_HASH], (revert.reverts or "")[:SHORT_HASH]
    quoted = _MARKS.sub("'", subject or revert.subject)
    return (
        f'"{quoted}" ({short}) reverts {named}'
        if subject is None
        else f'Reverted in {short}: "{quoted}"'
    )


def _subject(revert: StoredCommit, subjects: Mapping[str, str]) -> str | None:
    """Return the subject of what was reverted, if it is quoted or that commit is stored."""
    quoted = subject_of(revert.subject)
    if quoted != revert.subject:
        return quoted
    start = revert.reverts or "-"
    named = (subject for commit, subject in subjects.items() if commit.startswith(start))
    return next(named, None)


def _reason(body: str) -> str:
    """Return why a commit takes another back; empty if its message doesn't say it."""
    rest = _REFERENCE.sub("", _REVERTS.sub("\n", body))
    text = " ".join(rest.split()).lstrip(".,;: ")
    text = _CONJUNCTION.sub("", text, count=1) if _CONJUNCTION.match(text) else text
    if count_words(text) < _MIN_WORDS:
        return ""
    told = first_sentences(text, _LONG, _LONGEST)
    return f"{told[:1].upper()}{told[1:]}"
