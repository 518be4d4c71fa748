"""The settings of transcripts."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Consequence, SettingGroup, setting


@dataclass(frozen=True, slots=True)
class TranscriptSettings:
    """Whether what is said in sessions is kept."""

    enabled: bool = setting(
        True,
        "capture.transcripts",
        label="Keep transcripts",
        help="Keeps what you and your agents say in sessions, so that later sessions find it. Off "
        "also deletes what is kept.",
        group=SettingGroup.CAPTURE,
        consequence=Consequence(
            "deletes", "All transcripts that are kept are deleted at the next cleanup.", (False,)
        ),
        words="conversations history past sessions privacy",
    )
