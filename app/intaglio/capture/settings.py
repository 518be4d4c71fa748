"""The settings of capture."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Choice, Consequence, SettingGroup, setting


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """How sure capture must be of a statement, and when it judges a session as a whole."""

    keep_at: float = setting(
        0.7,
        "capture.keepAt",
        label="How sure capture must be to save",
        help="Raise it to keep less: statements of which capture is less sure aren't saved.",
        group=SettingGroup.CAPTURE,
        bounds=(0, 1),
        words="keep less more save capture fewer memories threshold confidence",
    )
    suggest_at: float = setting(
        0.54,
        "capture.suggestAt",
        label="How sure capture must be to suggest",
        help="A statement that falls between this and the value for saving waits in the inbox "
        "for your decision.",
        group=SettingGroup.CAPTURE,
        bounds=(0, 1),
        words="keep less inbox threshold confidence suggestions",
    )
    reminders: str = setting(
        "normal",
        "capture.reminders",
        label="Remind agents to save",
        help="An agent that has the tools is reminded when you say something that may matter "
        "later. A reminder costs about 46 tokens.",
        group=SettingGroup.TOLD,
        choices=(Choice("normal", "Normal"), Choice("fewer", "Fewer"), Choice("off", "Off")),
        consequence=Consequence("tokens", "A reminder costs about 46 tokens.", ("normal",)),
        words="save reminder notes tell less",
    )
    reminders_per_session: int = setting(
        12,
        "capture.remindersPerSession",
        label="Reminders per session",
        help="The most times an agent is reminded in one session.",
        group=SettingGroup.TOLD,
        unit="reminders",
        bounds=(0, 1_000),
        consequence=Consequence("tokens", "A reminder costs about 46 tokens.", change="more"),
        words="save reminder limit",
    )
    settle_minutes: int = setting(
        30,
        "capture.settleMinutes",
        label="A session counts as over after",
        help="Once it has ended or been idle for this long, what you repeated in it is merged "
        "and what you withdrew is taken back.",
        group=SettingGroup.ADVANCED,
        unit="minutes",
        bounds=(1, 1_440),
        words="idle settle merge",
    )
