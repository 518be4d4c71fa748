"""Finds projects by their names and folders; archived ones too, behind the others."""

from typing import Final

from intaglio.domain.reader import Reader
from intaglio.finding.matching import QuestionMatcher
from intaglio.finding.values import Found
from intaglio.inbox import rows as inbox
from intaglio.memory import project_rows as memories
from intaglio.projects import rows
from intaglio.projects.listing import (
    ListedProject,
    ProjectContents,
    listed_projects,
    total_by_project,
)
from intaglio.projects.names import display_name, is_path
from intaglio.sessions import rows as sessions
from intaglio.store.tx import ReadTx

_BY_FOLDER: Final = 0.6
_ARCHIVED: Final = 0.6
_LEAST: Final = 0.3


def find_projects(tx: ReadTx, matcher: QuestionMatcher, reader: Reader) -> list[Found]:
    """Return the projects that match, best first."""
    totals = total_by_project(
        [
            *(
                (key, ProjectContents(memories=count, last_grown=newest))
                for key, count, newest in memories.by_project(tx, reader)
            ),
            *(
                (key, ProjectContents(sessions=count, last_session=latest))
                for key, count, latest in sessions.by_project(tx, reader)
            ),
            *(
                (key, ProjectContents(open_items=count, last_grown=newest))
                for key, count, newest in inbox.open_by_project(tx, reader)
            ),
        ],
        _names_of_folders(tx),
    )
    archived = frozenset(rows.archived(tx))
    listed = listed_projects(totals, {}, given=rows.display_names(tx))
    found = (_found(each, matcher, is_archived=each.key in archived) for each in listed)
    return sorted((each for each in found if each.score >= _LEAST), key=lambda each: -each.score)


def _names_of_folders(tx: ReadTx) -> dict[str, str]:
    """Return the folder of each known project by its name, if only one has that name."""
    by_name: dict[str, list[str]] = {}
    for key in rows.known(tx):
        if is_path(key):
            by_name.setdefault(display_name(key), []).append(key)
    return {name: keys[0] for name, keys in by_name.items() if len(keys) == 1}


def _found(project: ListedProject, matcher: QuestionMatcher, *, is_archived: bool) -> Found:
    by_name, by_folder = matcher.measure(project.name), matcher.measure(project.key)
    score = max(by_name.as_title, _BY_FOLDER * by_folder.share)
    contents = project.contents
    counts = (
        (contents.memories, "memory", "memories"),
        (contents.sessions, "session", "sessions"),
    )
    parts = [f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count]
    return Found(
        kind="project",
        id=project.key,
        title=project.name,
        text=project.key if project.key != project.name else "",
        detail=" · ".join((*(("Archived",) if is_archived else ()), *parts)) or "Project",
        words=tuple(dict.fromkeys((*by_name.words, *by_folder.words))),
        project=project.key,
        at=contents.last_active or None,
        score=round(score * (_ARCHIVED if is_archived else 1.0), 3),
    )
