"""Decodes JSON into a struct although fields that aren't needed hold what they shouldn't."""

import builtins
from typing import Any, Final, Generic, TypeVar, cast

import msgspec
from msgspec import inspect

from intaglio.base.json.characters import readable
from intaglio.base.json.shortening import simplified

T = TypeVar("T")

REFUSED: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What a decoder raises for data that it can't read."""

_UNUSABLE: Final = object()
_PLAIN: Final[dict[type[inspect.Type], tuple[type, ...]]] = {
    inspect.NoneType: (type(None),),
    inspect.IntType: (int,),
    inspect.FloatType: (int, float),
}


class TolerantDecoder(Generic[T]):
    """Decodes into a type; what is well-formed takes msgspec's own fast path.

    Otherwise odd characters are replaced, and values of a wrong type, too deep or out of range are
    left out, as long as what the type requires is there.
    """

    def __init__(self, kind: type[T]) -> None:
        self._decoder = msgspec.json.Decoder(kind)
        self._kind = inspect.type_info(kind)

    def decode(self, data: bytes) -> T:
        """Return the value; raises one of `REFUSED`."""
        try:
            return self._decoder.decode(data)
        except REFUSED:
            return self._repaired(simplified(readable(data)))

    def _repaired(self, text: bytes) -> T:
        try:
            return self._decoder.decode(text)
        except msgspec.ValidationError:
            usable = _usable(msgspec.json.decode(text), self._kind)
            if usable is _UNUSABLE:
                raise
            return self._decoder.decode(msgspec.json.encode(usable))


def _usable(value: Any, kind: inspect.Type) -> object:  # noqa: ANN401 - any JSON value
    """Return the parts of a value that have their type; `_UNUSABLE` if it can't be used at all."""
    usable = _UNUSABLE
    match kind:
        # msgspec says of a field annotated as object that it has a custom type.
        case inspect.AnyType() | inspect.RawType() | inspect.CustomType(cls=builtins.object):
            usable = value
        case inspect.Metadata(type=inner):
            usable = _usable(value, inner)
        case inspect.UnionType(types=types):
            found = (_usable(value, each) for each in types)
            usable = next((each for each in found if each is not _UNUSABLE), _UNUSABLE)
        case inspect.ListType(item_type=item) if isinstance(value, list):
            items = (_usable(each, item) for each in cast("list[object]", value))
            usable = [each for each in items if each is not _UNUSABLE]
        case inspect.DictType(value_type=item) if isinstance(value, dict):
            pairs = cast("dict[str, Any]", value).items()
            values = {key: _usable(each, item) for key, each in pairs}
            usable = {key: each for key, each in values.items() if each is not _UNUSABLE}
        case inspect.StructType(fields=fields) if isinstance(value, dict):
            usable = _usable_fields(cast("dict[str, Any]", value), fields)
        case inspect.StrType(min_length=least, max_length=most) if isinstance(value, str):
            fits = (least or 0) <= len(value) and (most is None or len(value) <= most)
            usable = value if fits else _UNUSABLE
        case _ if _is_plain(value, type(kind)):
            usable = value
        case _:
            pass
    return usable


def _is_plain(value: object, kind: type[inspect.Type]) -> bool:
    # In Python, True is a number too.
    if isinstance(value, bool):
        return kind is inspect.BoolType
    return isinstance(value, _PLAIN.get(kind, ()))


def _usable_fields(value: dict[str, Any], fields: tuple[inspect.Field, ...]) -> object:
    found: dict[str, object] = {}
    for field in fields:
        usable = _UNUSABLE
        if field.encode_name in value:
            usable = _usable(value[field.encode_name], field.type)
        if usable is not _UNUSABLE:
            found[field.encode_name] = usable
        elif field.required:
            return _UNUSABLE
    return found
