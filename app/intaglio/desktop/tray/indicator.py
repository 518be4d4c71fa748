"""Makes an indicator anew that missed its panel, so that its icon appears after all.

libayatana-appindicator 0.5.92 asks for the session bus and watches for a panel at the same time. If
it learns of the panel first, as happens on a busy machine, it never registers with it.
"""

from collections.abc import Callable
from typing import Any, Final

from intaglio.base.log import get_logger

_CHECK_EVERY_MS: Final = 2_000
_MAX_CHECKS: Final = 5


class IndicatorCheck:
    """Checks pystray's indicator a few times after its start.

    ``has_panel`` says whether a panel is there to register with; without one, the indicator waits
    for it. ``make_menu`` makes an empty menu of the toolkit. Call `start` and `run_once` on the
    toolkit's thread.
    """

    def __init__(
        self,
        icon: Any,  # noqa: ANN401 - pystray has no types
        has_panel: Callable[[], bool],
        make_menu: Callable[[], object],
    ) -> None:
        self._icon = icon
        self._has_panel = has_panel
        self._make_menu = make_menu
        self._left = _MAX_CHECKS
        # The library disposes of some parts again when a disposed indicator is freed.
        self._replaced: list[Any] = []

    def start(self, call_after_ms: Callable[[int, Callable[[], bool]], object]) -> None:
        """Check until the indicator is registered; icons of other kinds need no check.

        ``call_after_ms`` calls a function after so many milliseconds, again while it returns true.
        """
        if hasattr(self._icon, "_appindicator"):
            call_after_ms(_CHECK_EVERY_MS, self.run_once)

    def run_once(self) -> bool:
        """Make the indicator anew if it missed its panel; returns whether to check again."""
        indicator = self._icon._appindicator  # noqa: SLF001 - pystray doesn't make it anew
        self._left -= 1
        if indicator.get_property("connected"):
            return False
        if self._has_panel():
            get_logger("tray").info("the icon missed its panel; registering it again")
            # Disposing of it with the icon's menu would leave the new one without a menu at the
            # menu's next change.
            indicator.set_menu(self._make_menu())
            indicator.run_dispose()
            self._replaced.append(indicator)
            renewed = indicator.new(self._icon.name, "", indicator.get_category())
            self._icon._appindicator = renewed  # noqa: SLF001 - see above
            self._icon._show()  # noqa: SLF001 - see above
        return self._left > 0
