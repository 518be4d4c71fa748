"""Shows notifications, on its own thread, with desktop-notifier or a fallback."""

import asyncio
import contextlib
import html
import os
import sys
import threading
from collections.abc import Callable
from datetime import datetime
from typing import Final, Protocol, TypeAlias

from desktop_notifier import Button, DesktopNotifier, Icon, Urgency

from intaglio.base.clock import monotonic_s
from intaglio.base.log import get_logger
from intaglio.desktop.capabilities import bus_is_reachable
from intaglio.desktop.notifications.preferences import URGENT, NotificationPreferences
from intaglio.desktop.notifications.queue import (
    NotificationQueue,
    add,
    due_at,
    take_due,
    withdraw,
)
from intaglio.desktop.tray.icons import app_icon
from intaglio.desktop.values import Destination, Notification, UndoSaved

_SEND_TIMEOUT_S: Final = 5.0
_CLOSE_TIMEOUT_S: Final = 3.0
# What waits during quiet hours is looked at so often.
_QUIET_CHECK_S: Final = 60.0

NotificationAction: TypeAlias = Destination | UndoSaved
ActionHandler: TypeAlias = Callable[[NotificationAction], None]


class NotificationSender(Protocol):
    """A way to show notifications."""

    async def send(self, notification: Notification, on_action: ActionHandler) -> str | None:
        """Show a notification; returns its identifier, or None if nobody accepts it."""
        ...

    async def clear(self, identifier: str) -> None:
        """Take a notification away, if it's still shown."""
        ...


class DesktopNotifierSender:
    """Sends notifications to the desktop and reports clicks on them and on their buttons."""

    def __init__(self, platform: str = sys.platform) -> None:
        self._platform = platform
        self._notifier: DesktopNotifier | None = None

    async def send(self, notification: Notification, on_action: ActionHandler) -> str | None:
        """Show a notification; returns None if no service accepts it in time."""
        if self._notifier is None:
            self._notifier = DesktopNotifier(app_name="Intaglio", app_icon=Icon(path=app_icon()))
        accepted = asyncio.Event()
        identifier = ""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SEND_TIMEOUT_S):
                identifier = await self._send(self._notifier, notification, accepted, on_action)
        if not accepted.is_set():
            # The session bus may be a different one next time.
            self._notifier = None
        return identifier if accepted.is_set() else None

    async def clear(self, identifier: str) -> None:
        """Take a notification away; one that the user closed is gone already."""
        if self._notifier is None:
            return
        with contextlib.suppress(TimeoutError, KeyError):
            async with asyncio.timeout(_SEND_TIMEOUT_S):
                await self._notifier.clear(identifier)

    async def _send(
        self,
        notifier: DesktopNotifier,
        notification: Notification,
        accepted: asyncio.Event,
        on_action: ActionHandler,
    ) -> str:
        # Without a backend (macOS outside a signed bundle) it reports success and shows nothing.
        if self._platform != "linux" and not await notifier.get_capabilities():
            return ""
        click, button = notification.click, notification.button
        buttons = [Button(button.label, lambda: on_action(button.action))] if button else []
        return await notifier.send(
            notification.title,
            # On Linux the body is markup.
            html.escape(notification.text, quote=False)
            if self._platform == "linux"
            else notification.text,
            urgency=_urgency(notification),
            buttons=buttons,
            on_dispatched=accepted.set,
            on_clicked=None if click is None else lambda: on_action(click),
        )


class NotificationService:
    """Batches and limits notifications; implements `Notifier`.

    `connect` sets where clicks and rejected notifications go. ``now_s`` is monotonic,
    ``local_now`` the user's clock, by which quiet hours go.
    """

    def __init__(
        self,
        sender: NotificationSender,
        preferences: Callable[[], NotificationPreferences],
        pending: NotificationQueue | None = None,
        now_s: Callable[[], float] = monotonic_s,
        local_now: Callable[[], datetime] = datetime.now,
    ) -> None:
        self._sender = sender
        self._preferences = preferences
        self._now_s = now_s
        self._local_now = local_now
        self._queue = pending or NotificationQueue()
        # By identifier: the issues that are still there, of which the notification is.
        self._shown: dict[str, set[str]] = {}
        self._sending: set[str] = set()
        self._cleared: list[str] = []
        self._loop = asyncio.new_event_loop()
        self._changed = asyncio.Event()
        self._open = True
        self._on_action: ActionHandler = _ignore
        self._fallback: Callable[[Notification], None] | None = None
        self._log = get_logger("notify")
        self._thread = threading.Thread(target=self._run, name="intaglio-notify", daemon=True)
        self._thread.start()

    def connect(
        self, on_action: ActionHandler, fallback: Callable[[Notification], None] | None
    ) -> None:
        """Set what clicks do, and the fallback for notifications that the desktop rejects."""
        self._on_action, self._fallback = on_action, fallback

    def notify(self, notification: Notification) -> None:
        """Queue a notification; returns immediately."""
        self._call(lambda: self._enqueue(notification))

    def withdraw(self, issue: str) -> None:
        """Take away what is pending or shown about an issue; returns immediately."""
        self._call(lambda: self._withdraw(issue))

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
        if self._preferences().includes(notification):
            self._queue = add(self._queue, notification, self._now_s())
            self._changed.set()

    def _withdraw(self, issue: str) -> None:
        self._queue = withdraw(self._queue, issue)
        self._sending.discard(issue)
        for identifier, issues in list(self._shown.items()):
            issues.discard(issue)
            if not issues:
                del self._shown[identifier]
                self._cleared.append(identifier)
        self._changed.set()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._work())
        finally:
            self._loop.close()

    async def _work(self) -> None:
        while self._open:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._wait_s()):
                    await self._changed.wait()
            self._changed.clear()
            while self._cleared and self._open:
                await self._sender.clear(self._cleared.pop())
            now = self._now_s()
            self._queue, note = take_due(self._queue, now, quiet=self._is_quiet())
            if note is not None and self._open:
                await self._send(note)

    def _wait_s(self) -> float | None:
        if not self._queue.pending:
            return None
        due = due_at(self._queue, quiet=self._is_quiet())
        return _QUIET_CHECK_S if due is None else max(0.0, due - self._now_s())

    def _is_quiet(self) -> bool:
        return bool(self._queue.pending) and self._preferences().is_quiet(self._local_now())

    async def _send(self, notification: Notification) -> None:
        self._sending = set(notification.issues)
        identifier = await self._sender.send(notification, self._on_action)
        if identifier is not None:
            if self._sending:
                self._shown[identifier] = self._sending
            elif notification.issues:
                self._cleared.append(identifier)
                self._changed.set()
        elif self._fallback is None:
            # Its text may be that of a memory.
            self._log.warning("notification not shown", kind=notification.kind)
        else:
            self._fallback(notification)


def notify_once(notification: Notification) -> None:
    """Show a notification of a program that ends right afterwards, if the desktop shows any."""
    if sys.platform.startswith("linux") and not bus_is_reachable(os.environ):
        return
    # The program says the same elsewhere, whatever becomes of this.
    with contextlib.suppress(Exception):
        asyncio.run(DesktopNotifierSender().send(notification, _ignore))


def _urgency(notification: Notification) -> Urgency:
    if notification.kind in {"captured", "saved"}:
        return Urgency.Low
    return Urgency.Critical if notification.kind in URGENT else Urgency.Normal


def _ignore(_: NotificationAction) -> None:
    """Ignore clicks until `connect` is called."""
