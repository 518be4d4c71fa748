"""Streams the daemon's events to clients as server-sent events."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

import msgspec

from intaglio.base.bus import EventBus
from intaglio.base.errors import UnavailableError
from intaglio.base.events import (
    BusEvent,
    CaptureChanged,
    Changed,
    Resync,
    SettingsChanged,
    StateChanged,
)

MAX_STREAMS: Final = 32
_KEEP_ALIVE_S: Final = 15.0


def encode(event: BusEvent) -> bytes:
    """Encode an event as one server-sent event."""
    match event:
        case Changed(topic, what, ids):
            return _frame("changed", {"topic": topic, "what": what, "ids": list(ids)})
        case StateChanged(state, reason):
            return _frame("state", {"state": state, "reason": reason})
        case CaptureChanged(paused, until):
            # A partial update: without ``state`` the client keeps the state it has.
            return _frame("state", {"capture": {"paused": paused, "until": until}})
        case SettingsChanged():
            return _frame("settings", {})
        case Resync():
            return _frame("resync", {})


def _frame(name: str, data: dict[str, object]) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(data) + b"\n\n"


class Streams:
    """Counts the open event streams and ends them when the daemon stops."""

    def __init__(self, bus: EventBus, stopping: asyncio.Event) -> None:
        self._bus = bus
        self._stopping = stopping
        self._open = 0

    def open(self, first: BusEvent) -> AsyncGenerator[bytes]:
        """Open a stream that starts with ``first``; raises UnavailableError over the limit."""
        if self._open >= MAX_STREAMS:
            raise UnavailableError(
                f"Too many open event streams (limit {MAX_STREAMS})",
                hint="Close a dashboard window you don't need.",
            )
        return self._run(first)

    async def _run(self, first: BusEvent) -> AsyncGenerator[bytes]:
        self._open += 1
        stop = asyncio.create_task(self._stopping.wait())
        try:
            with self._bus.listen() as queue:
                yield encode(first)
                while not stop.done():
                    event = await _next(queue, stop)
                    yield b": keep-alive\n\n" if event is None else encode(event)
        finally:
            stop.cancel()
            self._open -= 1


async def _next(queue: "asyncio.Queue[BusEvent]", stop: "asyncio.Task[bool]") -> BusEvent | None:
    next_event = asyncio.create_task(queue.get())
    try:
        await asyncio.wait({next_event, stop}, timeout=_KEEP_ALIVE_S, return_when="FIRST_COMPLETED")
        return next_event.result() if next_event.done() else None
    finally:
        next_event.cancel()
