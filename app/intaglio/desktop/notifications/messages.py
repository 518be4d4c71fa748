"""What the desk tells the user unasked: the texts of its notifications; pure."""

from intaglio.desktop.supervisor.values import NotifyUser
from intaglio.desktop.values import Notification, OpenPage


def notification_for(told: NotifyUser, port: int | None) -> Notification:
    """Write the note for what the supervisor has to tell."""
    match told.kind:
        case "daemon_failed":
            return Notification(
                told.kind,
                "Intaglio's daemon fails again and again",
                f"{told.text or 'It ended five times.'} It is not started again until you choose "
                "Restart daemon. Sessions go on; what they say is kept and read later.",
            )
        case "port_taken":
            return Notification(
                told.kind,
                f"Another program has Intaglio's port {port or ''}".rstrip(),
                "Stop that program, or choose another port in Intaglio's menu.",
            )
        case "refused":
            return Notification(told.kind, "Intaglio's daemon cannot run", told.text)
        case "updated":
            return Notification(
                told.kind,
                f"Intaglio {told.text} is installed",
                "The daemon is restarted. Quit and open Intaglio to renew the tray too.",
            )
        case "degraded":
            return Notification(
                told.kind, "Intaglio's database is only read", told.text, OpenPage()
            )
        case "paused" | "told":
            return Notification(told.kind, "Intaglio", told.text)
