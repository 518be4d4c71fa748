"""The event bus: delivers events to the listeners in this process."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from intaglio.base.events import BusEvent, Resync

_QUEUE_SIZE = 256


class EventBus:
    """Fans events out to listeners; use it only on the event loop's thread."""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[BusEvent]] = set()

    def publish(self, event: BusEvent) -> None:
        """Send the event to each listener; a full queue is replaced by one Resync."""
        for queue in self._listeners:
            if queue.full():
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(Resync())
            else:
                queue.put_nowait(event)

    @contextmanager
    def listen(self) -> Generator[asyncio.Queue[BusEvent]]:
        """Yield a queue that receives the events published while the block runs."""
        queue: asyncio.Queue[BusEvent] = asyncio.Queue(_QUEUE_SIZE)
        self._listeners.add(queue)
        try:
            yield queue
        finally:
            self._listeners.discard(queue)
