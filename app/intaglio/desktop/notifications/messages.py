"""The texts of the notifications; pure."""

from intaglio.desktop.supervisor.values import NotifyUser
from intaglio.desktop.values import Notification, OpenPage


def notification_for(request: NotifyUser, port: int | None) -> Notification:
    """Return the notification for a request of the supervisor."""
    match request.kind:
        case "daemon_failed":
            return Notification(
                request.kind,
                "Intaglio's daemon keeps crashing",
                f"{_sentence(request.text or 'It crashed five times')} To start it again, choose "
                "Restart daemon in Intaglio's menu. Sessions keep working and are captured later.",
            )
        case "port_taken":
            return Notification(
                request.kind,
                f"Another program is using Intaglio's port {port or ''}".rstrip(),
                "Quit that program, or choose another port in Intaglio's menu.",
            )
        case "refused":
            return Notification(request.kind, "Intaglio's daemon can't start", request.text)
        case "updated":
            return Notification(
                request.kind,
                f"Intaglio {request.text} installed",
                "The daemon is restarting. Quit and reopen Intaglio to update the tray icon too.",
            )
        case "degraded":
            return Notification(
                request.kind,
                "Intaglio's database is read-only",
                f"{_sentence(request.text)} Open the Status page to fix it or to restore a copy.",
                OpenPage("status"),
            )
        case "paused" | "captured" | "message":
            return Notification(request.kind, "Intaglio", request.text)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
