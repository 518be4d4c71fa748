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
        help="Reads the commits of projects in which you use an agent, so that their messages "
        "answer prompts. Each project has a switch of its own. Off also deletes what was read.",
        group=SettingGroup.CAPTURE,
        consequence=Consequence(
            "deletes",
            "Everything that was read from commits is deleted, except in projects that have "
            "commits switched on.",
            (False,),
        ),
        words="git history log",
    )
    authors: bool = setting(
        False,
        "commits.authors",
        label="Keep the names of commits' authors",
        help="Holds for commits that are read from then on.",
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
