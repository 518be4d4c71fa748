"""What can be set for a single project; without that, the general value holds."""

from dataclasses import dataclass
from typing import Final

from intaglio.base.settings.declaration import Choice, Consequence, SettingGroup, setting
from intaglio.domain.reader import GLOBAL, PRIVATE, VISIBILITY_LABELS

CAPTURE: Final = "project.capture"
COMMITS: Final = "project.commits"
TOLD: Final = "project.told"
VISIBILITY: Final = "project.visibility"
WORKSPACE: Final = "project.workspace"


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """The settings of one project."""

    capture: bool = setting(
        True,
        CAPTURE,
        label="Capture",
        help="Saves decisions, preferences and rules from sessions in this project, and keeps "
        "what is said there. Once it's off, nothing more from its sessions is kept.",
        group=SettingGroup.CAPTURE,
        words="save record transcripts reminders",
    )
    commits: bool = setting(
        True,
        COMMITS,
        label="Read commits",
        help="Reads the messages of this project's commits, so that they can answer prompts. "
        "Nothing in the repository is run.",
        group=SettingGroup.CAPTURE,
        consequence=Consequence(
            "deletes", "What was read from this project's commits is deleted.", (False,)
        ),
        words="git log history",
    )
    told: str = setting(
        "everything",
        TOLD,
        label="What agents are told",
        help="What sessions in this project are told without asking. Agents can still search.",
        group=SettingGroup.TOLD,
        choices=(
            Choice("everything", "Everything that fits"),
            Choice("constraints", "Only what is always told"),
            Choice("nothing", "Nothing"),
        ),
        words="context inject rules constraints silent",
    )
    visibility: str = setting(
        GLOBAL,
        VISIBILITY,
        label="Visibility",
        help="Which agents may read what is captured or saved in this project from now on, "
        "unless it's saved with another visibility.",
        group=SettingGroup.PRIVACY,
        choices=(
            Choice(GLOBAL, VISIBILITY_LABELS[GLOBAL]),
            Choice(PRIVATE, VISIBILITY_LABELS[PRIVATE]),
        ),
        words="private share",
    )
    workspace: bool = setting(
        False,
        WORKSPACE,
        label="Write the workspace's files here",
        help="Keeps a marked block in this project's AGENTS.md, and in its CLAUDE.md if there is "
        "one. They are files of the repository: whoever gets it reads the block, too.",
        group=SettingGroup.TOLD,
        words="sync instructions repository",
    )
