"""Requests and replies of the harnesses' endpoints."""

from typing import Literal

from msgspec import Struct

from intaglio.wire.memory import ShortText

Connected = Literal["connected", "partly", "not", "refused"]


class HarnessRow(Struct, kw_only=True, rename="camel"):
    """A harness that can be connected.

    ``path`` is the settings file that connecting changes, ``exists`` whether the harness is
    installed on this machine, ``last_seen`` when its last hook arrived. ``reason`` and ``hint``
    say why its settings can't be changed. ``command`` is the terminal command that connects it.
    """

    name: str
    id: str
    path: str
    exists: bool
    last_seen: str | None
    connection: Connected
    reason: str
    hint: str
    command: str


class HarnessList(Struct, kw_only=True):
    """All harnesses that can be connected, those on this machine first."""

    harnesses: list[HarnessRow]


class ConnectionRequest(Struct, kw_only=True):
    """What to do: show the changes, or make exactly those that a preview's token confirms."""

    mode: Literal["preview", "apply"]
    token: ShortText | None = None


class ConnectionPreview(Struct, kw_only=True):
    """What would be written to the settings file at ``path``, as a unified diff.

    Without ``changes`` there is nothing to write; with ``changes`` and an empty diff, only
    Intaglio's own hook files are. ``exists`` is whether the settings file is there now. ``notes``
    say what keeps the hooks from working.
    """

    path: str
    exists: bool
    changes: bool
    diff: str
    notes: list[str]
    token: str


class ConnectionResult(Struct, kw_only=True):
    """What was written: ``backup`` is a copy of the previous settings, null if there is none."""

    path: str
    changed: bool
    backup: str | None
