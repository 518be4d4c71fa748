"""The inbox: lists what waits for the user's decision, decides, and undoes decisions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final, cast

from litestar import Controller, get, post
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter
from msgspec import UnsetType, defstruct

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.inbox_results import (
    decision_of,
    item_row,
    kind_row,
    no_such_item,
    problem_of,
)
from intaglio.api.request_context import (
    AnyRequest,
    actor_of,
    cursor_of,
    is_user,
    position_of,
    project_of,
    reader_of,
)
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.domain.reader import Reader
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows
from intaglio.inbox.kinds import InboxKinds
from intaglio.inbox.values import Edit, InboxItem, ItemFilter, ItemStatus
from intaglio.lifecycle.decisions.inbox_decisions import Decided, InboxDecisions
from intaglio.memory.operations import Audit
from intaglio.memory.values import KEEP
from intaglio.sessions.overview import rows as session_rows
from intaglio.sessions.overview.descriptions import titles_of
from intaglio.sessions.values import SessionKey
from intaglio.store.tx import ReadTx
from intaglio.wire import inbox as wire

_MAX_MATCHES: Final = 20

ItemId = Annotated[str, PathParameter(max_length=200)]
_ID_PART: Final = r"^[0-9A-Za-z._:-]{1,200}$"
ItemPrefix = Annotated[str, QueryParameter(pattern=_ID_PART)]
ItemSuffix = Annotated[str | None, QueryParameter(pattern=_ID_PART)]
KindQuery = Annotated[str | None, QueryParameter(schema_extra={"format": wire.KIND})]
ItemLimit = Annotated[int, QueryParameter(ge=1, le=1_000)]
ProjectQuery = Annotated[str | None, QueryParameter(max_length=4_096)]
FromSession = Annotated[str | None, QueryParameter(pattern=r"^[0-9]{1,15}$")]
ImportQuery = Annotated[str | None, QueryParameter(name="import", max_length=200)]
CursorQuery = Annotated[str | None, QueryParameter(max_length=200)]


class InboxController(Controller):
    """What waits for the user's decision."""

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
        kind: KindQuery = None,
        project: ProjectQuery = None,
        session: FromSession = None,
        import_id: ImportQuery = None,
        limit: ItemLimit = 100,
        cursor: CursorQuery = None,
    ) -> wire.InboxList:
        """List items, newest first; done ones by when they were decided on.

        `project` is a directory or a name, `session` the id of GET /api/sessions, `import` that of
        GET /api/imports: only what was said there is listed. An item that is decided on in the
        meantime moves no other one to another page.
        """
        services.get(InboxKinds).require_kind(kind)
        key = await project_of(services, project)
        names = (key, *await services.projects.aliases(key)) if key else ()
        wanted = ItemFilter(
            reader=await reader_of(services, request), status=status, kind=kind, projects=names
        )
        after = position_of(cursor)

        def work(tx: ReadTx) -> wire.InboxList:
            page = rows.page(
                tx, replace(wanted, sessions=_within(tx, session, import_id)), limit, after
            )
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
        names = services.get(InboxKinds).names
        known = {name: found[name] for name in names if name in found}
        return _counts_of(names)(open=sum(found.values()), **known)

    @get("/api/inbox/kinds", operation_id="listInboxKinds", opt=declare(Access.PROGRAM))
    async def kinds(self, services: Services) -> wire.InboxKindList:
        """List the kinds of items, with the decisions that each takes."""
        return wire.InboxKindList(kinds=[kind_row(each) for each in services.get(InboxKinds).all])

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

        GET /api/inbox/kinds lists what each kind takes. A suggestion can be kept with another
        content, type or project; the words of a dropped one are never suggested again. An item that
        is already done is refused (409) with what was decided.
        """
        kinds = services.get(InboxKinds)
        kinds.require_action(data.action)
        edit = await _edit(services, data)
        audit = Audit(actor_of(request, None), reader=await reader_of(services, request))
        outcome = await services.get(InboxDecisions).decide(item_id, data.action, audit, edit)
        if not isinstance(outcome, Decided):
            raise problem_of(item_id, outcome, kinds)
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
        kinds = services.get(InboxKinds)
        kinds.require_action(data.action)
        ids = tuple(dict.fromkeys(data.ids))
        audit = Audit(actor_of(request, None), reader=await reader_of(services, request))
        outcomes = await services.get(InboxDecisions).decide_all(ids, data.action, audit)
        return _results([decision_of(*each, kinds) for each in zip(ids, outcomes, strict=True)])

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
        kinds = services.get(InboxKinds)
        outcomes = await services.get(InboxDecisions).undo_all(ids, audit)
        return _results([decision_of(*each, kinds) for each in zip(ids, outcomes, strict=True)])


def _shown(
    tx: ReadTx, services: Services, items: Sequence[InboxItem], reader: Reader
) -> list[wire.InboxRow]:
    settings, kinds = services.settings(), services.get(InboxKinds)
    # What an agent may read of an item doesn't include what else was said in its session.
    titles = titles_of(tx, set(map(_session_of, items))) if is_user(reader) else {}
    rows: list[wire.InboxRow] = []
    for item in items:
        kind = kinds.of(item)
        title = titles.get(_session_of(item), "")
        rows.append(item_row(item, kind, kind.show(tx, item, reader), settings, title))
    return rows


def _within(
    tx: ReadTx, session: str | None, import_id: str | None
) -> tuple[SessionKey, ...] | None:
    """Return the sessions that items are wanted of; None for all, and without a session."""
    if session is not None:
        key = session_rows.key_of(tx, int(session))
        return () if key is None else (key,)
    return None if import_id is None else session_rows.keys_of_import(tx, import_id)


def _session_of(item: InboxItem) -> SessionKey:
    """Return the session of an item's first evidence, as far as it comes from one."""
    if not item.evidence:
        return "", ""
    first = item.evidence[0]
    return first.harness, first.session_id or ""


def _counts_of(kinds: Sequence[str]) -> type[wire.InboxCounts]:
    """Return the struct with a field for each kind."""
    fields = [(name, int, 0) for name in kinds]
    made = defstruct("InboxCounts", fields, bases=(wire.InboxCounts,), kw_only=True)
    return cast("type[wire.InboxCounts]", made)


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
