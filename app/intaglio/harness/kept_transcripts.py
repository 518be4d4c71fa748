"""The sessions whose transcripts a harness has kept on this machine, for the import of history."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.harness.events import KeptTranscript, Transcript
from intaglio.harness.transcript import transcript_allowed

_HEAD_BYTES: Final = 64_000
# Records without messages may come first, such as snapshots of files.
_HEADS: Final = 8


@dataclass(frozen=True, slots=True)
class SessionOrigin:
    """A session's id, and what is known of its beginning beside its messages."""

    id: str
    started: datetime | None = None
    cwd: str | None = None


def allowed_files(roots: Iterable[Path], pattern: str, suffix: str) -> Iterator[tuple[Path, Path]]:
    """Iterate roots with the files below them that may be read, each file once.

    A root may be such a file itself.
    """
    seen = set[Path]()
    for root in roots:
        for file in root.glob(pattern) if root.is_dir() else (root,):
            real = transcript_allowed(str(file), [root], suffix)
            if real is not None and real not in seen:
                seen.add(real)
                yield root, file


def named_by_file(file: Path) -> SessionOrigin | None:
    """Return the session whose id is the file's name."""
    return SessionOrigin(file.stem)


def _never(_: Path) -> float | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFiles:
    """Transcripts of which each is a file: those that match ``pattern`` below a root.

    ``origin`` returns whose transcript a file is, None if it is no session of the user's own.
    ``kept_days`` returns how many days after its last change a transcript of a root is deleted.
    """

    pattern: str
    origin: Callable[[Path], SessionOrigin | None] = named_by_file
    kept_days: Callable[[Path], float | None] = _never

    def sessions(
        self,
        roots: Iterable[Path],
        suffix: str,
        read: Callable[[Transcript, str, int, int], TranscriptReading],
    ) -> Iterator[KeptTranscript]:
        """Iterate the sessions, in no order; ``read`` is the reader of the transcripts."""
        days = {root: self.kept_days(root) for root in roots}
        for root, file in allowed_files(days, self.pattern, suffix):
            found = self._session(file, days[root], read)
            if found is not None:
                yield found

    def _session(
        self,
        file: Path,
        days: float | None,
        read: Callable[[Transcript, str, int, int], TranscriptReading],
    ) -> KeptTranscript | None:
        try:
            status = file.stat()
            origin = self.origin(file)
        except OSError:
            return None
        if origin is None:
            return None
        transcript = Transcript(file, origin.id)
        first = _first_message(transcript, read)
        modified = datetime.fromtimestamp(status.st_mtime, UTC)
        return KeptTranscript(
            transcript=transcript,
            size=status.st_size,
            modified=modified,
            started=origin.started or (first.time if first else None),
            cwd=origin.cwd or (first.cwd if first else None),
            expires_at=None if days is None else modified + timedelta(days=days),
        )


def _first_message(
    transcript: Transcript, read: Callable[[Transcript, str, int, int], TranscriptReading]
) -> TranscriptMessage | None:
    """Return a session's first message, if it isn't far from the beginning.

    A continued session's transcript can begin with the messages of the former one.
    """
    position, first = "", None
    for _ in range(_HEADS):
        try:
            reading = read(transcript, position, _HEAD_BYTES, 0)
        except OSError:
            return first
        for message in reading.messages:
            if message.session in {"", transcript.session}:
                return message
            first = first or message
        if not reading.more or reading.position == position:
            return first
        position = reading.position
    return first
