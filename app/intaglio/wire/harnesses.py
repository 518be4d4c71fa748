"""Replies of the harnesses endpoint."""

from typing import Literal

from msgspec import Struct

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
