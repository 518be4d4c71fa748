"""The settings of memory files."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import SettingGroup, setting


@dataclass(frozen=True, slots=True)
class MemoryFileSettings:
    """Whether memory files are read."""

    enabled: bool = setting(
        True,
        "memoryFiles.enabled",
        label="Read memory files",
        help="Remembers what you write into Markdown files of the workspace's memory folder, and "
        "what agents keep in memory files of their own.",
        group=SettingGroup.CAPTURE,
        words="markdown notes evidence MEMORY.md auto memory import",
    )
