"""The settings of the daemon."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Choice, Consequence, SettingGroup, setting


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


@dataclass(frozen=True, slots=True)
class DaemonSettings:
    """Settings of the daemon itself."""

    log_level: str = setting(
        "info",
        "daemon.logLevel",
        label="Log level",
        help="Only messages at this level or above are logged.",
        group=SettingGroup.ADVANCED,
        choices=(
            Choice("debug", "Debug"),
            Choice("info", "Info"),
            Choice("warning", "Warning"),
            Choice("error", "Error"),
        ),
        needs_restart=True,
        words="logging verbose",
    )
    readers: int = setting(
        3,
        "daemon.readers",
        label="Reader threads",
        help="Threads that read the database. More of them serve more requests at once, but use "
        "more memory.",
        group=SettingGroup.ADVANCED,
        unit="threads",
        bounds=(1, 16),
        needs_restart=True,
    )
