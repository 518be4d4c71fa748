"""Lists checkpoints: where sessions stood."""

import json
from collections.abc import Iterable
from typing import Annotated, Final

from litestar import Controller, get
from litestar.params import PathParameter, QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, project_of, session_reader_of
from intaglio.api.routes.sessions import NameQuery, PathQuery
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.redaction.shown_text import without_secrets
from intaglio.sessions.continuity.service import SessionCheckpoints
from intaglio.sessions.continuity.values import Checkpoint
from intaglio.wire import checkpoints as wire

SessionKeyPath = Annotated[str, PathParameter(max_length=1_000)]
CheckpointLimit = Annotated[int, QueryParameter(ge=1, le=100)]
_READS: Final = declare(Access.PROGRAM, Principal.AGENT)


class CheckpointsController(Controller):
    """Checkpoints of sessions."""

    tags = ("sessions",)

    @get("/api/checkpoints", operation_id="listCheckpoints", opt=_READS)
    async def of_project(
        self,
        services: Services,
        request: AnyRequest,
        *,
        project: PathQuery = None,
        limit: CheckpointLimit = 10,
    ) -> wire.CheckpointList:
        """List the latest checkpoints of a project's sessions.

        `project` is a directory or a name. An agent sees those of its own sessions only.
        """
        if not project or not project.strip():
            raise InvalidInputError("project is required", hint="Send its directory or name.")
        key = await project_of(services, project)
        reader = await session_reader_of(services, request)
        await services.settled()
        checkpoints = services.get(SessionCheckpoints)
        return _listed(await checkpoints.list_for_project(key, reader, limit))

    @get("/api/checkpoints/{session_key:path}", operation_id="listSessionCheckpoints", opt=_READS)
    async def of_session(
        self,
        services: Services,
        request: AnyRequest,
        session_key: SessionKeyPath,
        *,
        harness: NameQuery = None,
        limit: CheckpointLimit = 100,
    ) -> wire.CheckpointList:
        """List the latest checkpoints of a session, named by its harness's id.

        With `harness`, only of that harness's session. An agent sees those of its own sessions.
        """
        # A harness chooses its keys: some contain slashes, for instance of a channel.
        key = session_key.removeprefix("/")
        reader = await session_reader_of(services, request, key)
        await services.settled()
        checkpoints = services.get(SessionCheckpoints)
        return _listed(await checkpoints.list_for_session(key, reader, harness, limit))


def _listed(found: list[Checkpoint]) -> wire.CheckpointList:
    return wire.CheckpointList(checkpoints=[_row(each) for each in found], count=len(found))


def _row(found: Checkpoint) -> wire.CheckpointRow:
    entities, aspects = found.focal_entities, found.active_aspects
    return convert(
        found,
        wire.CheckpointRow,
        session_key=found.session_id,
        project_normalized=found.project,
        digest=without_secrets(found.digest),
        prompt_count=found.prompts,
        memory_queries=_json(found.queries),
        recent_remembers=_json(found.remembered),
        created_at=found.at,
        focal_entity_ids=_json(each.id for each in entities),
        focal_entity_names=_json(each.name for each in entities),
        active_aspect_ids=_json(each.id for each in aspects),
        surfaced_constraint_count=found.constraints,
        traversal_memory_count=found.traversed,
    )


def _json(texts: Iterable[str]) -> str | None:
    """Return texts as the contract has lists: as JSON, without secrets; null for none."""
    shown = [without_secrets(each) for each in texts]
    return json.dumps(shown, ensure_ascii=False) if shown else None
