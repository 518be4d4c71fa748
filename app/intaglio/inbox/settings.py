"""The settings of the inbox."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import SettingGroup, setting


@dataclass(frozen=True, slots=True)
class InboxSettings:
    """How long suggestions wait."""

    suggestion_days: int = setting(
        14,
        "capture.suggestionDays",
        label="Suggestions expire after",
        help="If you haven't decided on them by then. 0 keeps them open.",
        group=SettingGroup.CAPTURE,
        unit="days",
        bounds=(0, 3_650),
        words="inbox suggestion days",
    )
