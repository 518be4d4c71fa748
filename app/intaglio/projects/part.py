"""Projects: their names and folders, and how they changed."""

from intaglio.package import KeptData, Package, SweepStep
from intaglio.projects import rows
from intaglio.projects.migrations import MIGRATIONS
from intaglio.store.settings import RetentionSettings

PACKAGE = Package(
    name="projects",
    tables={
        "projects": "of each project that has memories: the name that you gave it, since when it "
        "is archived, and what identifies its folder (remote, a hash of the first line of git's "
        "log, device and inode)",
        "project_changes": "changes of whole projects (move, merge, rename, archive, kept "
        "apart), with the ids and row numbers that undo needs; no text of a memory",
        "project_settings": "what you set for single projects: capture, what agents are told, who "
        "may read what is captured; whether commits are read is in `commit_reading`",
    },
    migrations=MIGRATIONS,
    retention=(
        SweepStep(
            "project_changes",
            lambda s: s.of(RetentionSettings).history_days,
            rows.expired_changes,
            rows.purge_changes,
        ),
    ),
    kept=(
        KeptData(
            "`projects`",
            "as long as anything belongs to the project",
            deleted_by="the loop `projects`",
        ),
        KeptData(
            "`project_changes`",
            "180 days; moves that hold, and what you keep apart, forever: by them, what was "
            "forgotten under a former path is known",
            deleted_by="step `project_changes`",
            settings=("retention.historyDays",),
        ),
        KeptData(
            "`project_settings`", "until you take them back; a moved project takes them along"
        ),
    ),
)
