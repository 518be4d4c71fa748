"""A desktop portal of shortcuts and colours, whose user wants what the test says."""

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from fakes.waiting import PATIENCE_S

NAME: Final = "org.freedesktop.portal.Desktop"
PATH: Final = "/org/freedesktop/portal/desktop"
SHORTCUTS: Final = "org.freedesktop.portal.GlobalShortcuts"
SETTINGS: Final = "org.freedesktop.portal.Settings"
REQUEST: Final = "org.freedesktop.portal.Request"


@dataclass(slots=True)
class ShortcutsPortal:
    """The portal: what was asked of it, and what the user answers.

    ``agreed`` are the keys of the shortcuts that the user agrees to; None declines the dialog.
    """

    # Its method to send has no complete type.
    bus: Any
    loop: asyncio.AbstractEventLoop
    agreed: dict[str, str] | None = None
    preferred: dict[str, str] = field(default_factory=dict[str, str])
    session: str = ""
    is_dark: bool = False

    def take(self, message: Message) -> Message | None:
        """Answer a call as the portal does: with a request, and its response as a signal."""
        if message.message_type is not MessageType.METHOD_CALL:
            return None
        if message.interface == SETTINGS:
            return Message.new_method_return(message, "v", [Variant("v", self._scheme())])
        if message.interface != SHORTCUTS:
            return None
        sender = str(message.sender).removeprefix(":").replace(".", "_")
        options = message.body[-1]
        request = f"{PATH}/request/{sender}/{options['handle_token'].value}"
        code, results = 0, dict[str, Variant]()
        if message.member == "CreateSession":
            self.session = f"{PATH}/session/{sender}/{options['session_handle_token'].value}"
            results = {"session_handle": Variant("s", self.session)}
        else:
            rows = message.body[1]
            self.preferred = {row[0]: row[1]["preferred_trigger"].value for row in rows}
            code = 0 if self.agreed is not None else 1
            bound = [
                [name, {"trigger_description": Variant("s", keys)}]
                for name, keys in (self.agreed or {}).items()
            ]
            results = {"shortcuts": Variant("a(sa{sv})", bound)} if code == 0 else {}
        response = Message.new_signal(request, REQUEST, "Response", "ua{sv}", [code, results])
        self.loop.call_soon(self.bus.send, response)
        return Message.new_method_return(message, "o", [request])

    def _scheme(self) -> Variant:
        return Variant("u", int(self.is_dark))

    def set_dark(self, *, is_dark: bool) -> None:
        """Let the desktop become dark or light."""
        self.is_dark = is_dark
        names = ["org.freedesktop.appearance", "color-scheme", self._scheme()]
        changed = Message.new_signal(PATH, SETTINGS, "SettingChanged", "ssv", names)
        self.loop.call_soon_threadsafe(self.bus.send, changed)

    def press(self, name: str) -> None:
        """Tell the program that the keys of a shortcut were pressed."""
        pressed = Message.new_signal(
            PATH, SHORTCUTS, "Activated", "osta{sv}", [self.session, name, 1, {}]
        )
        self.loop.call_soon_threadsafe(self.bus.send, pressed)


async def _open(address: str, loop: asyncio.AbstractEventLoop) -> ShortcutsPortal:
    bus = await MessageBus(bus_address=address, bus_type=BusType.SESSION).connect()
    portal = ShortcutsPortal(bus, loop)
    bus.add_message_handler(portal.take)
    await bus.request_name(NAME)
    return portal


async def _close(bus: MessageBus) -> None:
    bus.disconnect()
    # The loop sees the connection's end in its next turn, and closes the socket.
    for _ in range(3):
        await asyncio.sleep(0)


@contextmanager
def running_portal(address: str) -> Generator[ShortcutsPortal]:
    """Run the portal on a bus while the block runs."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    portal = asyncio.run_coroutine_threadsafe(_open(address, loop), loop).result(PATIENCE_S)
    try:
        yield portal
    finally:
        asyncio.run_coroutine_threadsafe(_close(portal.bus), loop).result(PATIENCE_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE_S)
        loop.close()
