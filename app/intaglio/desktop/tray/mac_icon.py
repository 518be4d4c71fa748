"""What pystray's icon lacks on macOS: updates on the main thread, a template image, signals."""

import signal
from collections.abc import Callable
from typing import Any, Final

from intaglio.desktop.gui_libraries import mac_library

_SIGNALS: Final = (signal.SIGTERM, *((signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()))


def run_on_main_thread(work: Callable[[], None], load: Callable[[str], Any] = mac_library) -> None:
    """Have the application's loop run something: AppKit may be used on the main thread only."""
    load("PyObjCTools.AppHelper").callAfter(work)


def use_template_images(icon: Any) -> None:  # noqa: ANN401 - pystray has no types
    """Mark each image of pystray's icon as a template, which the system colours for its menu bar.

    pystray makes an image anew whenever the icon changes, and has no hook for that.
    """
    make_image = icon._assert_image  # noqa: SLF001 - see above

    def make_template() -> None:
        make_image()
        icon._icon_image.setTemplate_(True)  # noqa: SLF001 - see above

    icon._assert_image = make_template  # noqa: SLF001 - see above


def forward_signals(load: Callable[[str], Any] = mac_library) -> None:
    """Let signals reach their handlers in Python while the loop of AppKit waits for events.

    pystray does so for SIGINT.
    """
    mach_signals = load("PyObjCTools.MachSignals")
    for number in _SIGNALS:
        handler = signal.getsignal(number)
        if callable(handler):
            mach_signals.signal(number, _without_frame(handler))


def _without_frame(handler: Callable[[int, None], object]) -> Callable[[int], None]:
    def handle(number: int) -> None:
        handler(number, None)

    return handle
