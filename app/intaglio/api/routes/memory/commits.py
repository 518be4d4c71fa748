"""GET /api/memories/{id}/commits: the commits that speak of a memory, and the places it names."""

from typing import Annotated

from litestar import Controller, get
from litestar.params import PathParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, reader_of
from intaglio.api.serializers.commits import related_commit
from intaglio.api.serializers.places import place_row
from intaglio.api.services import Services
from intaglio.base.errors import NotFoundError
from intaglio.code.places import MemoryPlaces
from intaglio.memory import operations
from intaglio.recall.past.session_recall import SessionRecall
from intaglio.sessions.commits.finder import CommitFinder
from intaglio.sessions.settings import HookSettings
from intaglio.store.tx import ReadTx
from intaglio.transcripts.past_sessions import SessionQuestion
from intaglio.wire.commits import MemoryCommits


class MemoryCommitsController(Controller):
    """What the repository says of memories."""

    tags = ("memory",)

    @get(
        "/api/memories/{memory_id:str}/commits",
        operation_id="getMemoryCommits",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def commits(
        self,
        services: Services,
        request: AnyRequest,
        memory_id: Annotated[str, PathParameter(max_length=200)],
    ) -> MemoryCommits:
        """List the commits of its project that speak of a memory, and the places that it names.

        A commit speaks of it by its words, or by the files that it changed.
        """
        reader = await reader_of(services, request)
        memory = await services.database.read(
            lambda tx: operations.find_visible(tx, memory_id, reader)
        )
        if memory is None:
            raise NotFoundError("Not found", memoryId=memory_id)
        project, finder = memory.scope.project, services.get(CommitFinder)
        within_s = services.settings().of(HookSettings).prompt_embed_ms / 1000
        question = SessionQuestion(memory.content)
        prepared = await services.get(SessionRecall).prepare(question, within_s)

        def work(tx: ReadTx) -> MemoryCommits:
            found = finder.about(tx, prepared, project, "the memory")
            return MemoryCommits(
                commits=[related_commit(commit, how.reason) for commit, how in found],
                places=[place_row(each) for each in MemoryPlaces().of_memory(tx, memory_id)],
            )

        return await services.database.read(work)
