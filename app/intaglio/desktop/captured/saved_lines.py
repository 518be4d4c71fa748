"""The notification that shows the lines that capture saved, with a way to undo that; pure."""

from typing import Final

from intaglio.base.text import clip
from intaglio.desktop.values import (
    CapturedLine,
    Notification,
    NotificationButton,
    OpenMemory,
    OpenPage,
    UndoSaved,
)

_TITLE_CHARS: Final = 70
_LINE_CHARS: Final = 100
_MAX_LINES: Final = 4


def saved_notification(lines: tuple[CapturedLine, ...]) -> Notification:
    """Return the notification for one or more lines; only what it shows can be undone by it."""
    undo = NotificationButton(
        "Undo" if len(lines) == 1 else "Undo all", UndoSaved(tuple(one.id for one in lines))
    )
    if len(lines) == 1:
        text = lines[0].text
        title = f"Saved: {clip(text, _TITLE_CHARS)}"
        more = "" if title.endswith(text) else text
        return Notification("saved", title, more, OpenMemory(lines[0].id), undo, saved=lines)
    shown = [clip(one.text, _LINE_CHARS) for one in lines[:_MAX_LINES]]
    rest = len(lines) - len(shown)
    return Notification(
        "saved",
        f"Saved {len(lines)} memories",
        "\n".join([*shown, *([f"and {rest} more"] if rest else [])]),
        OpenPage("memories"),
        None if rest else undo,
        saved=lines,
    )
