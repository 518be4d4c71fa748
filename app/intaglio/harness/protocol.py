"""The protocol that each harness folder of this package implements."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol, runtime_checkable

from intaglio.capture.transcripts import TranscriptReading
from intaglio.domain.told_files import SessionPlace, ToldFile
from intaglio.harness.events import EventOrigin, HarnessEvent, KeptTranscript, Transcript
from intaglio.harness.own_files import MemoryFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessLimits:
    """The maximum length of a reply's text, and of the part of a prompt that is used.

    ``reply_chars`` counts UTF-16 units.
    """

    reply_chars: int
    prompt_chars: int = 100_000


@dataclass(frozen=True, slots=True)
class Reply:
    """What a harness is told in reply to an event; empty strings for nothing.

    ``text`` is for the model, ``notice`` one line for the person.
    """

    text: str
    notice: str = ""


@runtime_checkable
class Harness(Protocol):
    """A program that runs agents and reports its sessions through hooks in its own JSON.

    A harness is one folder here; nothing outside refers to it. The folder's name with hyphens is
    the harness's name: ``some_agent`` answers at ``/api/hooks/native/some-agent``, is connected by
    ``intaglio connect some-agent`` and configured by ``harness.someAgent`` in ``agent.yaml``. The
    folder contains:

    - ``__init__.py``: a docstring and no imports, so that the command line can import the connector
      without the daemon's code;
    - ``connector.py``: exports CONNECTOR, an `intaglio.connect.connector.Connector`; imports only
      `intaglio.connect` and `intaglio.base`;
    - ``harness.py``: exports HARNESS, an implementation of this protocol;
    - anything else they need, such as ``payloads.py`` and ``transcript.py``.

    Both are optional: a harness without its own hooks needs no ``harness.py``, and one that is
    configured by other means needs no ``connector.py``. `intaglio.harness.registry` discovers the
    folder. The contract tests check every folder against this protocol.
    """

    @property
    def name(self) -> str:
        """The folder's name with hyphens."""
        ...

    @property
    def label(self) -> str:
        """The display name."""
        ...

    @property
    def limits(self) -> HarnessLimits:
        """The limits that its texts are truncated to."""
        ...

    @property
    def older_paths(self) -> tuple[str, ...]:
        """Other ``/api/hooks/…`` paths of its endpoint, for hooks from older versions."""
        ...

    @property
    def transcript_suffix(self) -> str:
        """The extension of the files that its transcripts are in, with the dot."""
        ...

    @property
    def tags(self) -> tuple[str, ...]:
        """Tags that it, or its model by its instructions, gives a meaning to, as in ``<name>``.

        They lose it in injected text. See `intaglio.fence.tags.GENERAL_TAGS` for how they are
        written, and for those that need no declaration.
        """
        ...

    def read_event(self, body: bytes) -> HarnessEvent:
        """Read a hook's payload; unused keys may have any value.

        Returns `IgnoredEvent` for unused events. Raises InvalidInputError for an invalid payload.
        """
        ...

    def spooled_event(self, name: str, origin: EventOrigin, reason: str) -> HarnessEvent:
        """Create an event from what the hook program spooled while the daemon was down.

        ``name`` is the harness's event name; for `IgnoredEvent` the file is moved aside.
        """
        ...

    def write_reply(self, event: HarnessEvent, reply: Reply) -> bytes:
        """Return the reply to an event in the harness's own JSON.

        An event that accepts no context gets a reply that lets the agent continue, whatever the
        text. The text for a `Compaction` is for the model that writes the summary. A harness that
        can't show a notice to the person ignores it; the model never gets it.
        """
        ...

    def transcript_roots(
        self, home: Path, env: Mapping[str, str], folders: Iterable[Path]
    ) -> list[Path]:
        """List the folders that transcripts may be read from.

        ``folders`` are the configuration folders where the harness was connected.
        """
        ...

    def read_transcript(
        self, transcript: Transcript, position: str, limit_bytes: int, context_bytes: int = 0
    ) -> TranscriptReading:
        """Read the messages from ``position`` on, at most about ``limit_bytes``.

        The position is empty, for the start, or one that an earlier reading returned; what it says
        is the harness's own affair. A position that the transcript no longer has means its start.
        ``context_bytes`` is about how much of what precedes the position is returned as
        ``preceding``. Injected text is left out. Raises OSError if the file can't be read.
        """
        ...

    def may_have_grown(self, path: Path, position: str, since: datetime | None) -> bool:
        """Whether a transcript may have messages beyond a position, written after ``since``.

        The path is the one that was reported, and not yet known to be allowed: it may be looked at,
        but not opened. Called every half minute for each open session.
        """
        ...

    def past_sessions(self, roots: Sequence[Path]) -> Iterator[KeptTranscript]:
        """Iterate the sessions whose transcripts are in these folders, in no order.

        ``roots`` are those of `transcript_roots`, and need not exist. Sessions of subagents and of
        other programs' agents are left out as far as that shows without reading them whole. Takes
        about a millisecond a session. Raises OSError if the folders can't be read.
        """
        ...

    def told_files(
        self, home: Path, env: Mapping[str, str], place: SessionPlace
    ) -> Sequence[ToldFile]:
        """List the files that it tells its model by itself in a session that runs in a place.

        Such as CLAUDE.md or AGENTS.md: what they say isn't told again. Called before each start and
        prompt, in a thread.
        """
        ...

    def memory_places(
        self, home: Path, env: Mapping[str, str], projects: tuple[str, ...]
    ) -> Sequence[MemoryFolder]:
        """List the folders where it keeps a memory of its own, in Markdown.

        ``projects`` are the keys of the known projects, to tell which one a folder is about.
        """
        ...
