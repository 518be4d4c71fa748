"""Which memories a GET asks for: one set of query parameters for the list, search and facets."""

from typing import Annotated, Literal, TypeAlias

from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, QueryParameter, SkipValidation

from intaglio.api.asking import AnyRequest, moment_of, reader_of
from intaglio.api.services import Needs
from intaglio.memory import parsing
from intaglio.memory.values import Filter

Text = Annotated[str | None, QueryParameter(max_length=1_000)]
PathText = Annotated[str | None, QueryParameter(max_length=4_096)]
Share = Annotated[float | None, QueryParameter(ge=0, le=1)]
AgentId = Annotated[str | None, QueryParameter(name="agentId", max_length=1_000)]
SourceType = Annotated[str | None, QueryParameter(name="sourceType", max_length=1_000)]
SessionId = Annotated[str | None, QueryParameter(name="sessionId", max_length=1_000)]
Visible = Annotated[Literal["global", "private"] | None, QueryParameter()]
GlobalOnly = Annotated[bool, QueryParameter(name="globalOnly")]


async def _wanted(  # noqa: PLR0913 - each filter is a query parameter
    services: Needs,
    request: AnyRequest,
    *,
    type: Text = None,  # noqa: A002 - the contract's name
    tags: Text = None,
    project: PathText = None,
    global_only: GlobalOnly = False,
    pinned: FromQuery[bool | None] = None,
    who: Text = None,
    agent_id: AgentId = None,
    agent: Text = None,
    visibility: Visible = None,
    source_type: SourceType = None,
    session_id: SessionId = None,
    importance_min: Share = None,
    importance_max: Share = None,
    since: Text = None,
    until: Text = None,
) -> Filter:
    """Read the filters; `agentId` says who reads, `agent` whose memories are wanted.

    `project` asks for that project's own memories alone; all tags have to be there.
    """
    return Filter(
        reader=await reader_of(services, request, agent_id),
        agent=agent,
        visibility=visibility,
        project=await services.project_key(project),
        exact_project=True,
        global_only=global_only,
        type=type,
        tags=parsing.read_tags(tags),
        pinned=pinned,
        who=who,
        source_type=source_type,
        session_id=session_id,
        importance_min=importance_min,
        importance_max=importance_max,
        since=moment_of("since", since),
        until=moment_of("until", until),
    )


Wanted: TypeAlias = NamedDependency[SkipValidation[Filter]]
"""A handler's way to the filters of its request, under the name ``wanted``."""

FILTERS = {"wanted": Provide(_wanted)}
