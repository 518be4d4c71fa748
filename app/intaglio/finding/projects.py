"""Finds projects by their names and folders; archived ones too, behind the others."""

from collections.abc import Mapping
from typing import Final

from intaglio.domain.reader import Reader
from intaglio.finding.matching import QuestionMatcher
from intaglio.finding.values import Found
from intaglio.inbox import rows as inbox
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
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
_MOST: Final = 21


def find_projects(tx: ReadTx, matcher: QuestionMatcher, reader: Reader) -> list[Found]:
    """Return the projects that match and of which the reader sees something, best first."""
    folders = _names_of_folders(tx)
    counted = [
        *(
            (key, ProjectContents(sessions=count, last_session=latest))
            for key, count, latest in sessions.by_project(tx, reader)
        ),
        *(
            (key, ProjectContents(open_items=count, last_grown=newest))
            for key, count, newest in inbox.open_by_project(tx, reader)
        ),
        *((key, ProjectContents()) for key in memories.projects(tx)),
    ]
    archived = frozenset(rows.archived(tx))
    totals = total_by_project(counted, folders)
    listed = listed_projects(totals, {}, given=rows.display_names(tx))
    scored = [(_score(each, matcher, is_archived=each.key in archived), each) for each in listed]
    best = sorted((each for each in scored if each[0] >= _LEAST), key=lambda each: -each[0])
    # Memories are counted of the best alone: what an agent may read takes reading each.
    names = {key: name for name, key in folders.items()}
    found = (
        _found(tx, each, score, matcher, reader, names, is_archived=each.key in archived)
        for score, each in best[:_MOST]
    )
    return [each for each in found if each is not None]


def _names_of_folders(tx: ReadTx) -> dict[str, str]:
    """Return the folder of each known project by its name, if only one has that name."""
    by_name: dict[str, list[str]] = {}
    for key in rows.known(tx):
        if is_path(key):
            by_name.setdefault(display_name(key), []).append(key)
    return {name: keys[0] for name, keys in by_name.items() if len(keys) == 1}


def _score(project: ListedProject, matcher: QuestionMatcher, *, is_archived: bool) -> float:
    by_name, by_folder = matcher.measure(project.name), matcher.measure(project.key)
    score = max(by_name.as_title, _BY_FOLDER * by_folder.share)
    return score * (_ARCHIVED if is_archived else 1.0)


def _found(  # noqa: PLR0913 - each is a part of what is shown
    tx: ReadTx,
    project: ListedProject,
    score: float,
    matcher: QuestionMatcher,
    reader: Reader,
    names: Mapping[str, str],
    *,
    is_archived: bool,
) -> Found | None:
    aliases = (names[project.key],) if project.key in names else ()
    own = Filter(reader=reader, project=project.key, project_aliases=aliases, exact_project=True)
    contents = project.contents + ProjectContents(memories=memories.count(tx, own))
    if not (contents.memories or contents.sessions or contents.open_items):
        return None
    counts = (
        (contents.memories, "memory", "memories"),
        (contents.sessions, "session", "sessions"),
    )
    parts = [f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count]
    words = (*matcher.measure(project.name).words, *matcher.measure(project.key).words)
    return Found(
        kind="project",
        id=project.key,
        title=project.name,
        text=project.key if project.key != project.name else "",
        detail=" · ".join((*(("Archived",) if is_archived else ()), *parts)) or "Project",
        words=tuple(dict.fromkeys(words)),
        project=project.key,
        at=contents.last_active or None,
        score=round(score, 3),
    )
