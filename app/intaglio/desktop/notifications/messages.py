"""The texts of the notifications; pure."""

from intaglio.desktop.deep_links import page_of
from intaglio.desktop.supervisor.values import NotifyUser
from intaglio.desktop.values import Notification, OpenAddress, OpenPage
from intaglio.domain.issues import Issue


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
                "The daemon is restarting. To update the tray icon too, choose Restart to finish "
                "the update in its menu.",
            )
        case "degraded":
            return Notification(
                request.kind,
                "Intaglio's database is read-only",
                f"{_sentence(request.text)} Open the Health page to fix it or to restore a copy.",
                OpenPage("status"),
            )
        case "paused" | "captured" | "saved" | "danger" | "issue" | "message":
            return Notification(request.kind, "Intaglio", request.text)


def issue_notification(issue: Issue) -> Notification:
    """Return the notification for an issue that needs a person: what happened, in short.

    What to do is on the page that it leads to, where a command can be copied.
    """
    first, separator, _ = issue.text.partition(". ")
    is_led_to_command = bool(issue.command) and not separator
    return Notification(
        "danger" if issue.level == "danger" else "issue",
        issue.title,
        "" if is_led_to_command else f"{first}{separator.strip()}",
        page_of(issue),
        issues=(issue.id,),
    )


def pause_ended_notification() -> Notification:
    """Return the notification for a pause that ended by itself."""
    return Notification("paused", "Capture is on again", "The pause is over.")


def update_notification(version: str) -> Notification:
    """Return the notification of a version that the user can install."""
    return Notification(
        "updated",
        f"Intaglio {version} is available",
        "Settings show how to install it.",
        OpenAddress("/settings/Updates"),
    )


def undone_notification(count: int) -> Notification:
    """Return the answer to undoing what was saved."""
    if not count:
        return Notification(
            "message", "Nothing was forgotten", "It's forgotten already, or pinned."
        )
    title = "Memory forgotten" if count == 1 else f"{count} memories forgotten"
    return Notification("message", title, "You can restore it in Memories, under Forgotten.")


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
