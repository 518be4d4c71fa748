"""The commands of `intaglio inbox`."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import click
from msgspec import UNSET, UnsetType

from intaglio.base.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    TooLargeError,
)
from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client, read_rows
from intaglio.cli.inbox.lookup import find_item, find_items
from intaglio.cli.inbox.output import item_lines, item_text
from intaglio.cli.options import (
    GIVEN_TYPES,
    ListFirstGroup,
    all_projects_option,
    memory_type_option,
    project_of,
    project_options,
    scope_of,
)
from intaglio.cli.output import INDENT, clipped, print_json, short_ids, styled_id
from intaglio.client.daemon_client import DaemonClient
from intaglio.wire.inbox import (
    BulkDecisionRequest,
    DecisionRequest,
    InboxKindRow,
    InboxRow,
    ItemDecision,
    UndoRequest,
)

F = TypeVar("F", bound=Callable[..., Any])
_PAGE: Final = 1_000
_MOST: Final = 100_000
_SHOWN_CHARS: Final = 60
_ABOUT_IDS: Final = "ID is an item's ID, or its start or end."

# Those that take nothing but ids, with what they do.
_DECISIONS: Final = {
    "drop": "Drop suggestions, whose words never return; forget one-off tasks, and what you took "
    "back.",
    "holds": "Keep memories that may be one-off tasks, or taken back.",
    "keep-both": "Keep both of two memories that contradict each other.",
    "newer-wins": "Keep the newer of two memories that contradict each other; forget the older.",
    "older-wins": "Keep the older of two memories that contradict each other; forget the newer.",
    "merge": "Merge two entities that may be the same.",
    "keep-apart": "Keep two entities apart that may be the same.",
    "all-projects": "Apply memories of a project to all projects.",
    "this-project": "Leave memories in their project.",
    "still-right": "Keep memories as they are although the code that they name changed.",
    "forget-stale": "Forget memories whose code is gone or changed.",
    "apply": "Apply the changes that agents propose.",
    "reject": "Reject the changes that agents propose.",
    "keep-changes": "Keep what an agent changed in a session.",
    "use-workspace": "Replace edits of blocks by the workspace's text.",
    "take-edit": "Take edits of blocks into the workspace.",
    "undo-changes": "Undo all that an agent changed in a session; what was changed since stays.",
}


@click.group(cls=ListFirstGroup, context_settings={"help_option_names": ["-h", "--help"]})
def inbox() -> None:
    """Decide on suggestions, contradictions and other questions.

    Without a command, list what waits for your decision.
    """


def _ids(function: F) -> F:
    return click.argument("ids", metavar="ID...", nargs=-1, required=True)(function)


@inbox.command("list")
@project_options("Only items of this project: a path or a name.")
@click.option("--kind", metavar="KIND", help="Only items of this kind, such as suggestion.")
@click.option("--done", is_flag=True, help="Items that were decided on.")
@click.option(
    "-n", "--limit", default=30, show_default=True, type=click.IntRange(1, _MOST), metavar="N"
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of items.")
def list_items(
    *, project: str | None, here: bool, kind: str | None, done: bool, limit: int, as_json: bool
) -> None:
    """List what waits for your decision, newest first."""
    filters = {
        "project": project_of(project, here=here),
        # As the list shows it, or as the API names it.
        "kind": None if kind is None else kind.strip().lower().replace(" ", "_").replace("-", "_"),
        "status": "done" if done else None,
    }
    given = {k: v for k, v in filters.items() if v is not None}
    with daemon_client() as client:

        def read_page(size: int, cursor: str | None) -> tuple[list[InboxRow], str | None]:
            page = client.inbox(size, cursor, given)
            return page.items, page.cursor

        items, more = read_rows(read_page, limit, _PAGE)
        kinds = [] if as_json or not items else client.inbox_kinds()
    if as_json:
        print_json(items)
        return
    if not items:
        click.echo("Nothing has been decided yet." if done else "Nothing waits for your decision.")
    for line in item_lines(items, kinds):
        click.echo(line)
    if more:
        click.echo(f"Showing the newest {len(items)}. Use --limit to see more.", err=True)


@inbox.command("show")
@click.argument("id_", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print the item as JSON.")
def show_item(*, id_: str, as_json: bool) -> None:
    """Show an item and what you, or the agent, said.

    ID is an item's ID, or its start or end.
    """
    with daemon_client() as client:
        item = find_item(client, id_, "any")
        kinds = [] if as_json else client.inbox_kinds()
    if as_json:
        print_json(item)
        return
    for line in item_text(item, kinds):
        click.echo(line)


@inbox.command()
@_ids
@click.option("--content", metavar="TEXT", help='Another text. "-" reads it from standard input.')
@memory_type_option(f"{GIVEN_TYPES}.", given=True)
@project_options("Keep it for this project: a path or a name.")
@all_projects_option("Keep it for all projects.")
def keep(
    *,
    ids: tuple[str, ...],
    content: str | None,
    kind: str | None,
    project: str | None,
    here: bool,
    everywhere: bool,
) -> None:
    """Keep suggestions as memories.

    ID is an item's ID, or its start or end.
    """
    wanted = scope_of(project, here=here, everywhere=everywhere)
    if content is not None and len(ids) > 1:
        raise click.UsageError("Use --content with one ID.")
    edit = _Edit(
        content=UNSET if content is None else sys.stdin.read() if content == "-" else content,
        type=UNSET if kind is None else kind,
        project=None if everywhere else UNSET if wanted is None else wanted,
    )
    _decide(ids, "keep", edit)


def _add_decision(name: str, effect: str) -> None:
    @inbox.command(name, help=f"{effect}\n\n{_ABOUT_IDS}")
    @_ids
    def decide_so(*, ids: tuple[str, ...]) -> None:
        _decide(ids, name)


for _name, _effect in _DECISIONS.items():
    _add_decision(_name, _effect)


@inbox.command()
@click.argument("action", metavar="ACTION")
@_ids
def decide(*, action: str, ids: tuple[str, ...]) -> None:
    """Make any decision by its name, also one without a command of its own.

    ID is an item's ID, or its start or end.
    """
    _decide(ids, action.replace("_", "-"))


@inbox.command()
@_ids
def undo(*, ids: tuple[str, ...]) -> None:
    """Take decisions back; `intaglio inbox list --done` shows them.

    ID is an item's ID, or its start or end.
    """
    with daemon_client() as client:
        items = find_items(client, ids, "done")
        results = client.undo_decisions(UndoRequest(ids=[item.id for item in items])).results
    if len(_report(items, results, {item.id: "Reopened" for item in items})) < len(items):
        sys.exit(1)


@dataclass(frozen=True, slots=True)
class _Edit:
    """What is changed of an item on keeping it; without a value, it stays as it is."""

    content: str | UnsetType = UNSET
    type: str | UnsetType = UNSET
    project: str | UnsetType | None = UNSET


_NO_EDIT: Final = _Edit()


def _decide(ids: Sequence[str], command_name: str, edit: _Edit = _NO_EDIT) -> None:
    """Decide on the items whose kinds have this command, and report the others as unchanged."""
    with daemon_client() as client:
        items = find_items(client, ids, "open")
        kinds = {kind.kind: kind for kind in client.inbox_kinds()}
        # Of an item that is done, or of a kind that it doesn't know, the daemon says so.
        known = [each for kind in kinds.values() for each in kind.actions]
        usual = next((each for each in known if each.command == command_name), None)
        if usual is None:
            names = ", ".join(dict.fromkeys(each.command for each in known))
            unknown = clipped(command_name, _SHOWN_CHARS)
            raise click.UsageError(f"Unknown decision: {unknown!r}. Use one of {names}.")
        chosen: dict[str, list[InboxRow]] = {}
        reports: dict[str, str] = {}
        results: list[ItemDecision] = []
        for item in items:
            kind = kinds.get(item.kind)
            own = kind.actions if kind else []
            action = next((each for each in own if each.command == command_name), None)
            if action is None and kind is not None and item.status == "open":
                results.append(_wrong_kind(item, kind))
                continue
            action = action or usual
            chosen.setdefault(action.action, []).append(item)
            reports[item.id] = action.report
        for name, some in chosen.items():
            results += _results(client, some, name, edit)
    done = _report(items, results, reports)
    if done:
        shortened = " ".join(short_ids([item.id for item in done]).values())
        click.echo(f"Undo with: {command(f'inbox undo {shortened}')}")
    if len(done) < len(items):
        sys.exit(1)


def _results(
    client: DaemonClient, items: Sequence[InboxRow], action: str, edit: _Edit
) -> list[ItemDecision]:
    if edit != _NO_EDIT:
        request = DecisionRequest(
            action=action, content=edit.content, type=edit.type, project=edit.project
        )
        return [_decide_one(client, item, request) for item in items]
    return client.decide_all(
        BulkDecisionRequest(ids=[item.id for item in items], action=action)
    ).results


def _wrong_kind(item: InboxRow, kind: InboxKindRow) -> ItemDecision:
    *others, last = [each.command for each in kind.actions]
    listed = f"{', '.join(others)} or {last}" if others else last
    return ItemDecision(
        id=item.id,
        status="wrong_action",
        error=f"That decision doesn't fit this item ({kind.label.lower()})",
        hint=f"Use {listed}.",
    )


def _decide_one(client: DaemonClient, item: InboxRow, request: DecisionRequest) -> ItemDecision:
    try:
        decided = client.decide(item.id, request)
    except (ConflictError, InvalidInputError, NotFoundError, TooLargeError) as error:
        return ItemDecision(id=item.id, status=error.code, error=error.detail, hint=error.hint)
    return ItemDecision(id=item.id, status=decided.status, memory_id=decided.memory_id)


def _report(
    items: Sequence[InboxRow], results: Sequence[ItemDecision], reports: Mapping[str, str]
) -> list[InboxRow]:
    """Show what became of each item, by the report of its id; return those that were changed."""
    outcomes = {result.id: result for result in results}
    ids = short_ids([item.id for item in items])
    done: list[InboxRow] = []
    for item in items:
        name, text = styled_id(ids[item.id]), clipped(item.content, _SHOWN_CHARS)
        result = outcomes[item.id]
        if result.error is None:
            done.append(item)
            click.echo(f"{reports[item.id]} {name}: {text}")
            continue
        click.echo(f"{name} is unchanged: {text}", err=True)
        for line in filter(None, (result.error, result.hint)):
            click.echo(f"{INDENT}{line}", err=True)
    return done
