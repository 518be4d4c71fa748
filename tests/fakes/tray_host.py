"""A panel that shows tray icons as today's desktops do: by D-Bus (StatusNotifierItem, dbusmenu)."""

import asyncio
import threading
import time
from collections.abc import Coroutine, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from dbus_fast import BusType, Message, MessageType, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_property

from fakes.waiting import PATIENCE_S, wait_for

T = TypeVar("T")

WATCHER: Final = "org.kde.StatusNotifierWatcher"
ITEM: Final = "org.kde.StatusNotifierItem"
MENU: Final = "com.canonical.dbusmenu"
PROPERTIES: Final = "org.freedesktop.DBus.Properties"


class _Watcher(ServiceInterface):
    """What an icon asks before it comes: whether there is a panel."""

    def __init__(self) -> None:
        super().__init__(WATCHER)

    @dbus_property(access=PropertyAccess.READ)
    def IsStatusNotifierHostRegistered(self) -> "b":  # type: ignore[name-defined]  # noqa: N802, F821 - the bus's own name and type
        return True

    @dbus_property(access=PropertyAccess.READ)
    def ProtocolVersion(self) -> "i":  # type: ignore[name-defined]  # noqa: N802, F821 - see above
        return 0


@dataclass(slots=True)
class MenuRow:
    """An entry of the menu as a panel draws it."""

    id: int
    label: str
    enabled: bool
    checked: bool | None
    separator: bool
    rows: list["MenuRow"] = field(default_factory=list["MenuRow"])


@dataclass(slots=True)
class TrayHost:
    """The panel; every method may be called from the test's thread."""

    bus: MessageBus
    loop: asyncio.AbstractEventLoop
    items: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def take(self, message: Message) -> Message | None:
        """Note an icon that comes, and one that goes."""
        if message.member == "NameOwnerChanged" and not message.body[2]:
            self.items = [item for item in self.items if item[0] != message.body[0]]
        if message.member == "RegisterStatusNotifierItem":
            told = str(message.body[0])
            path = told if told.startswith("/") else "/StatusNotifierItem"
            # An icon may say more than once that it is there.
            if (item := (str(message.sender), path)) not in self.items:
                self.items.append(item)
            return Message.new_method_return(message)
        return None

    def call(self, name: str, path: str, member: tuple[str, str], *body: Any) -> list[Any]:  # noqa: ANN401 - D-Bus
        """Call a method; the interface and its name, the signature before the arguments."""
        signature, arguments = (str(body[0]), list(body[1:])) if body else ("", [])
        message = Message(
            destination=name,
            path=path,
            interface=member[0],
            member=member[1],
            signature=signature,
            body=arguments,
        )
        reply = self.wait(self.bus.call(message))
        assert reply is not None
        if reply.message_type == MessageType.ERROR:
            raise AssertionError(f"{member}: {reply.body}")
        return reply.body

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something on the panel's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE_S)

    def property(self, name: str) -> Any:  # noqa: ANN401 - D-Bus
        """Read a property of the newest icon."""
        owner, path = self.items[-1]
        value: Variant = self.call(owner, path, (PROPERTIES, "Get"), "ss", ITEM, name)[0]
        return value.value

    def menu(self) -> list[MenuRow]:
        """Read the menu, as a panel does when it is clicked."""
        owner, path = self.items[-1][0], self.property("Menu")
        self.call(owner, path, (MENU, "AboutToShow"), "i", 0)
        _, root = self.call(owner, path, (MENU, "GetLayout"), "iias", 0, -1, [])
        return _row(root).rows

    def texts(self) -> list[str]:
        """List the labels of the menu's first level."""
        return [row.label for row in self.menu() if not row.separator]

    def entry(self, *labels: str) -> MenuRow:
        """Wait for an entry, named with the groups above it; each by how it begins.

        A menu that is being drawn anew has no entries, or empty groups, for a moment.
        """
        found: list[MenuRow] = []

        def is_there() -> bool:
            row = _entry(rows := self.menu(), labels)
            assert row is not None, f"only {[one.label for one in rows]}"
            found[:] = [row]
            return True

        wait_for(is_there, f"an entry {labels}")
        return found[0]

    def choose(self, *labels: str) -> None:
        """Click an entry; see `entry`.

        One that was drawn anew between the look and the click has another number by then, and the
        click on the old one is refused.
        """

        def is_chosen() -> bool:
            found = self.entry(*labels)
            assert found.enabled, f"{found.label} cannot be chosen"
            moment = int(time.time()) & 0xFFFFFFFF
            event = ("isvu", found.id, "clicked", Variant("i", 0), moment)
            self.call(self.items[-1][0], self.property("Menu"), (MENU, "Event"), *event)
            return True

        wait_for(is_chosen, f"a click on {labels}")


def _entry(rows: list[MenuRow], labels: Sequence[str]) -> MenuRow | None:
    found = next((row for row in rows if row.label.startswith(labels[0])), None)
    if found is None or len(labels) == 1:
        return found
    return _entry(found.rows, labels[1:])


def _row(layout: list[Any]) -> MenuRow:
    number, told, children = layout
    facts: dict[str, Any] = {name: value.value for name, value in told.items()}
    ticked = bool(facts.get("toggle-state")) if facts.get("toggle-type") else None
    return MenuRow(
        id=number,
        # A panel draws a doubled underscore as one, and a single one as a mark.
        label=str(facts.get("label", "")).replace("__", "\0").replace("_", "").replace("\0", "_"),
        enabled=bool(facts.get("enabled", True)),
        checked=ticked,
        separator=facts.get("type") == "separator",
        rows=[_row(child.value) for child in children],
    )


async def _open(address: str) -> MessageBus:
    bus = await MessageBus(bus_address=address, bus_type=BusType.SESSION).connect()
    bus.export("/StatusNotifierWatcher", _Watcher())
    return bus


async def _close(bus: MessageBus) -> None:
    bus.disconnect()
    # The loop sees the connection's end in its next turn, and closes the socket.
    for _ in range(3):
        await asyncio.sleep(0)


@contextmanager
def running_tray_host(address: str) -> Generator[TrayHost]:
    """Run a panel on the bus while the block runs."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    bus = asyncio.run_coroutine_threadsafe(_open(address), loop).result(PATIENCE_S)
    host = TrayHost(bus, loop)
    bus.add_message_handler(host.take)
    host.wait(bus.request_name(WATCHER))
    goes = "type='signal',interface='org.freedesktop.DBus',member='NameOwnerChanged'"
    bus_itself = ("org.freedesktop.DBus", "/org/freedesktop/DBus")
    host.call(*bus_itself, ("org.freedesktop.DBus", "AddMatch"), "s", goes)
    try:
        yield host
    finally:
        host.wait(_close(bus))
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE_S)
        loop.close()
