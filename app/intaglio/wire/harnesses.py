"""Harnesses on the wire."""

from typing import Literal

from msgspec import Struct

Connected = Literal["connected", "partly", "not", "refused"]


class HarnessRow(Struct, kw_only=True, rename="camel"):
    """A harness that can be connected.

    ``path`` is the settings file that connecting changes, ``exists`` says whether the harness is on
    this machine, ``last_seen`` when its last hook arrived. ``reason`` and ``hint`` say why its
    settings cannot be changed. ``command`` connects it, as it can be typed in a terminal.
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
