"""Holds shortcuts through the desktop portal, as Wayland sessions want it.

The desktop asks the user before it binds keys, and may bind others than the preferred ones. The
interface is ``org.freedesktop.portal.GlobalShortcuts``, as the documentation of xdg-desktop-portal
has it.
"""

import asyncio
import contextlib
import threading
from collections.abc import Mapping
from concurrent.futures import CancelledError as CancelledFuture
from typing import Any, Final

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.errors import DBusFastError

from intaglio.base.installation import command
from intaglio.base.log import get_logger
from intaglio.base.shortcut import Modifier, Shortcut
from intaglio.desktop.hotkeys.keysyms import keysym_name
from intaglio.desktop.hotkeys.values import GrabbedKeys, GrabResult, Pressed, RefusedKeys
from intaglio.desktop.values import HotkeyName

_PORTAL: Final = "org.freedesktop.portal.Desktop"
_PATH: Final = "/org/freedesktop/portal/desktop"
_SHORTCUTS: Final = "org.freedesktop.portal.GlobalShortcuts"
_REQUEST: Final = "org.freedesktop.portal.Request"
_REGISTRY: Final = "org.freedesktop.host.portal.Registry"
_BUS: Final = "org.freedesktop.DBus"
_APP_ID: Final = "intaglio"
_CALL_TIMEOUT_S: Final = 5.0
# The user reads a dialog and perhaps presses the keys there.
_ANSWER_TIMEOUT_S: Final = 180.0
_MODIFIERS: Final[dict[Modifier, str]] = {
    "Ctrl": "CTRL",
    "Alt": "ALT",
    "Shift": "SHIFT",
    "Super": "LOGO",
}
_DESCRIPTIONS: Final[dict[HotkeyName, str]] = {
    "remember": "Remember something",
    "search": "Search memories",
}
_LINKS: Final[dict[HotkeyName, str]] = {
    "remember": "intaglio://remember",
    "search": "intaglio://search",
}
_DECLINED: Final = RefusedKeys(
    "You declined it in the desktop's dialog. Reset it to be asked again."
)


class _PortalError(Exception):
    """The portal refused a call, is missing, or didn't answer in time."""


def trigger_of(shortcut: Shortcut) -> str:
    """Write a shortcut as the portal wants it, such as ``CTRL+ALT+m``."""
    held = (word for name, word in _MODIFIERS.items() if name in shortcut.modifiers)
    return "+".join((*held, keysym_name(shortcut.key)))


def _unavailable(name: HotkeyName) -> RefusedKeys:
    return RefusedKeys(
        "This desktop has no shortcuts for programs. Set one in its own settings that runs "
        f"`{command(f'open {_LINKS[name]}')}`."
    )


class PortalGrabber:
    """Binds shortcuts in a session of the portal; implements `KeyGrabber`."""

    def __init__(self, answer_timeout_s: float = _ANSWER_TIMEOUT_S) -> None:
        self._answer_timeout_s = answer_timeout_s
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._session: _PortalSession | None = None
        self._is_closed = False

    def grab(
        self, wanted: Mapping[HotkeyName, Shortcut], pressed: Pressed
    ) -> Mapping[HotkeyName, GrabResult]:
        """Bind these shortcuts in a new session; waits for the user's answer to the desktop."""
        with self._lock:
            if self._is_closed or (self._thread is None and not wanted):
                return dict.fromkeys(wanted, _DECLINED)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="intaglio-hotkeys-portal", daemon=True
                )
                self._thread.start()
            work = asyncio.run_coroutine_threadsafe(self._bind(wanted, pressed), self._loop)
        try:
            return work.result()
        except CancelledFuture:
            return dict.fromkeys(wanted, _DECLINED)

    def close(self) -> None:
        """Close the session, with which the desktop lets the keys go."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            if self._thread is None:
                self._loop.close()
                return
        self._loop.call_soon_threadsafe(self._finish)
        self._thread.join(_CALL_TIMEOUT_S)

    def _run(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    def _finish(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        if self._session is not None:
            self._session.disconnect()
        # The connection is closed in the loop's next turns.
        self._loop.call_later(0.05, self._loop.stop)

    async def _bind(
        self, wanted: Mapping[HotkeyName, Shortcut], pressed: Pressed
    ) -> Mapping[HotkeyName, GrabResult]:
        if self._session is not None:
            self._session.disconnect()
            self._session = None
        if not wanted:
            return {}
        try:
            self._session = await _PortalSession.open(pressed, self._answer_timeout_s)
            bound = await self._session.bind(wanted)
        except (_PortalError, DBusFastError, OSError, EOFError) as error:
            get_logger("hotkeys").info("no shortcuts from the portal", error=str(error))
            return {name: _unavailable(name) for name in wanted}
        return {name: GrabbedKeys(bound[name]) if name in bound else _DECLINED for name in wanted}


class _PortalSession:
    """One connection to the portal and its session of shortcuts."""

    def __init__(self, bus: MessageBus, pressed: Pressed, answer_timeout_s: float) -> None:
        self._bus = bus
        self._pressed = pressed
        self._answer_timeout_s = answer_timeout_s
        self._answers: dict[str, asyncio.Future[tuple[int, dict[str, Variant]]]] = {}
        self._handle = ""
        self._number = 0

    @classmethod
    async def open(cls, pressed: Pressed, answer_timeout_s: float) -> "_PortalSession":
        """Connect, and create a session; raises _PortalError where there is no such portal."""
        bus = await MessageBus(bus_type=BusType.SESSION).connect()
        session = cls(bus, pressed, answer_timeout_s)
        try:
            await session._create()
        except BaseException:
            bus.disconnect()
            raise
        return session

    async def _create(self) -> None:
        self._bus.add_message_handler(self._receive)
        for interface in (_SHORTCUTS, _REQUEST):
            rule = f"type='signal',sender='{_PORTAL}',interface='{interface}'"
            await self._call(_BUS, "/org/freedesktop/DBus", _BUS, "AddMatch", "s", rule)
        with contextlib.suppress(_PortalError):
            # Portals since 2025 want to know which program this is; others don't have the call.
            await self._call(_PORTAL, _PATH, _REGISTRY, "Register", "sa{sv}", _APP_ID, {})
        options = {"session_handle_token": Variant("s", "intaglio")}
        results = await self._request("CreateSession", "a{sv}", options=options)
        handle = results.get("session_handle")
        if handle is None:
            raise _PortalError("the portal gave no session")
        self._handle = str(handle.value)

    async def bind(self, wanted: Mapping[HotkeyName, Shortcut]) -> dict[HotkeyName, str]:
        """Ask for the shortcuts; returns the keys of the bound ones, as the desktop names them."""
        rows = [
            [
                name,
                {
                    "description": Variant("s", _DESCRIPTIONS[name]),
                    "preferred_trigger": Variant("s", trigger_of(shortcut)),
                },
            ]
            for name, shortcut in wanted.items()
        ]
        before = (self._handle, rows, "")
        results = await self._request("BindShortcuts", "oa(sa{sv})sa{sv}", *before)
        bound = results.get("shortcuts")
        if bound is None:
            return {}
        named = {str(row[0]): row[1] for row in bound.value}
        return {name: _keys_of(named[name]) for name in wanted if name in named}

    async def _request(
        self,
        member: str,
        signature: str,
        *before: object,
        options: Mapping[str, Variant] | None = None,
    ) -> dict[str, Variant]:
        """Make a request and wait for the user's answer; an empty one was declined."""
        self._number += 1
        token = f"intaglio{self._number}"
        sender = (self._bus.unique_name or "").removeprefix(":").replace(".", "_")
        path = f"{_PATH}/request/{sender}/{token}"
        answer = asyncio.get_running_loop().create_future()
        self._answers[path] = answer
        every = {"handle_token": Variant("s", token), **(options or {})}
        await self._call(_PORTAL, _PATH, _SHORTCUTS, member, signature, *before, every)
        try:
            async with asyncio.timeout(self._answer_timeout_s):
                code, results = await answer
        except TimeoutError as error:
            raise _PortalError(f"no answer to {member}") from error
        return results if code == 0 else {}

    async def _call(
        self, name: str, path: str, interface: str, member: str, signature: str, *body: object
    ) -> list[Any]:
        message = Message(
            destination=name,
            path=path,
            interface=interface,
            member=member,
            signature=signature,
            body=list(body),
        )
        try:
            async with asyncio.timeout(_CALL_TIMEOUT_S):
                reply = await self._bus.call(message)
        except TimeoutError as error:
            raise _PortalError(f"no reply to {member}") from error
        if reply.message_type is MessageType.ERROR:
            raise _PortalError(f"{member}: {reply.body}")
        return reply.body

    def _receive(self, message: Message) -> None:
        if message.message_type is not MessageType.SIGNAL:
            return
        if message.interface == _REQUEST and message.member == "Response":
            answer = self._answers.pop(message.path or "", None)
            if answer is not None and not answer.done():
                answer.set_result((int(message.body[0]), message.body[1]))
        elif message.interface == _SHORTCUTS and message.member == "Activated":
            session, name = str(message.body[0]), str(message.body[1])
            if session == self._handle:
                self._activate(name)

    def _activate(self, name: str) -> None:
        match name:
            case "remember" | "search":
                self._pressed(name)
            case _:
                pass

    def disconnect(self) -> None:
        """Leave the bus: the portal closes the sessions of whoever leaves."""
        self._bus.disconnect()


def _keys_of(described: Mapping[str, Variant]) -> str:
    found = described.get("trigger_description")
    return str(found.value) if found is not None else ""
