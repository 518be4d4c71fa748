"""What macOS sends to an application as Apple events: links, and that it was opened once more.

Only an application bundle receives them (`installers/macos`). The system starts no second process
of a bundle that runs, and hands over links by event even at the start.
"""

import types
from collections.abc import Callable
from typing import Any, Final

from intaglio.base.log import get_logger
from intaglio.desktop.deep_links import InvalidLink, parse_link
from intaglio.desktop.gui_libraries import mac_library
from intaglio.desktop.values import Destination, OpenPage

# Four letters each, as the system's headers write them.
GET_URL: Final = int.from_bytes(b"GURL", "big")
REOPEN: Final = int.from_bytes(b"rapp", "big")
_CORE: Final = int.from_bytes(b"aevt", "big")
DIRECT_OBJECT: Final = int.from_bytes(b"----", "big")
_EVENTS: Final = ((GET_URL, GET_URL), (_CORE, REOPEN))
_LAUNCHED: Final = "NSApplicationDidFinishLaunchingNotification"


class AppleEvents:
    """Shows what an event asks for. Raises ImportError if PyObjC isn't installed."""

    def __init__(
        self,
        show: Callable[[Destination], None],
        load: Callable[[str], Any] = mac_library,
    ) -> None:
        self._show = show
        self._foundation = load("Foundation")
        self._receiver = self._make_receiver()

    def listen(self) -> None:
        """Receive events from now on; call it before the application's loop runs.

        The application installs a handler of its own for some events when it has launched, which
        is replaced again.
        """
        self._register()
        center = self._foundation.NSNotificationCenter.defaultCenter()
        center.addObserver_selector_name_object_(
            self._receiver, b"applicationLaunched:", _LAUNCHED, None
        )

    def _register(self) -> None:
        manager = self._foundation.NSAppleEventManager.sharedAppleEventManager()
        for event_class, event in _EVENTS:
            manager.setEventHandler_andSelector_forEventClass_andEventID_(
                self._receiver, b"receiveEvent:withReplyEvent:", event_class, event
            )

    def _make_receiver(self) -> Any:  # noqa: ANN401 - an object of Objective-C
        def receive(_receiver: object, event: Any, _reply: object) -> None:  # noqa: ANN401 - see above
            self._receive(event)

        def launched(_receiver: object, _notification: object) -> None:
            self._register()

        # Their names are those of the selectors, with an underscore for each colon.
        methods = {
            "receiveEvent_withReplyEvent_": receive,
            "applicationLaunched_": launched,
        }
        bases = (self._foundation.NSObject,)
        made = types.new_class("IntaglioEvents", bases, {}, lambda names: names.update(methods))
        untyped: Any = made
        return untyped.alloc().init()

    def _receive(self, event: Any) -> None:  # noqa: ANN401 - an object of Objective-C
        if event.eventID() == REOPEN:
            self._show(OpenPage())
            return
        described = event.paramDescriptorForKeyword_(DIRECT_OBJECT)
        destination = parse_link(str(described.stringValue()) if described is not None else "")
        if isinstance(destination, InvalidLink):
            get_logger("tray").info("refused a link", reason=destination.reason)
        else:
            self._show(destination)
