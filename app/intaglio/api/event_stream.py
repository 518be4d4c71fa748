"""What happens in the daemon as server-sent events; the bus knows nothing of HTTP."""

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

MOST_STREAMS: Final = 32
_KEEP_ALIVE_S: Final = 15.0


def encode(event: BusEvent) -> bytes:
    """Write one event in the form of an event stream."""
    match event:
        case Changed(topic, what, ids):
            return _frame("changed", {"topic": topic, "what": what, "ids": list(ids)})
        case StateChanged(state, reason):
            return _frame("state", {"state": state, "reason": reason})
        case CaptureChanged(paused, until):
            # A part of the state, told alone: without ``state`` that stays as it is.
            return _frame("state", {"capture": {"paused": paused, "until": until}})
        case SettingsChanged():
            return _frame("settings", {})
        case Resync():
            return _frame("resync", {})


def _frame(name: str, data: dict[str, object]) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(data) + b"\n\n"


class Streams:
    """Counts the open streams and ends them all when the daemon stops."""

    def __init__(self, bus: EventBus, stopping: asyncio.Event) -> None:
        self._bus = bus
        self._stopping = stopping
        self._open = 0

    def open(self, first: BusEvent) -> AsyncGenerator[bytes]:
        """Begin a stream that starts with ``first``; raises UnavailableError beyond the limit."""
        if self._open >= MOST_STREAMS:
            raise UnavailableError(
                f"{MOST_STREAMS} event streams are open already",
                hint="Close another window of the dashboard.",
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
                    yield b": still here\n\n" if event is None else encode(event)
        finally:
            stop.cancel()
            self._open -= 1


async def _next(queue: "asyncio.Queue[BusEvent]", stop: "asyncio.Task[bool]") -> BusEvent | None:
    wanted = asyncio.create_task(queue.get())
    try:
        await asyncio.wait({wanted, stop}, timeout=_KEEP_ALIVE_S, return_when="FIRST_COMPLETED")
        return wanted.result() if wanted.done() else None
    finally:
        wanted.cancel()
