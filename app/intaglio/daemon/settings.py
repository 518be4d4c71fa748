"""The settings of the daemon."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Choice, SettingGroup, setting


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
