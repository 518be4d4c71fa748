"""GET /api/projects: the projects with what each has; GET /api/projects/detail: one of them."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from litestar import Controller, get
from litestar.params import FromQuery, QueryParameter
from msgspec import structs

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import (
    AnyRequest,
    MomentText,
    in_project,
    invalid_cursor,
    moment_of,
    project_of,
    reader_of,
)
from intaglio.api.services import Services
from intaglio.base.clock import parse_moment
from intaglio.base.errors import InvalidInputError
from intaglio.domain.reader import Reader
from intaglio.inbox import rows as inbox
from intaglio.kernel import Kernel
from intaglio.memory import project_rows as memories
from intaglio.memory.filters import Filter
from intaglio.projects import rows
from intaglio.projects.evidence import folder_state
from intaglio.projects.identity import KnownProjects, identity_of
from intaglio.projects.listing import (
    ListedProject,
    ProjectContents,
    listed_projects,
    total_by_project,
)
from intaglio.projects.names import display_name, is_path
from intaglio.projects.values import KnownProject
from intaglio.sessions import rows as sessions
from intaglio.store.tx import ReadTx
from intaglio.wire import projects as wire

ProjectLimit = Annotated[int, QueryParameter(ge=1, le=500)]
ProjectCursor = Annotated[str | None, QueryParameter(max_length=4_200)]
ProjectWords = Annotated[str | None, QueryParameter(max_length=200)]
ProjectText = Annotated[str | None, QueryParameter(max_length=4_096)]
GlobalSwitch = Annotated[bool, QueryParameter(name="global")]


@dataclass(frozen=True, slots=True)
class _Overview:
    """What each project has, None what is global, and which names belong to which directory."""

    totals: Mapping[str | None, ProjectContents]
    merged: Mapping[str, str]
    known: Mapping[str, KnownProject]

    @property
    def given(self) -> dict[str, str]:
        """The names that the user gave projects."""
        named = ((key, each.display_name) for key, each in self.known.items())
        return {key: name for key, name in named if name is not None}

    def is_archived(self, key: str) -> bool:
        """Whether a project is archived."""
        return key in self.known and self.known[key].archived_at is not None

    @property
    def everywhere(self) -> ProjectContents:
        """What is global."""
        return self.totals.get(None, ProjectContents())


class ProjectsController(Controller):
    """Projects: those with memories, sessions or open inbox items."""

    tags = ("projects",)

    @get(
        "/api/projects",
        operation_id="listProjects",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def projects(
        self,
        services: Services,
        request: AnyRequest,
        *,
        q: ProjectWords = None,
        archived: FromQuery[bool] = False,
        limit: ProjectLimit = 50,
        cursor: ProjectCursor = None,
    ) -> wire.ProjectList:
        """List projects, the most recently active first; `q` is part of a name or a path.

        Archived projects are listed only with `archived`, and then no others.
        """
        after = _position(cursor)
        overview = await _overview(services, await reader_of(services, request))
        found = [
            each
            for each in listed_projects(overview.totals, overview.merged, q or "", overview.given)
            if overview.is_archived(each.key) == archived
            and (after is None or each.position < after)
        ]
        page = found[:limit]
        there = await asyncio.to_thread(
            lambda: [each.key for each in page if folder_state(each.key) == "there"]
        )
        return wire.ProjectList(
            projects=[_row(each, overview, exists=each.key in there) for each in page],
            cursor="~".join(page[-1].position) if len(found) > limit else None,
            global_=wire.GlobalMemories(
                memories=overview.everywhere.memories,
                last_active=overview.everywhere.last_active or None,
            ),
        )

    @get(
        "/api/projects/detail",
        operation_id="getProject",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def project(
        self,
        services: Services,
        request: AnyRequest,
        *,
        project: ProjectText = None,
        everywhere: GlobalSwitch = False,
        since: MomentText = None,
    ) -> wire.ProjectDetail:
        """Get a project with its identity: a directory or a name, one without memories too.

        With `global`, get what applies to all projects instead. `new` counts what was made at or
        after `since`.
        """
        key = await project_of(services, project)
        if (key is None) != everywhere:
            raise InvalidInputError(
                "Name a project or set global", hint="Send project=PATH, or global=true."
            )
        reader = await reader_of(services, request)
        moment = moment_of("since", since)
        own = Filter(reader=reader, exact_project=True, global_only=everywhere)
        wanted = await in_project(services, own, key)
        overview = await _overview(services, reader)

        def work(tx: ReadTx) -> tuple[list[tuple[str, int]], int, int]:
            types = memories.by_type(tx, wanted)
            if moment is None:
                return types, 0, 0
            new = sum(count for _, count in memories.by_type(tx, replace(wanted, since=moment)))
            opened = inbox.open_since(tx, reader, moment)
            names = (key, *wanted.project_aliases)
            return types, new, sum(opened.get(name, 0) for name in names)

        types, new, opened = await services.database.read(work)
        identity = await asyncio.to_thread(identity_of, key or "")
        return wire.ProjectDetail(
            **structs.asdict(
                structs.replace(
                    _row(_find(overview, key), overview, exists=identity.exists),
                    remote=identity.remote,
                )
            ),
            path=identity.path,
            worktrees=list(identity.worktrees),
            other_names=list(identity.other_names),
            types=[wire.TypeCount(value=value, count=count) for value, count in types],
            new=wire.NewSince(since=moment, memories=new, open=opened),
        )


async def _overview(services: Kernel, reader: Reader) -> _Overview:
    """Count what all projects have."""

    def work(tx: ReadTx) -> list[tuple[str | None, ProjectContents]]:
        return [
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
        ]

    counted, known = await services.database.read(lambda tx: (work(tx), rows.known(tx)))
    keys = {key for key, _ in counted if key}
    merged: Mapping[str, str] = {}
    # Only a name can belong to a directory: most users have none, and nothing is read.
    if not all(map(is_path, keys)):
        given = _Overview({}, {}, known).given
        merged = (await asyncio.to_thread(KnownProjects.of, sorted(keys), given)).merged()
    return _Overview(total_by_project(counted, merged), merged, known)


def _find(overview: _Overview, key: str | None) -> ListedProject:
    """Return a project of the list, or one that has nothing yet; None is what is global."""
    if key is None:
        return ListedProject("", "", overview.everywhere)
    listed = listed_projects(overview.totals, overview.merged, given=overview.given)
    own = (each for each in listed if each.key == key)
    name = overview.given.get(key) or display_name(key)
    return next(own, ListedProject(key, name, ProjectContents()))


def _row(project: ListedProject, overview: _Overview, *, exists: bool) -> wire.ProjectRow:
    has = project.contents
    known = overview.known.get(project.key)
    return wire.ProjectRow(
        key=project.key,
        name=project.name,
        memories=has.memories,
        sessions=has.sessions,
        last_active=has.last_active or None,
        open=has.open_items,
        is_directory=is_path(project.key),
        exists=exists,
        remote=known.evidence.remote if known else None,
        archived=overview.is_archived(project.key),
        named=project.key in overview.given,
    )


def _position(cursor: str | None) -> tuple[str, str] | None:
    """Read a cursor; raises InvalidInputError for one that no page has."""
    if cursor is None:
        return None
    moment, sign, key = cursor.partition("~")
    if not sign or not key or (moment and parse_moment(moment) is None):
        raise invalid_cursor()
    return moment, key
