"""What can be set for a single project; without that, the general value holds."""

from dataclasses import dataclass
from typing import Final

from intaglio.base.settings.declaration import Choice, Consequence, SettingGroup, setting
from intaglio.domain.reader import GLOBAL, PRIVATE, VISIBILITY_LABELS

CAPTURE: Final = "project.capture"
COMMITS: Final = "project.commits"
TOLD: Final = "project.told"
VISIBILITY: Final = "project.visibility"


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """The settings of one project."""

    capture: bool = setting(
        True,
        CAPTURE,
        label="Capture",
        help="Save decisions, preferences and rules from sessions in this project, and keep what "
        "is said there. Off, nothing of its sessions is kept from then on.",
        group=SettingGroup.CAPTURE,
        words="save record transcripts reminders",
    )
    commits: bool = setting(
        True,
        COMMITS,
        label="Read commits",
        help="Read the messages of this project's commits, so that they answer prompts. Nothing of "
        "the repository is run.",
        group=SettingGroup.CAPTURE,
        consequence=Consequence(
            "deletes", "The commits that were read of this project are deleted.", (False,)
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
        help="Which agents may read what is captured or saved in this project from now on, unless "
        "it is saved for others.",
        group=SettingGroup.PRIVACY,
        choices=(
            Choice(GLOBAL, VISIBILITY_LABELS[GLOBAL]),
            Choice(PRIVATE, VISIBILITY_LABELS[PRIVATE]),
        ),
        words="private share",
    )
