"""The icon's theme is looked at again where the desktop doesn't tell of a change."""

import threading
from collections.abc import Iterator

from intaglio.desktop.tray.theme_watch import poll_theme


def test_only_a_change_of_the_theme_is_told() -> None:
    stopped = threading.Event()
    told: list[str] = []
    looks: Iterator[bool] = iter([False, False, True, True, False])

    def is_dark() -> bool:
        look = next(looks, None)
        if look is None:
            stopped.set()
        return bool(look)

    poll_theme(stopped, is_dark, lambda: told.append("changed"), every_s=0.001)
    assert told == ["changed", "changed"]
