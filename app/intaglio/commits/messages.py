"""Makes a commit ready to be stored: its message without trailers and secrets, within limits."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from intaglio.base.clock import iso
from intaglio.base.text import clip, scrub
from intaglio.commits.rows import paths_json
from intaglio.commits.values import CommitKind, NewCommit
from intaglio.fence.characters import visible
from intaglio.fence.marks import strip_injected
from intaglio.language.tokens import count_words
from intaglio.redaction.redact import clean
from intaglio.store.tx import Protect
from intaglio.terms.unspaced import unspaced_pairs

MAX_SUBJECT: Final = 500
MAX_BODY: Final = 8_000
MAX_FILES: Final = 200
MAX_PATH: Final = 500
MAX_MESSAGE_BYTES: Final = 64_000
"""So much of a message is read; no word of it is longer than the index takes."""
_MAX_AUTHOR: Final = 100
# What these lines hold is for tools, or names people.
_TRAILERS: Final = frozenset(
    {
        "auto-submit",
        "cc",
        "change-id",
        "commit-queue",
        "git-svn-id",
        "piperorigin-revid",
        "reviewed-on",
    }
)
_MAX_TRAILER_KEY: Final = 40
_BY: Final = "-by"
_PICKED: Final = "(cherry picked from commit "
_REVERTS: Final = re.compile(r"\bThis reverts commit ([0-9a-f]{7,64})\b")
_REVERT_SUBJECT: Final = 'Revert "'


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A commit as git prints it; ``message`` is the beginning of a longer one."""

    hash: str
    parents: tuple[str, ...]
    committed_s: int
    author: str
    message: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What a commit changed: at most 200 paths, and names of the places in them."""

    files: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()


def split_message(message: str) -> tuple[str, str]:
    """Return subject and body of a message: the first paragraph in one line, and the rest.

    The body is without trailers: it is empty if these are all.
    """
    lines = message.strip().splitlines()
    end = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    subject = " ".join(line.strip() for line in lines[:end])
    body = "\n".join(line.rstrip() for line in lines[end:] if not _is_trailer(line))
    return subject, body.strip()


def _is_trailer(line: str) -> bool:
    if line.startswith(_PICKED):
        return True
    key, colon, _ = line[: _MAX_TRAILER_KEY + 1].partition(":")
    name = key.lower()
    return bool(colon) and (
        name in _TRAILERS or (name.endswith(_BY) and name.replace("-", "").isalnum())
    )


def has_body(entry: LogEntry) -> bool:
    """Whether a commit says more than its subject."""
    return bool(split_message(entry.message)[1])


def prepare(
    entry: LogEntry, changes: Changes, now: datetime, protect: Protect, *, with_author: bool
) -> NewCommit:
    """Return a commit as it is stored; about 1 ms per 5,000 characters.

    ``protect`` is that of the database: a text that it has seen is bound at no cost.
    """
    written_subject, written_body = split_message(entry.message)
    found = _REVERTS.search(written_body)
    # Secrets go before the text is cut: what tells one may lie beyond the cut.
    subject = protect(clip(" ".join(_safe(written_subject).split()), MAX_SUBJECT))
    body = protect(clip(_safe(written_body).strip(), MAX_BODY))
    files = _storable(changes.files)
    protect(paths_json(files))
    text = f"{subject}\n{body}"
    return NewCommit(
        hash=entry.hash,
        committed_at=_time(entry.committed_s, now),
        kind=_kind(entry, subject, is_revert=found is not None),
        reverts=found[1] if found else None,
        author=clip(_safe(entry.author).strip(), _MAX_AUTHOR) or None if with_author else None,
        subject=subject,
        body=body,
        symbols=tuple(protect(" ".join(changes.symbols)).split()),
        files=files,
        pairs=" ".join(dict.fromkeys(unspaced_pairs(text))) or None,
        words=count_words(text),
    )


def _safe(text: str) -> str:
    return clean(scrub(strip_injected(visible(text))))


def _kind(entry: LogEntry, subject: str, *, is_revert: bool) -> CommitKind:
    if len(entry.parents) > 1:
        return "merge"
    return "revert" if is_revert or subject.startswith(_REVERT_SUBJECT) else "commit"


def _time(seconds: int, now: datetime) -> str:
    # Nothing was committed after it was read: an author's wrong clock must not make a commit the
    # newest forever.
    return iso(datetime.fromtimestamp(min(max(seconds, 0), int(now.timestamp())), UTC))


def _storable(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths that can be stored as they are: without control characters and secrets."""
    return tuple(
        path
        for path in dict.fromkeys(paths)
        if len(path) <= MAX_PATH
        and path.isprintable()
        and "\ufffd" not in path
        and scrub(path) == path
        and _safe(path) == path
    )[:MAX_FILES]
