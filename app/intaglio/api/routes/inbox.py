"""The inbox: lists what waits for the user's decision, decides, and undoes decisions."""

from collections.abc import Sequence
from typing import Annotated, Final

from litestar import Controller, get, post
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter
from msgspec import UnsetType

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.inbox_entities import entities_of
from intaglio.api.inbox_results import decision_of, item_row, no_such_item, problem_of
from intaglio.api.request_context import (
    AnyRequest,
    actor_of,
    cursor_of,
    position_of,
    project_of,
    reader_of,
)
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.base.inbox_kinds import ItemKind
from intaglio.domain.reader import Reader
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows
from intaglio.inbox.values import InboxItem, ItemFilter, ItemStatus
from intaglio.lifecycle.decisions.agent_change_decisions import session_steps
from intaglio.lifecycle.decisions.inbox_decisions import Decided, Edit, InboxDecisions
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.values import KEEP, Memory
from intaglio.store.tx import ReadTx
from intaglio.wire import inbox as wire

_MAX_MATCHES: Final = 20
_MAX_CHANGED: Final = 100

ItemId = Annotated[str, PathParameter(max_length=200)]
_ID_PART: Final = r"^[0-9A-Za-z._:-]{1,200}$"
ItemPrefix = Annotated[str, QueryParameter(pattern=_ID_PART)]
ItemSuffix = Annotated[str | None, QueryParameter(pattern=_ID_PART)]
ItemLimit = Annotated[int, QueryParameter(ge=1, le=1_000)]
ProjectQuery = Annotated[str | None, QueryParameter(max_length=4_096)]
CursorQuery = Annotated[str | None, QueryParameter(max_length=200)]


class InboxController(Controller):
    """Suggestions, contradictions, possible merges, agents' changes: the user decides."""

    tags = ("inbox",)

    @get(
        "/api/inbox",
        operation_id="listInbox",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def items(  # noqa: PLR0913 - one for each query parameter
        self,
        services: Services,
        request: AnyRequest,
        *,
        status: FromQuery[ItemStatus] = "open",
        kind: FromQuery[ItemKind | None] = None,
        project: ProjectQuery = None,
        limit: ItemLimit = 100,
        cursor: CursorQuery = None,
    ) -> wire.InboxList:
        """List items, newest first; done ones by when they were decided on.

        `project` is a directory or a name. An item that is decided on in the meantime moves no
        other one to another page.
        """
        key = await project_of(services, project)
        names = (key, *await services.projects.aliases(key)) if key else ()
        wanted = ItemFilter(
            reader=await reader_of(services, request), status=status, kind=kind, projects=names
        )
        after = position_of(cursor)

        def work(tx: ReadTx) -> wire.InboxList:
            page = rows.page(tx, wanted, limit, after)
            return wire.InboxList(
                items=_shown(tx, services, page.items, wanted.reader),
                cursor=cursor_of(page.end),
            )

        return await services.database.read(work)

    @get(
        "/api/inbox/counts",
        operation_id="countInbox",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def counts(self, services: Services, request: AnyRequest) -> wire.InboxCounts:
        """Count the open items."""
        reader = await reader_of(services, request)
        found = await services.database.read(lambda tx: rows.counts(tx, reader))
        return wire.InboxCounts(
            open=sum(found.values()),
            suggestion=found.get("suggestion", 0),
            contradiction=found.get("contradiction", 0),
            possible_merge=found.get("possible_merge", 0),
            wider_scope=found.get("wider_scope", 0),
            proposed_change=found.get("proposed_change", 0),
            agent_changes=found.get("agent_changes", 0),
        )

    @get(
        "/api/inbox/ids",
        operation_id="matchInboxIds",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def matches(
        self,
        services: Services,
        request: AnyRequest,
        *,
        prefix: ItemPrefix,
        suffix: ItemSuffix = None,
    ) -> wire.InboxMatches:
        """List the items, open and done, whose ids start with `prefix`; at most 20.

        With `suffix`, also those whose ids end with it. An exact match is the only result.
        """
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> wire.InboxMatches:
            found = rows.with_partial_id(tx, reader, prefix, suffix, _MAX_MATCHES + 1)
            exact = [item for item in found if item.id == prefix] or found
            return wire.InboxMatches(
                items=_shown(tx, services, exact[:_MAX_MATCHES], reader),
                more=len(exact) > _MAX_MATCHES,
            )

        return await services.database.read(work)

    @get(
        "/api/inbox/{item_id:str}",
        operation_id="getInboxItem",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def item(self, services: Services, request: AnyRequest, item_id: ItemId) -> wire.InboxRow:
        """Get an item, open or done."""
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> list[wire.InboxRow]:
            found = inbox.find_readable(tx, item_id, reader)
            return _shown(tx, services, (found,) if found else (), reader)

        for row in await services.database.read(work):
            return row
        raise no_such_item()

    @post(
        "/api/inbox/{item_id:str}",
        operation_id="decideInboxItem",
        status_code=200,
        # If agents could accept their own suggestions, nobody would have decided.
        opt=declare(Access.BROWSER, Principal.AGENT),
    )
    async def decide(
        self,
        services: Services,
        request: AnyRequest,
        item_id: ItemId,
        data: JSONBody[wire.DecisionRequest],
    ) -> wire.InboxRow:
        """Decide on an item.

        A suggestion takes `keep`, optionally with another content, type or project, and `drop`:
        then the same words are never suggested again. A contradiction takes `keep_both`,
        `newer_wins` and `drop`, which forget the older or the newer memory. A possible merge takes
        `merge` and `keep_apart`, a wider scope `all_projects` and `this_project`. A proposed change
        takes `apply`, and `reject`, which leaves the memory as it is. The changes of an agent take
        `keep_changes`, and `undo_changes`, which sets back what nobody changed since. An item that
        is already done is refused (409) with what was decided.
        """
        edit = await _edit(services, data)
        audit = Audit(actor_of(request, None), reader=await reader_of(services, request))
        outcome = await services.get(InboxDecisions).decide(item_id, data.action, audit, edit)
        if not isinstance(outcome, Decided):
            raise problem_of(item_id, outcome)
        decided = (outcome.item,)
        (row,) = await services.database.read(
            lambda tx: _shown(tx, services, decided, audit.reader)
        )
        return row

    @post(
        "/api/inbox/bulk",
        operation_id="decideInboxItems",
        status_code=200,
        opt=declare(Access.BROWSER, Principal.AGENT),
    )
    async def decide_all(
        self, services: Services, request: AnyRequest, data: JSONBody[wire.BulkDecisionRequest]
    ) -> wire.DecisionList:
        """Decide the same on 1 to 1,000 items; each succeeds or fails alone."""
        ids = tuple(dict.fromkeys(data.ids))
        audit = Audit(actor_of(request, None), reader=await reader_of(services, request))
        outcomes = await services.get(InboxDecisions).decide_all(ids, data.action, audit)
        return _results([decision_of(*each) for each in zip(ids, outcomes, strict=True)])

    @post(
        "/api/inbox/undo",
        operation_id="undoInboxDecisions",
        status_code=200,
        opt=declare(Access.BROWSER, Principal.AGENT),
    )
    async def undo(
        self, services: Services, request: AnyRequest, data: JSONBody[wire.UndoRequest]
    ) -> wire.DecisionList:
        """Undo the decisions on 1 to 1,000 items, which are then open again.

        The memory of a kept suggestion is forgotten, a forgotten memory is restored, dropped words
        may be suggested again, merged entities are two again, a memory that was applied to all
        projects is one of its project again, and an agent's change that was applied or undone is
        not any more.
        """
        ids = tuple(dict.fromkeys(data.ids))
        audit = Audit(actor_of(request, None), reader=await reader_of(services, request))
        outcomes = await services.get(InboxDecisions).undo_all(ids, audit)
        return _results([decision_of(*each) for each in zip(ids, outcomes, strict=True)])


def _shown(
    tx: ReadTx, services: Services, items: Sequence[InboxItem], reader: Reader
) -> list[wire.InboxRow]:
    capture = services.settings().capture
    return [
        item_row(item, capture, _about(tx, item, reader), entities_of(tx, item, reader))
        for item in items
    ]


def _about(tx: ReadTx, item: InboxItem, reader: Reader) -> list[Memory]:
    """Return the memories that an item is about, the older one of two first."""
    ids: Sequence[str | None] = ()
    if item.kind == "contradiction":
        ids = (item.older_id, item.memory_id)
    elif item.kind in {"proposed_change", "wider_scope"}:
        ids = (item.memory_id,)
    elif item.kind == "agent_changes":
        ids = [step.memory_id for step in session_steps(tx, item)][:_MAX_CHANGED]
    found = (operations.find_visible(tx, each, reader) for each in ids if each)
    return [memory for memory in found if memory is not None]


def _results(results: list[wire.ItemDecision]) -> wire.DecisionList:
    changed = sum(result.error is None for result in results)
    return wire.DecisionList(requested=len(results), changed=changed, results=results)


async def _edit(services: Services, data: wire.DecisionRequest) -> Edit:
    given = (data.content, data.type, data.project)
    if data.action != "keep" and not all(isinstance(each, UnsetType) for each in given):
        raise InvalidInputError(
            "content, type and project can only be sent with keep", hint="Omit them."
        )
    return Edit(
        content=None if isinstance(data.content, UnsetType) else data.content,
        type=None if isinstance(data.type, UnsetType) else data.type,
        project=KEEP
        if isinstance(data.project, UnsetType)
        else await project_of(services, data.project),
    )
