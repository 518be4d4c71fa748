"""Where sessions can be imported from: harnesses' transcripts, and uploaded exports."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from intaglio.capture.transcripts import TranscriptReading
from intaglio.harness.events import KeptTranscript
from intaglio.harness.protocol import Harness
from intaglio.harness.transcript_files import TranscriptFiles

SourceType: TypeAlias = Literal["harness", "upload"]


class HistorySource(Protocol):
    """Sessions of the past that can be read.

    All methods block, and run in threads. A session's id is unique in its harness and stays the
    same, as do the ids of its messages: by them, a second import changes nothing.
    """

    @property
    def id(self) -> str:
        """What requests name it by, such as a harness's name; stays the same."""
        ...

    @property
    def kind(self) -> SourceType:
        """Whether it is a harness's history or an upload."""
        ...

    @property
    def harness(self) -> str:
        """The name that its sessions, statements and memories are stored with."""
        ...

    @property
    def label(self) -> str:
        """The display name."""
        ...

    @property
    def place(self) -> str:
        """Where it is: a folder, or the name of the uploaded file."""
        ...

    def sessions(self) -> Iterator[KeptTranscript]:
        """Iterate the sessions, in no order; an export's has its directory None.

        Raises OSError if the source can't be read. One that can't be read by itself is still
        listed, and its `read` raises.
        """
        ...

    def read(
        self, session: KeptTranscript, position: str, limit_bytes: int, context_bytes: int = 0
    ) -> TranscriptReading:
        """Read a session's messages from ``position`` on, at most about ``limit_bytes``.

        As `Harness.read_transcript`: the position is empty, for the start, or one that an earlier
        reading returned. Raises OSError if it can't be read. ``skipped`` counts damaged records.
        """
        ...


FindSources: TypeAlias = Callable[[], Awaitable[Sequence[HistorySource]]]
"""Lists sources; quick, as it doesn't look for their sessions."""


@dataclass(frozen=True, slots=True)
class HistorySources:
    """All sources that there are now; ``find`` lists those of each kind."""

    find: tuple[FindSources, ...]

    async def all(self) -> list[HistorySource]:
        """List the sources."""
        return [source for find in self.find for source in await find()]


@dataclass(frozen=True, slots=True)
class HarnessHistory:
    """A harness's transcripts on this machine, as a source."""

    of: Harness
    transcripts: TranscriptFiles
    roots: tuple[Path, ...]
    kind: SourceType = "harness"

    @property
    def id(self) -> str:
        """The harness's name."""
        return self.of.name

    @property
    def harness(self) -> str:
        """The harness's name."""
        return self.of.name

    @property
    def label(self) -> str:
        """The harness's display name."""
        return self.of.label

    @property
    def place(self) -> str:
        """The first of its folders."""
        return str(self.roots[0])

    def sessions(self) -> Iterator[KeptTranscript]:
        """Iterate the sessions whose transcripts are kept."""
        return self.of.past_sessions(self.roots)

    def read(
        self, session: KeptTranscript, position: str, limit_bytes: int, context_bytes: int = 0
    ) -> TranscriptReading:
        """Read a part of a transcript, if it is in the harness's folders."""
        path = str(session.transcript.path)
        found = self.transcripts.find(self.of.name, session.transcript.session, path)
        if found is None:
            raise FileNotFoundError("The transcript is gone, or isn't a file of yours.")
        return found.read(position, limit_bytes, context_bytes)


def harness_histories(transcripts: TranscriptFiles) -> FindSources:
    """Return what lists the harnesses that have folders of transcripts."""

    def find() -> list[HistorySource]:
        found: list[HistorySource] = []
        for harness in transcripts.harnesses.values():
            roots = tuple(root for root in transcripts.roots(harness) if root.exists())
            if roots:
                found.append(HarnessHistory(harness, transcripts, roots))
        return found

    async def in_thread() -> Sequence[HistorySource]:
        return await asyncio.to_thread(find)

    return in_thread
