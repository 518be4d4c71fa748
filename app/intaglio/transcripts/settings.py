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
        help="Keeps what you and your agents say in sessions, so that later sessions can find "
        "it. Turning it off also deletes what was kept.",
        group=SettingGroup.CAPTURE,
        consequence=Consequence(
            "deletes", "All transcripts kept so far are deleted at the next cleanup.", (False,)
        ),
        words="conversations history past sessions privacy",
    )
