"""Shows notifications, on its own thread, with desktop-notifier or a fallback."""

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
    is_enabled,
    take_due,
)
from intaglio.desktop.tray.icons import app_icon
from intaglio.desktop.values import Destination, Notification

_SEND_TIMEOUT_S: Final = 5.0
_CLOSE_TIMEOUT_S: Final = 3.0

ClickHandler: TypeAlias = Callable[[Destination], None]


class NotificationSender(Protocol):
    """A way to show notifications."""

    async def send(self, notification: Notification, on_click: Callable[[], None]) -> bool:
        """Show a notification; returns whether it was accepted."""
        ...


class DesktopNotifierSender:
    """Sends notifications to the desktop and reports clicks on them."""

    def __init__(self, platform: str = sys.platform) -> None:
        self._platform = platform
        self._notifier: DesktopNotifier | None = None

    async def send(self, notification: Notification, on_click: Callable[[], None]) -> bool:
        """Show a notification; returns False if no service accepts it in time."""
        if self._notifier is None:
            self._notifier = DesktopNotifier(app_name="Intaglio", app_icon=Icon(path=app_icon()))
        accepted = asyncio.Event()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SEND_TIMEOUT_S):
                await self._send(self._notifier, notification, accepted, on_click)
        if not accepted.is_set():
            # The session bus may be a different one next time.
            self._notifier = None
        return accepted.is_set()

    async def _send(
        self,
        notifier: DesktopNotifier,
        notification: Notification,
        accepted: asyncio.Event,
        on_click: Callable[[], None],
    ) -> None:
        # Without a backend (macOS outside a signed bundle) it reports success and shows nothing.
        if self._platform != "linux" and not await notifier.get_capabilities():
            return
        await notifier.send(
            notification.title,
            # On Linux the body is markup.
            html.escape(notification.text, quote=False)
            if self._platform == "linux"
            else notification.text,
            urgency=_urgency(notification),
            on_dispatched=accepted.set,
            on_clicked=on_click,
        )


class NotificationService:
    """Batches and limits notifications; implements `Notifier`.

    `connect` sets where clicks and rejected notifications go.
    """

    def __init__(
        self,
        sender: NotificationSender,
        level: Callable[[], NotificationLevel],
        pending: NotificationQueue | None = None,
        now_s: Callable[[], float] = monotonic_s,
    ) -> None:
        self._sender = sender
        self._level = level
        self._now_s = now_s
        self._queue = pending or NotificationQueue()
        self._loop = asyncio.new_event_loop()
        self._changed = asyncio.Event()
        self._open = True
        self._on_click: ClickHandler = _ignore
        self._fallback: Callable[[Notification], None] | None = None
        self._log = get_logger("notify")
        self._thread = threading.Thread(target=self._run, name="intaglio-notify", daemon=True)
        self._thread.start()

    def connect(
        self, on_click: ClickHandler, fallback: Callable[[Notification], None] | None
    ) -> None:
        """Set the click handler, and the fallback for notifications that the desktop rejects."""
        self._on_click, self._fallback = on_click, fallback

    def notify(self, notification: Notification) -> None:
        """Queue a notification; returns immediately."""
        self._call(lambda: self._enqueue(notification))

    def close(self) -> None:
        """Show nothing more and stop the thread."""
        self._call(self._finish)
        self._thread.join(_CLOSE_TIMEOUT_S)

    def _call(self, work: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(work)
        except RuntimeError:
            return  # the loop is closed

    def _finish(self) -> None:
        self._open = False
        self._changed.set()

    def _enqueue(self, notification: Notification) -> None:
        if is_enabled(notification, self._level()):
            self._queue = add(self._queue, notification, self._now_s())
            self._changed.set()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._work())
        finally:
            self._loop.close()

    async def _work(self) -> None:
        while self._open:
            due = due_at(self._queue)
            wait_s = None if due is None else max(0.0, due - self._now_s())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._changed.wait()
            self._changed.clear()
            self._queue, note = take_due(self._queue, self._now_s())
            if note is not None and self._open:
                await self._send(note)

    async def _send(self, notification: Notification) -> None:
        if await self._sender.send(notification, lambda: self._clicked(notification)):
            return
        if self._fallback is None:
            # Its text may be that of a memory.
            self._log.warning("notification not shown", kind=notification.kind)
        else:
            self._fallback(notification)

    def _clicked(self, notification: Notification) -> None:
        if notification.click is not None:
            self._on_click(notification.click)


def _urgency(notification: Notification) -> Urgency:
    if notification.kind == "captured":
        return Urgency.Low
    return Urgency.Critical if notification.kind in PROBLEMS - {"message"} else Urgency.Normal


def _ignore(_: Destination) -> None:
    """Ignore clicks until `connect` is called."""
