"""How the database is backed up, and how long data is kept."""

from dataclasses import dataclass
from typing import Any

from intaglio.base.settings.declaration import Consequence, SettingGroup, setting


@dataclass(frozen=True, slots=True)
class BackupSettings:
    """How the database is backed up."""

    enabled: bool = setting(
        True,
        "backup.enabled",
        label="Back up the database once a day",
        help="Backups stay on this machine, beside the database.",
        group=SettingGroup.PRIVACY,
        words="backup save copy",
    )
    keep: int = setting(
        7,
        "backup.keep",
        label="Backups to keep",
        help="The newest ones. The last good one, the fullest one, and the first of each of the "
        "last two days and weeks are kept as well.",
        group=SettingGroup.PRIVACY,
        unit="backups",
        bounds=(1, 365),
        consequence=Consequence(
            "deletes", "Older backups are deleted with the next backup.", change="less"
        ),
        words="disk space",
    )


def _days(default: int, key: str, label: str, what: str, words: str = "") -> Any:  # noqa: ANN401 - as `setting`
    return setting(
        default,
        f"retention.{key}",
        label=label,
        help=f"{what} 0 keeps them forever.",
        group=SettingGroup.PRIVACY,
        unit="days",
        bounds=(0, 36_500),
        consequence=Consequence(
            "deletes", "What is older than this is deleted at the next cleanup.", change="less"
        ),
        words=words or "retention",
    )


@dataclass(frozen=True, slots=True)
class RetentionSettings:
    """How long data is kept, and how the retention sweep deletes it."""

    transcript_days: int = _days(
        180,
        "transcriptDays",
        "Keep transcripts for",
        "What was said in a session, after its last message.",
        "conversations history retention",
    )
    session_days: int = _days(
        180,
        "sessionDays",
        "Keep sessions for",
        "Sessions and what became of them, after their last activity.",
    )
    history_days: int = _days(
        180, "historyDays", "Keep the history of memories for", "Records of what changed and why."
    )
    sent_text_days: int = _days(
        30,
        "sentTextDays",
        "Keep the text that agents were told for",
        "The exact texts that sessions received.",
        "injected prompts retention",
    )
    ledger_days: int = _days(
        90,
        "ledgerDays",
        "Keep records of what agents were told for",
        "Which memories a session received and why, without the exact text.",
        "ledger injected retention",
    )
    inbox_days: int = _days(
        90, "inboxDays", "Keep decided inbox items for", "Items you have decided on."
    )
    entity_change_days: int = _days(
        90,
        "entityChangeDays",
        "Changes to entities can be undone for",
        "Records of your changes to entities.",
    )
    feedback_days: int = _days(
        180, "feedbackDays", "Keep ratings of memories for", "Sessions' ratings of memories."
    )
    statistics_days: int = _days(
        1_095,
        "statisticsDays",
        "Keep statistics for",
        "How much was learned, told and used on each day: numbers only.",
        "counts growth retention",
    )
    forgotten_days: int = _days(
        0,
        "forgottenDays",
        "Never capture forgotten memories again for",
        "Hashes of forgotten memories; they don't contain the text.",
    )
    set_aside_days: int = _days(
        90,
        "setAsideDays",
        "Keep databases replaced by a restore for",
        "A restore sets the previous database aside.",
        "backup retention",
    )
    completed_job_days: int = _days(
        14, "completedJobDays", "Keep completed background jobs for", "Records of completed jobs."
    )
    dead_job_days: int = _days(
        30, "deadJobDays", "Keep failed background jobs for", "Records of failed jobs."
    )
    interval_hours: int = setting(
        6,
        "retention.intervalHours",
        label="Time between cleanups",
        help="How often data past its retention period is deleted.",
        group=SettingGroup.ADVANCED,
        unit="hours",
        bounds=(1, 168),
        words="retention sweep",
    )
    batch_limit: int = setting(
        500,
        "retention.batchLimit",
        label="Rows deleted per transaction",
        help="With fewer, other writes wait less.",
        group=SettingGroup.ADVANCED,
        unit="rows",
        bounds=(10, 10_000),
        words="retention sweep",
    )
