"""The protocol of a harness: what each folder of this package tells the rest of Intaglio."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from intaglio.harness.events import EventOrigin, HarnessEvent, TranscriptReading


@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessLimits:
    """How long a reply's text may be, and how much of a prompt is looked at.

    ``reply_chars`` counts UTF-16 units.
    """

    reply_chars: int
    prompt_chars: int = 100_000


@runtime_checkable
class Harness(Protocol):
    """A program that runs agents and tells of its sessions by hooks in its own JSON.

    A harness is one folder here, and nothing outside of it names it. The folder's name with
    hyphens is the harness's name: ``my_agent`` answers at ``/api/hooks/native/my-agent``, is
    connected by ``intaglio connect my-agent`` and set up by ``harness.myAgent`` in ``agent.yaml``.
    The folder holds:

    - ``__init__.py``: a docstring and no import, so that the command line can import the connector
      without the daemon's code;
    - ``connector.py``: exports CONNECTOR, a `intaglio.connect.connector.Connector`; imports
      `intaglio.connect` and `intaglio.base` alone;
    - ``harness.py``: exports HARNESS, which fulfils this protocol;
    - whatever else the two need, such as ``payloads.py`` and ``transcript.py``.

    Either may be missing: a harness without hooks of its own needs no ``harness.py``, and one whose
    settings others write no ``connector.py``. `intaglio.harness.registry` finds the folder; there
    is no list to add it to. The contract tests hold every folder to what is promised here.
    """

    @property
    def name(self) -> str:
        """The folder's name with hyphens."""
        ...

    @property
    def label(self) -> str:
        """The name as its makers write it."""
        ...

    @property
    def limits(self) -> HarnessLimits:
        """What its texts are cut to, before and after this protocol's methods."""
        ...

    @property
    def older_paths(self) -> tuple[str, ...]:
        """Paths ``/api/hooks/…`` that answer as its endpoint does, for hooks installed long ago."""
        ...

    @property
    def transcript_suffix(self) -> str:
        """What the names of its transcripts end in, with the dot."""
        ...

    def read_event(self, body: bytes) -> HarnessEvent:
        """Read a hook's payload; keys that are not used may be anything.

        What means nothing to us is `Unused`. Raises InvalidInputError for what is no payload.
        """
        ...

    def spooled_event(self, name: str, origin: EventOrigin, reason: str) -> HarnessEvent:
        """Make an event of what the hook program kept while the daemon was away.

        ``name`` is the harness's own word for it; `Unused` sets the file aside.
        """
        ...

    def write_reply(self, event: HarnessEvent, text: str) -> bytes:
        """Write what the harness gets for an event; ``text`` is empty where nothing is shown.

        An event that takes no context gets a reply that lets the agent go on, whatever the text.
        """
        ...

    def transcript_roots(
        self, home: Path, env: Mapping[str, str], folders: Iterable[Path]
    ) -> list[Path]:
        """List the folders below which transcripts are read, and nothing elsewhere.

        ``folders`` are the configuration folders in which the harness was connected.
        """
        ...

    def read_transcript(self, path: Path, offset: int, limit_bytes: int) -> TranscriptReading:
        """Read what was said from ``offset`` on, about ``limit_bytes`` of it at most.

        The offset is 0 or what an earlier reading returned. Text that we injected is left out.
        Raises OSError when it cannot be read.
        """
        ...
