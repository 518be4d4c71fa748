"""How much was captured since the dashboard was last opened, and how the tray says it; pure."""

from dataclasses import dataclass

from intaglio.desktop.values import Notification, OpenPage


@dataclass(frozen=True, slots=True)
class CapturedCounts:
    """The memories kept and the suggestions waiting since ``since``.

    ``session_ended_at`` is when the latest session ended, empty if none has since.
    """

    since: str
    kept: int = 0
    suggested: int = 0
    session_ended_at: str = ""


def captured_text(kept: int, suggested: int) -> str:
    """Return the counts as text, such as "3 memories saved, 2 suggestions"; empty if both are 0."""
    suggestions = "1 suggestion" if suggested == 1 else f"{suggested:,} suggestions"
    saved = "1 memory saved" if kept == 1 else f"{kept:,} memories saved"
    parts = (saved if kept else "", suggestions if suggested else "")
    return ", ".join(part for part in parts if part)


def captured_page(suggested: int) -> OpenPage:
    """Return where the user sees them: the inbox if something waits there, else Home."""
    return OpenPage("inbox") if suggested else OpenPage("home", navigates=True)


def session_notification(before: CapturedCounts, now: CapturedCounts) -> Notification | None:
    """Return the notification for a session that has ended and left suggestions since ``before``.

    ``before`` are the counts at the previous session's end, or those that were found at the start.
    What was saved was notified before.
    """
    if now.session_ended_at <= before.session_ended_at:
        return None
    known = before.suggested if before.since == now.since else 0
    text = captured_text(0, max(0, now.suggested - known))
    if not text:
        return None
    hint = "Decide in the inbox what becomes a memory."
    return Notification("captured", f"Intaglio: {text}", hint, captured_page(now.suggested))
