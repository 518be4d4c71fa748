"""The commits that were read of projects: list, search, read, forget; and whether they are read."""

import re
from typing import Annotated, Final

from litestar import Controller, delete, get, post, put
from litestar.params import JSONBody, PathParameter, QueryParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.rate_limits import forget_rate, modify_rate
from intaglio.api.request_context import cursor_of, position_of, project_of
from intaglio.api.serializers.commits import commit_detail, commit_reading, commit_row
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.commits import listing_rows, rows
from intaglio.commits.upkeep import CommitUpkeep
from intaglio.kernel import Kernel
from intaglio.sessions.commits import rows as told_commits
from intaglio.wire import commits as wire

_HASH: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_START_OF_HASH: Final = re.compile(r"[0-9a-f]{4,64}")

CommitHash = Annotated[str, PathParameter(max_length=200)]
CommitLimit = Annotated[int, QueryParameter(ge=1, le=200)]
CommitSearchWords = Annotated[str, QueryParameter(max_length=1_000)]
CommitCursor = Annotated[str | None, QueryParameter(max_length=200)]
CommitProject = Annotated[str | None, QueryParameter(max_length=4_096)]
RequiredProject = Annotated[str, QueryParameter(min_length=1, max_length=4_096)]


class CommitsController(Controller):
    """Commits, and which projects they are read of."""

    tags = ("commits",)

    @get("/api/commits", operation_id="listCommits", opt=declare(Access.PROGRAM))
    async def commits(
        self,
        services: Services,
        *,
        project: CommitProject = None,
        q: CommitSearchWords = "",
        limit: CommitLimit = 50,
        cursor: CommitCursor = None,
    ) -> wire.CommitList:
        """List the commits of a project, or of all projects, newest first.

        With `q`, list those that contain its words, best first, or whose hash begins with it.
        """
        key = await project_of(services, project)
        after = position_of(cursor)
        text = q.strip()
        if text and after is not None:
            raise InvalidInputError(
                "A search has one page", hint="Omit the cursor, or raise the limit."
            )
        page = await services.database.read(
            lambda tx: (
                listing_rows.matching(tx, key, text, limit)
                if text
                else listing_rows.newest(tx, key, limit, after)
            )
        )
        return wire.CommitList(
            commits=[commit_row(each) for each in page.commits], cursor=cursor_of(page.end)
        )

    @get("/api/commits/{commit_hash:str}", operation_id="getCommit", opt=declare(Access.PROGRAM))
    async def commit(
        self, services: Services, commit_hash: CommitHash, *, project: RequiredProject
    ) -> wire.CommitDetail:
        """Get a commit by its whole hash, with its body and the files that it changed."""
        key = await _project(services, project)
        wanted = _hash(commit_hash)
        found = await services.database.read(
            lambda tx: rows.read_many(tx, rows.find(tx, key, wanted))
        )
        if not found:
            raise _no_such_commit()
        return commit_detail(found[0])

    @delete(
        "/api/commits/{commit_hash:str}",
        operation_id="forgetCommit",
        status_code=200,
        opt=declare(Access.BROWSER, rate=forget_rate),
    )
    async def forget(
        self, services: Services, commit_hash: CommitHash, *, project: RequiredProject
    ) -> wire.ForgottenCommit:
        """Forget a commit: it is deleted here, and isn't read again.

        The exact texts that showed it to sessions are deleted too.
        """
        key, wanted = await _project(services, project), _hash(commit_hash)
        await services.get(CommitUpkeep).forget(key, wanted, told_commits.forget)
        return wire.ForgottenCommit(project=key, hash=wanted)

    @post(
        "/api/commits/{commit_hash:str}/restore",
        operation_id="restoreCommit",
        status_code=200,
        opt=declare(Access.BROWSER, rate=modify_rate),
    )
    async def restore(
        self, services: Services, commit_hash: CommitHash, *, project: RequiredProject
    ) -> wire.ForgottenCommit:
        """Read a forgotten commit again, if the repository still has it.

        The first digits of its hash are enough.
        """
        key, start = await _project(services, project), commit_hash.lower()
        if _START_OF_HASH.fullmatch(start) is None:
            raise InvalidInputError(
                "Not the hash of a commit", hint="Send its first digits, at least four."
            )
        restored = await services.get(CommitUpkeep).unforget(key, start)
        if restored is None:
            raise NotFoundError(
                "There is no such commit to read again",
                hint="It isn't forgotten, the repository no longer has it, or more than one "
                "forgotten commit begins with these digits.",
            )
        return wire.ForgottenCommit(project=key, hash=restored)

    @get("/api/projects/commits", operation_id="getCommitReading", opt=declare(Access.PROGRAM))
    async def reading(self, services: Services, *, project: RequiredProject) -> wire.CommitReading:
        """Get whether a project's commits are read, how many are stored, and the last one read."""
        return await _reading(services, await _project(services, project))

    @put(
        "/api/projects/commits",
        operation_id="switchCommits",
        opt=declare(Access.BROWSER, rate=modify_rate),
    )
    async def switch(
        self, services: Services, data: JSONBody[wire.CommitSwitchRequest]
    ) -> wire.CommitReading:
        """Turn reading a project's commits on or off; turning it off deletes those stored."""
        key = await _project(services, data.project)
        await services.get(CommitUpkeep).switch(key, data.enabled)
        return await _reading(services, key)

    @post(
        "/api/projects/commits/read",
        operation_id="readCommits",
        status_code=200,
        opt=declare(Access.BROWSER, rate=modify_rate),
    )
    async def read(
        self, services: Services, data: JSONBody[wire.CommitReadRequest]
    ) -> wire.CommitReading:
        """Read the commits of a project that are new since they were read last.

        Replies after three seconds at most; `reading` says that it goes on.
        """
        key = await _project(services, data.project)
        await services.get(CommitUpkeep).read_now(key)
        return await _reading(services, key)


async def _project(services: Kernel, name: str) -> str:
    key = await project_of(services, name)
    if key is None:
        raise InvalidInputError("project is required", hint="Send the project's directory.")
    return key


async def _reading(services: Kernel, key: str) -> wire.CommitReading:
    status = await services.get(CommitUpkeep).status(key)
    forgotten = await services.database.read(lambda tx: len(rows.forgotten(tx, key)))
    return commit_reading(status, forgotten)


def _hash(text: str) -> str:
    wanted = text.lower()
    if _HASH.fullmatch(wanted) is None:
        raise InvalidInputError(
            "Not the hash of a commit",
            hint="Send all its digits; GET /api/commits?q= finds commits by the first ones.",
        )
    return wanted


def _no_such_commit() -> NotFoundError:
    return NotFoundError(
        "Commit not found",
        hint="It may be forgotten, or have only a subject. GET /api/commits lists what was read.",
    )
