"""What one step of the supervisor reads and changes: the supervision and the effects so far."""

from dataclasses import replace

from intaglio.desktop.supervisor.state import Supervision
from intaglio.desktop.supervisor.values import Effect, NotifyUser, SupervisorState
from intaglio.desktop.values import NotificationKind


class StepContext:
    """The supervision during one step, and the effects that the step has produced, in order."""

    def __init__(self, supervision: Supervision) -> None:
        self.supervision = supervision
        self.effects: list[Effect] = []

    @property
    def now_s(self) -> float:
        """The current monotonic time."""
        return self.supervision.now.monotonic_s

    @property
    def in_grace(self) -> bool:
        """Whether the machine has just woken, so that silence and crashes don't count."""
        return self.now_s < self.supervision.grace_until

    def update(self, **changes: object) -> None:
        """Replace fields of the supervision."""
        self.supervision = replace(self.supervision, **changes)  # type: ignore[arg-type] # names of its fields

    def enter(self, state: SupervisorState) -> None:
        """Change the state, ignore the result of a probe in progress and probe immediately."""
        self.update(
            state=state,
            unanswered=0,
            probing=False,
            probe_number=self.supervision.probe_number + 1,
            next_probe_at=self.now_s,
        )

    def notify(self, kind: NotificationKind, text: str = "") -> None:
        """Notify the user once until the daemon is healthy again or the user has acted."""
        if kind not in self.supervision.notified:
            self.update(notified=self.supervision.notified | {kind})
            self.effects.append(NotifyUser(kind, text))

    def reset_notifications(self) -> None:
        """Allow every kind of notification again."""
        self.update(notified=frozenset[NotificationKind]())
