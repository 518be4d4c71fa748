"""Notes on the desktop: a thread of its own with desktop-notifier, else what else can show them."""

import asyncio
import contextlib
import html
import sys
import threading
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from desktop_notifier import DesktopNotifier, Icon, Urgency

from intaglio.base.clock import monotonic_s
from intaglio.base.log import get_logger
from intaglio.desktop.notifications.queue import (
    PROBLEMS,
    NotificationLevel,
    NotificationQueue,
    add,
    due_at,
    is_wanted,
    take_due,
)
from intaglio.desktop.tray.icons import app_icon
from intaglio.desktop.values import Destination, Notification

_SEND_S: Final = 5.0
_CLOSE_S: Final = 3.0

Shows: TypeAlias = Callable[[Destination], None]


class NotificationSender(Protocol):
    """A way to the desktop."""

    async def send(self, notification: Notification, clicked: Callable[[], None]) -> bool:
        """Show a note; False when it was not taken."""
        ...


class DesktopNotifierSender:
    """The desktop's own notifications; a click on one comes back."""

    def __init__(self, platform: str = sys.platform) -> None:
        self._platform = platform
        self._notifier: DesktopNotifier | None = None

    async def send(self, notification: Notification, clicked: Callable[[], None]) -> bool:
        """Show a note; False where nobody shows notifications, or too slowly."""
        if self._notifier is None:
            self._notifier = DesktopNotifier(app_name="Intaglio", app_icon=Icon(path=app_icon()))
        taken = asyncio.Event()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(
                self._send(self._notifier, notification, taken, clicked), _SEND_S
            )
        if not taken.is_set():
            # The session bus may be another one by the next time.
            self._notifier = None
        return taken.is_set()

    async def _send(
        self,
        notifier: DesktopNotifier,
        notification: Notification,
        taken: asyncio.Event,
        clicked: Callable[[], None],
    ) -> None:
        # Where it has no backend (macOS outside a signed bundle) it says yes and shows nothing.
        if self._platform != "linux" and not await notifier.get_capabilities():
            return
        await notifier.send(
            notification.title,
            # On Linux the body is markup.
            html.escape(notification.text, quote=False)
            if self._platform == "linux"
            else notification.text,
            urgency=Urgency.Critical
            if notification.kind in PROBLEMS - {"told"}
            else Urgency.Normal,
            on_dispatched=taken.set,
            on_clicked=clicked,
        )


class NotificationService:
    """Notes, gathered and limited; a `Notifier`. `connect` says where clicks and failures go."""

    def __init__(
        self,
        sender: NotificationSender,
        wanted: Callable[[], NotificationLevel],
        book: NotificationQueue | None = None,
        now_s: Callable[[], float] = monotonic_s,
    ) -> None:
        self._sender = sender
        self._wanted = wanted
        self._now_s = now_s
        self._book = book or NotificationQueue()
        self._loop = asyncio.new_event_loop()
        self._changed = asyncio.Event()
        self._open = True
        self._shows: Shows = _nowhere
        self._fallback: Callable[[Notification], None] | None = None
        self._log = get_logger("notify")
        self._thread = threading.Thread(target=self._run, name="intaglio-notify", daemon=True)
        self._thread.start()

    def connect(self, shows: Shows, fallback: Callable[[Notification], None] | None) -> None:
        """Say what a click shows, and who shows a note when the desktop does not take it."""
        self._shows, self._fallback = shows, fallback

    def notify(self, notification: Notification) -> None:
        """Show a note, soon, with others or never; returns at once."""
        self._tell(lambda: self._take(notification))

    def close(self) -> None:
        """Show nothing more."""
        self._tell(self._finish)
        self._thread.join(_CLOSE_S)

    def _tell(self, work: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(work)
        except RuntimeError:
            return  # it is closed

    def _finish(self) -> None:
        self._open = False
        self._changed.set()

    def _take(self, notification: Notification) -> None:
        if is_wanted(notification, self._wanted()):
            self._book = add(self._book, notification, self._now_s())
            self._changed.set()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._work())
        finally:
            self._loop.close()

    async def _work(self) -> None:
        while self._open:
            moment = due_at(self._book)
            wait_s = None if moment is None else max(0.0, moment - self._now_s())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), wait_s)
            self._changed.clear()
            self._book, note = take_due(self._book, self._now_s())
            if note is not None and self._open:
                await self._send(note)

    async def _send(self, notification: Notification) -> None:
        if await self._sender.send(notification, lambda: self._clicked(notification)):
            return
        if self._fallback is None:
            self._log.warning(
                "a note could not be shown", title=notification.title, text=notification.text
            )
        else:
            self._fallback(notification)

    def _clicked(self, notification: Notification) -> None:
        if notification.click is not None:
            self._shows(notification.click)


def _nowhere(_: Destination) -> None:
    """Stand in until the desk is there."""
