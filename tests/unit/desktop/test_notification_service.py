"""The service sends notifications one by one, and takes those about mended issues away."""

import asyncio
import queue
import threading
from dataclasses import dataclass, field

from fakes.waiting import PATIENCE_S
from intaglio.desktop.notifications.preferences import NotificationPreferences
from intaglio.desktop.notifications.queue import NotificationLimits, NotificationQueue
from intaglio.desktop.notifications.service import ActionHandler, NotificationService
from intaglio.desktop.values import Notification


@dataclass
class HeldSender:
    """Accepts a notification once the test lets it; says what it was told to clear."""

    begun: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
    cleared: "queue.Queue[str]" = field(default_factory=queue.Queue[str])

    async def send(self, notification: Notification, on_action: ActionHandler) -> str | None:
        del on_action
        self.begun.set()
        await asyncio.to_thread(self.released.wait, PATIENCE_S)
        return notification.title

    async def clear(self, identifier: str) -> None:
        self.cleared.put(identifier)


def test_an_issue_that_is_mended_while_it_is_being_notified_is_taken_away() -> None:
    sender = HeldSender()
    pending = NotificationQueue(NotificationLimits(batch_s=0))
    service = NotificationService(sender, NotificationPreferences, pending)
    try:
        service.notify(Notification("danger", "Disk full", "", issues=("disk",)))
        assert sender.begun.wait(PATIENCE_S)
        service.withdraw("disk")
        sender.released.set()
        assert sender.cleared.get(timeout=PATIENCE_S) == "Disk full"
    finally:
        sender.released.set()
        service.close()
