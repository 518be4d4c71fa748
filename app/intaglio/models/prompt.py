"""What a prompt consists of. Each is declared in a module of its own, by the package that asks.

A complete example:

    def _read(reply: object) -> ReadReply[tuple[str, ...]] | UnreadableReply:
        ...

    QUESTIONS = ModelPrompt(
        name="questions",
        version=1,
        role="extraction",
        system="Write questions that the text answers. ...",
        schema={"type": "object", ...},
        read=_read,
        max_input_chars=2_000,
        max_output_tokens=300,
    )
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, Literal, TypeAlias, TypeVar, cast

import msgspec

from intaglio.base.error_text import error_text
from intaglio.inference.completion.ports import CompletionRequest

T = TypeVar("T")

ModelRole: TypeAlias = Literal["extraction", "synthesis"]
"""Which of the two configured models is asked: the one for single texts, or for whole sessions."""

ROLES: Final[tuple[ModelRole, ...]] = ("extraction", "synthesis")

TRUNCATED: Final = "\n[truncated]"

NO_JSON: Final = "it isn't the JSON that was asked for"
"""Why a reply without any JSON can't be used."""


@dataclass(frozen=True, slots=True)
class ReadReply(Generic[T]):
    """What a reply says; ``warnings`` are what was left out of it because it was malformed.

    ``unreadable`` says why nothing of it could be used, where that is no reason to ask again.
    """

    value: T
    warnings: tuple[str, ...] = ()
    unreadable: str = ""


@dataclass(frozen=True, slots=True)
class UnreadableReply:
    """Nothing of a reply can be used."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPrompt(Generic[T]):
    """A kind of request: its text, the JSON Schema of its reply, how that is read, and its limits.

    ``name`` and ``version`` are stored with what the reply made, so that a better prompt can redo
    it: raise the version with every change of the text or the schema. ``read`` receives the reply
    as parsed JSON, of any shape. A text of more than ``max_input_chars`` is cut, and marked so.
    ``max_s`` limits a call further than the settings do. What fails counts as an error of ``task``:
    of reading something, or of deciding.
    """

    name: str
    version: int
    role: ModelRole
    system: str
    schema: Mapping[str, object]
    read: Callable[[object], ReadReply[T] | UnreadableReply]
    max_input_chars: int
    max_output_tokens: int
    max_s: float | None = None
    task: Literal["extraction", "decision"] = "extraction"

    def request(self, text: str) -> CompletionRequest:
        """Return the request for a text that is within the limit."""
        return CompletionRequest(
            system=self.system,
            user=text,
            schema=self.schema,
            schema_name=self.name,
            max_tokens=self.max_output_tokens,
        )

    def clip(self, text: str) -> str:
        """Return a text within the limit; what was cut is marked."""
        if len(text) <= self.max_input_chars:
            return text
        return text[: self.max_input_chars - len(TRUNCATED)] + TRUNCATED


def read_items(
    reply: object, key: str, kind: type[T], most: int
) -> tuple[tuple[T, ...], tuple[str, ...]]:
    """Return the valid items of a list in a reply, and a warning for each that isn't.

    ``kind`` is a msgspec struct whose constraints are checked; more than ``most`` are left out.
    A reply that is itself a list counts as that list.
    """
    listed: object = reply
    if isinstance(reply, dict):
        listed = cast("dict[str, object]", reply).get(key, [])
    if not isinstance(listed, list):
        return (), (f"{key} is no list",)
    items: list[T] = []
    warnings: list[str] = []
    for number, each in enumerate(cast("list[object]", listed)):
        if len(items) == most:
            warnings.append(f"{key} has more than {most} items")
            break
        try:
            items.append(msgspec.convert(each, kind, strict=False))
        except (msgspec.ValidationError, RecursionError) as error:
            warnings.append(f"{key}[{number}]: {error_text(error)}")
    return tuple(items), tuple(warnings)
