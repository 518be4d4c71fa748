"""What a kind of inbox items is; each package declares its kinds in the `PACKAGE` of its part.

The inbox, its API and the command line know kinds by these declarations only. The dashboard shows
one without a component of its own by its text and its actions.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, TypeAlias

from intaglio.base.errors import InvalidInputError
from intaglio.base.text import clip
from intaglio.domain.reader import Reader
from intaglio.inbox.values import CLOSING_ACTIONS, NO_EDIT, Edit, InboxItem
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.settings import MemorySettings
from intaglio.memory.values import Memory, NewMemory
from intaglio.store.tx import ReadTx, WriteTx

_QUOTED_CHARS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxAction:
    """What the user can decide about an item.

    ``label`` is its button, ``report`` precedes the item once it is decided ("Kept apart"),
    ``outcome`` says what became of it ("kept apart"), as ``already`` does in the refusal of a
    second decision. ``command`` is the command of `intaglio inbox`: the name without one.
    ``forgets``: memories may be forgotten by it.
    """

    name: str
    label: str
    report: str
    outcome: str
    already: str = ""
    command: str = ""
    forgets: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision on an item; ``item`` is as it was before.

    ``prepared`` is the memory that the item becomes, if its kind prepares one.
    """

    item: InboxItem
    action: str
    audit: Audit
    context: ChangeContext
    prepared: NewMemory | None = None

    @property
    def retention(self) -> timedelta:
        """How long a forgotten memory can be restored."""
        return timedelta(days=self.context.settings().of(MemorySettings).tombstone_days)


@dataclass(frozen=True, slots=True)
class DecisionEffect:
    """What a decision did: the memory that the item is evidence of, and the version it made."""

    memory_id: str | None = None
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a decision, or its undoing, isn't possible, and what to do instead; a sentence each."""

    reason: str
    hint: str


UNDECLARED: Final = Refusal(
    "This version of Intaglio doesn't know this kind of item", "Update Intaglio."
)
"""Why an item that a newer version added takes no decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemEntity:
    """An entity that an item is about, with texts of some memories that name it."""

    id: str
    name: str
    entity_type: str
    mentions: int
    samples: list[str]
    merged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemDetail:
    """What is shown of an item: its text, and what it is about, the older of two first.

    ``memory_id`` is the one memory that it became or asks about.
    """

    content: str
    memory_id: str | None = None
    memories: Sequence[Memory] = ()
    entities: Sequence[ItemEntity] = ()


PrepareItem: TypeAlias = Callable[[InboxItem, Edit, Audit, ChangeContext], NewMemory]


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxKind:
    """A kind of inbox items.

    ``decide`` and ``undo`` run in the transaction that closes or reopens the item; after a refusal
    the item is as before, so a refusal comes before any change. ``prepare`` cleans and validates
    what ``prepared_by`` keeps, outside of it. ``show`` reads what is shown to a reader who may read
    the item.

    ``expires``: an item that nobody decided on is closed after a while. ``claimable``: an agent can
    be the origin, which is then said. ``confidence_label`` names what the confidence measures, None
    if it means nothing; ``memory_labels`` name the memories of an item in their order.
    """

    name: str
    label: str
    plural: str
    actions: tuple[InboxAction, ...]
    decide: Callable[[WriteTx, Decision], DecisionEffect | Refusal]
    undo: Callable[[WriteTx, Decision], Refusal | None]
    show: Callable[[ReadTx, InboxItem, Reader], ItemDetail]
    prepare: PrepareItem | None = None
    prepared_by: str = ""
    expires: bool = False
    claimable: bool = False
    confidence_label: str | None = None
    memory_labels: tuple[str, ...] = ()

    def action(self, name: str | None) -> InboxAction | None:
        """Return the action of this name, if items of this kind take it."""
        return next((each for each in self.actions if each.name == name), None)

    def prepared(
        self,
        item: InboxItem,
        action: str,
        audit: Audit,
        context: ChangeContext,
        edit: Edit = NO_EDIT,
    ) -> NewMemory | None:
        """Return the memory that the item becomes by an action; None for any other action.

        Raises InvalidInputError and TooLargeError if it isn't valid.
        """
        if self.prepare is None or action != self.prepared_by:
            return None
        return self.prepare(item, edit, audit, context)


class InboxKinds:
    """All kinds, by name."""

    def __init__(self, kinds: Iterable[InboxKind]) -> None:
        """Raise ValueError if two kinds have the same name."""
        listed = tuple(kinds)
        self._kinds = {kind.name: kind for kind in listed}
        if len(self._kinds) < len(listed):
            raise ValueError("two kinds of inbox items have the same name")

    @property
    def all(self) -> tuple[InboxKind, ...]:
        """The kinds, in the order of their packages."""
        return tuple(self._kinds.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the kinds."""
        return tuple(self._kinds)

    @property
    def expiring(self) -> tuple[str, ...]:
        """The names of the kinds whose items expire."""
        return tuple(kind.name for kind in self.all if kind.expires)

    @property
    def user_actions(self) -> tuple[str, ...]:
        """The names of what the user can decide, each once."""
        return tuple(dict.fromkeys(each.name for kind in self.all for each in kind.actions))

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of all that closes an item."""
        return (*self.user_actions, *CLOSING_ACTIONS)

    def forgets(self, action: str) -> bool:
        """Tell whether memories may be forgotten by an action."""
        found = (kind.action(action) for kind in self.all)
        return any(each is not None and each.forgets for each in found)

    def of(self, item: InboxItem) -> InboxKind:
        """Return the kind of an item; one that no package declares takes no action."""
        return self._kinds.get(item.kind) or InboxKind(
            name=item.kind,
            label=item.kind,
            plural=item.kind,
            actions=(),
            decide=lambda _, __: UNDECLARED,
            undo=lambda _, __: UNDECLARED,
            show=lambda _, shown, __: ItemDetail(content=shown.content),
        )

    def require_kind(self, name: str | None) -> None:
        """Raise InvalidInputError for a name that no kind has."""
        if name is not None and name not in self._kinds:
            raise InvalidInputError(
                f"Unknown kind of item: {clip(name, _QUOTED_CHARS)!r}", hint=_one_of(self.names)
            )

    def require_action(self, name: str) -> None:
        """Raise InvalidInputError for an action that no kind takes."""
        if name not in self.user_actions:
            raise InvalidInputError(
                f"Unknown decision: {clip(name, _QUOTED_CHARS)!r}", hint=_one_of(self.user_actions)
            )


def _one_of(names: Sequence[str]) -> str:
    return f"Use one of {', '.join(names)}."
