"""A desktop's notification service on a bus of its own, which a test looks at and clicks."""

import asyncio
import threading
from collections.abc import Coroutine, Generator, Iterable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from dbus_fast import Message
from dbus_fast.aio import MessageBus

from fakes.screen import session_env, start_bus
from fakes.waiting import PATIENCE_S

T = TypeVar("T")

NAME: Final = "org.freedesktop.Notifications"
PATH: Final = "/org/freedesktop/Notifications"
_CLOSED_BY_CALL: Final = 3
_METHODS: Final = {
    "Notify": (("s", "u", "s", "s", "s", "as", "a{sv}", "i"), ("u",)),
    "CloseNotification": (("u",), ()),
    "GetCapabilities": ((), ("as",)),
    "GetServerInformation": ((), ("s", "s", "s", "s")),
}
_IN: Final = ' direction="in"'
_OUT: Final = ' direction="out"'
_SIGNALS: Final = {"NotificationClosed": "uu", "ActionInvoked": "us"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A notification as the desktop shows it; ``actions`` are labels by key."""

    title: str
    text: str
    actions: dict[str, str]
    urgency: int


@dataclass(slots=True)
class NotificationHost:
    """The service; its properties and `press` are for the test's thread."""

    address: str
    loop: asyncio.AbstractEventLoop
    notes: dict[int, Shown] = field(default_factory=dict[int, Shown])
    bus: Any = None
    count: int = 0
    sender: str = ""

    @property
    def shown(self) -> list[Shown]:
        """What is on the screen, oldest first."""
        return list(self.notes.values())

    def press(self, label: str) -> None:
        """Press a button of the newest notification; it closes, as on a desktop.

        No hand is so fast that the sender hasn't read yet what number its notification has.
        """
        number, newest = list(self.notes.items())[-1]
        (key,) = (key for key, each in newest.actions.items() if each == label)
        self.wait(self._be_read())
        self.loop.call_soon_threadsafe(self.signal, "ActionInvoked", number, key)
        self.notes.pop(number)

    async def _be_read(self) -> None:
        """Wait until the sender has read all answers that it was sent."""
        ping = Message(self.sender, "/", "org.freedesktop.DBus.Peer", "Ping")
        await self.bus.call(ping)

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something on the service's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE_S)

    def signal(self, name: str, *body: Any) -> None:  # noqa: ANN401 - D-Bus
        """Send a signal; on the service's loop."""
        self.bus.send(Message.new_signal(PATH, NAME, name, _SIGNALS[name], list(body)))

    def take(self, message: Message) -> Message | None:
        """Answer a call."""
        match message.member:
            case "Introspect":
                return Message.new_method_return(message, "s", [_description()])
            case "GetCapabilities":
                return Message.new_method_return(message, "as", [["actions", "body"]])
            case "GetServerInformation":
                return Message.new_method_return(message, "ssss", ["stub", "tests", "1", "1.2"])
            case "Notify":
                _, _, _, title, text, actions, hints, _ = message.body
                labels = dict(zip(actions[::2], actions[1::2], strict=True))
                self.count += 1
                self.sender = message.sender or ""
                self.notes[self.count] = Shown(title, text, labels, hints["urgency"].value)
                return Message.new_method_return(message, "u", [self.count])
            case "CloseNotification":
                self.notes.pop(message.body[0], None)
                self.signal("NotificationClosed", message.body[0], _CLOSED_BY_CALL)
                return Message.new_method_return(message)
            case _:
                return None


def _description() -> str:
    """Describe the service as XML."""

    def arguments(types: Iterable[str], direction: str = "") -> str:
        return "".join(f'<arg type="{each}"{direction}/>' for each in types)

    methods = (
        f'<method name="{name}">{arguments(given, _IN)}{arguments(returned, _OUT)}</method>'
        for name, (given, returned) in _METHODS.items()
    )
    signals = (
        f'<signal name="{name}">{arguments(types)}</signal>' for name, types in _SIGNALS.items()
    )
    inner = "".join([*methods, *signals])
    return f'<node><interface name="{NAME}">{inner}</interface></node>'


async def _open(host: NotificationHost) -> None:
    host.bus = await MessageBus(bus_address=host.address).connect()
    host.bus.add_message_handler(host.take)
    await host.bus.request_name(NAME)


async def _close(host: NotificationHost) -> None:
    host.bus.disconnect()
    for _ in range(3):
        await asyncio.sleep(0)


@contextmanager
def notification_host_on(address: str) -> Generator[NotificationHost]:
    """Run the service on a bus while the block runs."""
    host = NotificationHost(address, asyncio.new_event_loop())
    thread = threading.Thread(target=host.loop.run_forever, daemon=True)
    thread.start()
    host.wait(_open(host))
    try:
        yield host
    finally:
        host.wait(_close(host))
        host.loop.call_soon_threadsafe(host.loop.stop)
        thread.join(PATIENCE_S)
        host.loop.close()


@contextmanager
def running_notification_host(folder: Path) -> Generator[NotificationHost]:
    """Run a bus and the service on it while the block runs."""
    with ExitStack() as stack:
        runtime = TemporaryDirectory(prefix="session-", ignore_cleanup_errors=True)
        env = session_env(folder, stack.enter_context(runtime))
        address = start_bus(stack, folder, env)
        yield stack.enter_context(notification_host_on(address))
