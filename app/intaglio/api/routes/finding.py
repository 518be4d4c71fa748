"""GET /api/find: searches everything at once."""

from dataclasses import replace
from typing import Annotated

from litestar import Controller, get
from litestar.params import QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import (
    AnyRequest,
    in_project,
    project_of,
    reader_of,
    session_reader_of,
)
from intaglio.api.services import Services
from intaglio.finding.finder import Finder, FindScope
from intaglio.finding.values import FoundKindGroup
from intaglio.memory.filters import Filter
from intaglio.wire.finding import FindReply, FoundGroup, FoundItem

FindWords = Annotated[str, QueryParameter(max_length=1_000)]
FindLimit = Annotated[int, QueryParameter(ge=1, le=20)]
FindProject = Annotated[str | None, QueryParameter(max_length=4_096)]


class FindController(Controller):
    """The search over everything."""

    tags = ("memory",)

    @get(
        "/api/find",
        operation_id="find",
        opt=declare(Access.PROGRAM, Principal.AGENT, kind="recall"),
    )
    async def find(
        self,
        services: Services,
        request: AnyRequest,
        *,
        q: FindWords = "",
        project: FindProject = None,
        limit: FindLimit = 5,
    ) -> FindReply:
        """Find memories, entities, sessions, inbox items, projects and commits.

        The last word of `q` may be the beginning of one. `limit` is the most of a kind. With
        `project`, only what belongs to it or to all projects is found; without, archived projects
        are left out.
        """
        key = await project_of(services, project)
        filters = await in_project(services, Filter(reader=await reader_of(services, request)), key)
        scope = FindScope(
            memories=replace(filters, exact_project=False),
            session_reader=await session_reader_of(services, request),
            projects=(key, *filters.project_aliases) if key else (),
        )
        found = await services.get(Finder).find(q, scope, limit)
        return FindReply(groups=[_group(each) for each in found])


def _group(group: FoundKindGroup) -> FoundGroup:
    return FoundGroup(
        kind=group.kind,
        items=[
            FoundItem(
                kind=each.kind,
                id=each.id,
                title=each.title,
                text=each.text,
                detail=each.detail,
                words=list(each.words),
                state=each.state,
                project=each.project,
                at=each.at,
                score=each.score,
            )
            for each in group.items
        ],
        more=group.has_more,
    )
