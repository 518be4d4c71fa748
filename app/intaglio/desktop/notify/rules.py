"""Which notes are shown, when, and which become one; pure, in seconds that never run backwards."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from intaglio.desktop.values import Note, NoteKind

Wanted: TypeAlias = Literal["all", "problems", "none"]

PROBLEMS: Final[frozenset[NoteKind]] = frozenset(
    {"daemon_failed", "port_taken", "refused", "degraded", "told"}
)
_MOST_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """What one person can be asked to read.

    Notes that come within ``gather_s`` of the first are shown as one. The same note is not shown
    again within ``same_s``. At most ``most`` are shown in ``span_s``; later ones wait and are
    gathered meanwhile.
    """

    gather_s: float = 1.0
    same_s: float = 600.0
    most: int = 6
    span_s: float = 600.0


@dataclass(frozen=True, slots=True)
class Book:
    """What waits, since when; which notes were shown at what time, and when anything was."""

    limits: Limits = Limits()
    waiting: tuple[Note, ...] = ()
    since: float = 0.0
    shown: tuple[tuple[float, Note], ...] = ()
    showings: tuple[float, ...] = ()


def is_wanted(note: Note, wanted: Wanted) -> bool:
    """Tell whether the user wants such a note at all."""
    match wanted:
        case "all":
            return True
        case "problems":
            return note.kind in PROBLEMS
        case "none":
            return False


def _says_the_same(one: Note, other: Note) -> bool:
    return (one.kind, one.title, one.text) == (other.kind, other.title, other.text)


def take(book: Book, note: Note, now: float) -> Book:
    """Add a note; one that waits already, or was shown a moment ago, changes nothing."""
    recent = (shown for at, shown in book.shown if now - at < book.limits.same_s)
    if any(_says_the_same(note, known) for known in (*book.waiting, *recent)):
        return book
    # A state has one note: what is true now takes the place of what was.
    others = tuple(
        known for known in book.waiting if known.kind != note.kind or note.kind == "told"
    )
    since = book.since if book.waiting else now
    return replace(book, waiting=(*others, note), since=since)


def due_at(book: Book) -> float | None:
    """Return the moment when what waits may be shown; None when nothing waits."""
    if not book.waiting:
        return None
    limits = book.limits
    gathered = book.since + limits.gather_s
    if len(book.showings) < limits.most:
        return gathered
    return max(gathered, book.showings[-limits.most] + limits.span_s)


def show(book: Book, now: float) -> tuple[Book, Note | None]:
    """Return the note to show now, made of all that waits, and the book without it."""
    moment = due_at(book)
    if moment is None or now < moment:
        return book, None
    recent = [(at, note) for at, note in book.shown if now - at < book.limits.same_s]
    fresh = replace(
        book,
        waiting=(),
        shown=(*recent, *((now, note) for note in book.waiting)),
        showings=(*book.showings, now)[-book.limits.most :],
    )
    return fresh, gather(book.waiting)


def gather(notes: tuple[Note, ...]) -> Note:
    """Make one note of several; the first problem gives it its kind and its click."""
    first = next((note for note in notes if note.kind in PROBLEMS), notes[0])
    if len(notes) == 1:
        return first
    lines = [note.title if note.title != "Intaglio" else note.text for note in notes]
    more = [f"and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
    text = "\n".join([*lines[:_MOST_LINES], *more])
    return replace(first, title=f"Intaglio: {len(notes)} messages", text=text)
