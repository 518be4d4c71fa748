"""Converts arguments as language models send them into what a struct's fields expect.

Models quote numbers, write ``null`` for what they leave out, capitalise the values of an
enumeration, and copy an id with the marks around it. The struct's own types say what is meant: a
value that fits is never changed, and one that can't be read is left for the struct to refuse.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Any, Final, Generic, TypeVar, cast

import msgspec
from msgspec import inspect

T = TypeVar("T", bound=msgspec.Struct)

FORM: Final = "form"
"""The key in ``Meta(extra=…)`` that says what a text holds: a `TextForm`."""

ALIASES: Final = "aliases"
"""The key in ``Meta(extra=…)`` with other names of a field that models use."""


class TextForm(Enum):
    """What a text holds, where its type alone doesn't say so."""

    ID = "id"
    """An id: marks around it are no part of it."""

    LIST = "list"
    """A list, separated by commas; models send a JSON list too."""

    QUOTES = "quotes"
    """A list of quotations, whose commas belong to them; models send one alone, or an object."""

    IDS = "ids"
    """A list of ids; models send one alone, or a text with commas."""


_ABSENT: Final = frozenset({"", "null", "none", "undefined", "nil", "n/a"})
_NO_CHOICE: Final = _ABSENT | {"any", "all", "*"}
_TRUE: Final = frozenset({"true", "yes", "y", "on", "1"})
_FALSE: Final = frozenset({"false", "no", "n", "off", "0"})
_MARKS: Final = " \t\r\n\f\v\u00a0\"'`\u2018\u2019\u201c\u201d\u00ab\u00bb()[]{}<>.,;#*"
_ID_LABELS: Final = ("id:", "id=", "memory:", "memory id:", "memory_id:", "memory ")
# Longer digits are no number that anybody means, and reading them takes long.
_MAX_DIGITS: Final = 40
_RATING_NAMES: Final = ("rating", "score", "value", "feedback", "usefulness")
_ID_NAMES: Final = ("id", "memoryid", "memory", "key")


@dataclass(frozen=True, slots=True)
class ReadArguments(Generic[T]):
    """The arguments, and what isn't as it was sent.

    ``ignored`` names those that the struct doesn't have. ``limited`` maps the fields in which
    another number is used than was sent to what they accept: "a whole number from 1 to 50".
    """

    arguments: T
    ignored: tuple[str, ...] = ()
    limited: Mapping[str, str] = field(default_factory=dict[str, str])


def read_arguments(sent: object, kind: type[T]) -> ReadArguments[T]:
    """Read arguments as a struct; what it has no field for is ignored.

    Raises msgspec.ValidationError for what can't be read.
    """
    if isinstance(sent, str | None):
        sent = _json(sent, "{") if sent and sent.strip() else {}
    named = _object(sent)
    if named is None:
        raise msgspec.ValidationError("Expected `object`, the arguments by name")
    fields = _fields(kind)
    found: dict[str, Any] = {}
    limited: dict[str, str] = {}
    ignored: list[str] = []
    for name, value in named.items():
        meant = fields.get(_plain(name))
        if meant is None:
            ignored.append(name)
        elif meant.encode_name not in found or name == meant.encode_name:
            read = _without_default(meant, value)
            if read is not None:
                found[meant.encode_name] = read
                limited[meant.encode_name] = _missed(meant.type, value)
    kept = {name: accepted for name, accepted in limited.items() if accepted}
    return ReadArguments(msgspec.convert(found, kind), tuple(ignored), kept)


@cache
def _fields(kind: type[msgspec.Struct]) -> Mapping[str, inspect.Field]:
    """Return a struct's fields by their plain names, and by those that models use."""
    described = inspect.type_info(kind)
    if not isinstance(described, inspect.StructType):
        raise TypeError(f"{kind} is no struct")
    named = {_plain(each.encode_name): each for each in described.fields}
    for each in described.fields:
        for alias in _extra(each.type).get(ALIASES, ()):
            named.setdefault(_plain(alias), each)
    return named


def _plain(name: str) -> str:
    """Return a name without what its spelling varies in: case, blanks, hyphens, underscores."""
    return name[:200].strip().lower().replace("_", "").replace("-", "").replace(" ", "")


def _extra(kind: inspect.Type) -> Mapping[str, Any]:
    found = isinstance(kind, inspect.Metadata) and cast("Mapping[str, Any] | None", kind.extra)  # pyright: ignore[reportUnknownMemberType] - msgspec's own
    return found or {}


def _without_default(field: inspect.Field, value: object) -> Any:  # noqa: ANN401 - a JSON value
    """Return the value of a field, or None if it says that the field is left out."""
    if value is None:
        return None
    read = _converted(field.type, value)
    if field.required or not isinstance(read, str):
        return read
    word = read.strip().lower()
    bare = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
    match bare:
        case inspect.StrType():
            return read if word or not bare.min_length else None
        case inspect.LiteralType():
            return None if word in _NO_CHOICE else read
        case _:
            return None if word in _ABSENT else read


def _converted(kind: inspect.Type, value: object) -> Any:  # noqa: ANN401 - a JSON value
    match kind:
        case inspect.Metadata(type=inner):
            form = _extra(kind).get(FORM)
            return _converted(inner, value) if form is None else _formed(form, value)
        case inspect.ListType() | inspect.SetType():
            return [_converted(kind.item_type, one) for one in _items(value)]
        case inspect.DictType():
            pairs = _pairs(value)
            return value if pairs is None else _object_of(kind, pairs)
        case _:
            return _single(kind, _only(value))


def _single(kind: inspect.Type, value: object) -> object:
    match kind:
        case inspect.BoolType():
            return _bool(value)
        case inspect.IntType() | inspect.FloatType():
            return _limited(kind, _number(value, is_whole=isinstance(kind, inspect.IntType)))
        case inspect.LiteralType(values=values):
            return _choice([each for each in values if isinstance(each, str)], value)
        case inspect.StrType():
            return _text(value)
        case _:
            return value


def _object_of(kind: inspect.DictType, pairs: Sequence[tuple[str, Any]]) -> dict[Any, Any]:
    return {
        _converted(kind.key_type, key): _converted(kind.value_type, value)
        for key, value in pairs
        if value is not None
    }


def _formed(form: TextForm, value: object) -> Any:  # noqa: ANN401 - a JSON value
    if form is TextForm.LIST:
        items = _items(value)
        is_plain = all(isinstance(each, str | int | float) for each in items)
        named = filter(None, (str(each).strip() for each in items))
        return ",".join(named) if is_plain else value
    if form is TextForm.QUOTES:
        return _quotes(value)
    if form is TextForm.IDS:
        return [_formed(TextForm.ID, each) for each in _items(value)]
    value = _only(value)
    for name, each in (_object(value) or {}).items():
        if _plain(name) in _ID_NAMES:
            value = each
    return _id(value) if isinstance(value, str) else value


def _quotes(value: object) -> list[Any]:
    sent = _json(value, "[", "{") if isinstance(value, str) else value
    items = _list(sent)
    texts: list[Any] = []
    for each in [sent] if items is None else items:
        named = list((_object(each) or {}).values())
        text = named[0] if len(named) == 1 else each
        if text is not None and (not isinstance(text, str) or text.strip()):
            texts.append(text)
    return texts


def _id(text: str) -> str:
    """Return an id without a label and without the marks around it."""
    text = text.strip(_MARKS)
    for label in _ID_LABELS:
        if text.lower().startswith(label):
            text = text[len(label) :].strip(_MARKS)
    return text.rstrip("\u2026:")


def _bool(value: object) -> object:
    if isinstance(value, int | float) and value in {0, 1}:
        return bool(value)
    if isinstance(value, str):
        word = value.strip(_MARKS).lower()
        return True if word in _TRUE else False if word in _FALSE else value
    return value


def _number(value: object, *, is_whole: bool) -> object:
    """Return the number that a value says, a whole one if wanted; anything else as it is."""
    try:
        number = _read_number(value) if isinstance(value, str) else value
    except ValueError:
        return value
    if not isinstance(number, float):
        return number
    if not math.isfinite(number):
        return value
    return round(number) if is_whole else number


def _read_number(text: str) -> float:
    """Return the number that a text says, with a decimal comma or in percent too."""
    bare = text.strip(_MARKS.replace(".", "")).replace("\u2212", "-")
    if len(bare) > _MAX_DIGITS or "_" in bare:
        raise ValueError(bare[:_MAX_DIGITS])
    if "." not in bare:
        bare = bare.replace(",", ".", 1)
    return float(bare[:-1]) / 100 if bare.endswith("%") else float(bare)


def _limited(kind: inspect.IntType | inspect.FloatType, number: object) -> object:
    """Return a number within the limits of its field."""
    if isinstance(number, bool) or not isinstance(number, int | float):
        return number
    if isinstance(number, float) and not math.isfinite(number):
        return number
    if kind.ge is not None:
        number = max(number, kind.ge)
    return number if kind.le is None else min(number, kind.le)


def _missed(kind: inspect.Type, value: object) -> str:
    """Return what a field accepts if that isn't the number that was sent; else an empty text."""
    match kind:
        case inspect.Metadata(type=inner):
            return _missed(inner, value)
        case inspect.IntType() | inspect.FloatType():
            sent = _number(_only(value), is_whole=False)
            is_number = isinstance(sent, int) or (isinstance(sent, float) and math.isfinite(sent))
            return _accepted(kind) if is_number and sent != _single(kind, _only(value)) else ""
        case inspect.DictType():
            pairs = _pairs(value) or ()
            return next(filter(None, (_missed(kind.value_type, each) for _, each in pairs)), "")
        case _:
            return ""


def _accepted(kind: inspect.IntType | inspect.FloatType) -> str:
    name = "a whole number" if isinstance(kind, inspect.IntType) else "a number"
    match kind.ge, kind.le:
        case None, None:
            return name
        case low, None:
            return f"{name} of at least {low}"
        case None, high:
            return f"{name} of at most {high}"
        case low, high:
            return f"{name} from {low} to {high}"


def _choice(values: Sequence[str], value: object) -> object:
    """Return the value of an enumeration that is meant: in any case, number or spelling."""
    if not isinstance(value, str) or value in values:
        return value
    word = _plain(value.strip(_MARKS))
    named = {_plain(each): each for each in values}
    singular = [word, word.removesuffix("s"), word.removesuffix("es")]
    if word.endswith("ies"):
        singular.append(f"{word[:-3]}y")
    found = next((named[each] for each in singular if each in named), None)
    return value if found is None else found


def _text(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


def _object(value: object) -> Mapping[str, Any] | None:
    # What is decoded from JSON has texts as keys.
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else None


def _list(value: object) -> Sequence[Any] | None:
    return cast("Sequence[Any]", value) if isinstance(value, list) else None


def _only(value: object) -> object:
    """Return the one item of a list with one; anything else as it is."""
    items = _list(value)
    return items[0] if items is not None and len(items) == 1 else value


def _json(text: str, *starts: str) -> Any:  # noqa: ANN401 - a JSON value
    """Return what a text holds as JSON if it begins so, else the text."""
    if not text.lstrip().startswith(starts):
        return text
    try:
        return msgspec.json.decode(text.encode("utf-8", "surrogatepass"))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return text


def _items(value: object) -> list[Any]:
    """Return the items of a list that is sent as one, as JSON, or separated by commas."""
    if isinstance(value, str):
        value = _json(value, "[")
    if isinstance(value, str):
        return [each.strip() for each in value.split(",") if each.strip()]
    items = _list(value)
    return [value] if items is None else [each for each in items if each is not None]


def _pairs(value: object) -> list[tuple[str, Any]] | None:
    """Return the pairs of an object, also of a list of objects or pairs; None if it is none."""
    if isinstance(value, str):
        value = _json(value, "{", "[")
    items = _list(value)
    if items is not None:
        pairs = [_pair(each) for each in items]
        known = [each for each in pairs if each is not None]
        return known if len(known) == len(pairs) else None
    named = _object(value)
    if named is None:
        return None
    one = _pair(named)
    return [(_id(key), _rating(each)) for key, each in named.items()] if one is None else [one]


def _pair(value: object) -> tuple[str, Any] | None:
    """Return the id and the rating of an object that names both, or of a list of two."""
    items = _list(value)
    if items is not None:
        is_pair = len(items) == 2 and isinstance(items[0], str)  # noqa: PLR2004 - an id, a rating
        return (_id(items[0]), items[1]) if is_pair else None
    sent = _object(value) or {}
    named = {_plain(key): each for key, each in sent.items()}
    key = next((named[name] for name in _ID_NAMES if name in named), None)
    rating = next((named[name] for name in _RATING_NAMES if name in named), None)
    if isinstance(key, str) and rating is not None:
        return _id(key), rating
    return next(((_id(k), _rating(v)) for k, v in sent.items()), None) if len(sent) == 1 else None


def _rating(value: object) -> Any:  # noqa: ANN401 - a JSON value
    """Return the rating of an object that holds nothing else; anything else as it is."""
    named = {_plain(key): each for key, each in (_object(value) or {}).items()}
    return next((named[name] for name in _RATING_NAMES if name in named), value)
