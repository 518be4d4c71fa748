"""The settings of code."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import SettingGroup, setting


@dataclass(frozen=True, slots=True)
class CodeSettings:
    """What is read of the projects' code."""

    enabled: bool = setting(
        True,
        "code.enabled",
        label="Check memories against the code",
        help="Reads what a project's code defines, and checks whether what memories mention is "
        "still there.",
        group=SettingGroup.TOLD,
        words="source files stale outdated",
    )
    check_ms: int = setting(
        20,
        "code.checkMs",
        label="Time limit for checking code",
        help="How long checking memories against the code may hold up what agents are told. 0 "
        "skips it.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(0, 10_000),
        words="code timeout speed",
    )
