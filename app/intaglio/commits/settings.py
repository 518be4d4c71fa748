"""The settings of commits."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Consequence, SettingGroup, setting


@dataclass(frozen=True, slots=True)
class CommitSettings:
    """Which commits of projects are read from git."""

    enabled: bool = setting(
        True,
        "commits.enabled",
        label="Read commits",
        help="Reads the commits of projects where you use an agent, so that their messages can "
        "answer prompts. Each project has its own switch. Turning it off also deletes what "
        "was read.",
        group=SettingGroup.CAPTURE,
        consequence=Consequence(
            "deletes",
            "Everything that was read from commits is deleted, except for projects whose own "
            "switch is on.",
            (False,),
        ),
        words="git history log",
    )
    authors: bool = setting(
        False,
        "commits.authors",
        label="Keep the names of commit authors",
        help="Applies to commits that are read from then on.",
        group=SettingGroup.PRIVACY,
        words="git people names",
    )
    max_per_project: int = setting(
        20_000,
        "commits.maxPerProject",
        label="Commits kept per project",
        help="The newest of those whose message has more than a subject.",
        group=SettingGroup.ADVANCED,
        unit="commits",
        bounds=(100, 1_000_000),
        words="git limit",
    )
