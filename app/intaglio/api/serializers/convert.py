"""Copies values to structs of the API where the names of the fields are the same."""

from typing import TypeVar

from msgspec import Struct

S = TypeVar("S", bound=Struct)


def convert(source: object, kind: type[S], /, **others: object) -> S:
    """Return a struct with the attributes of ``source`` named as its fields, and ``others``.

    Names are those of the fields, not of the JSON. Values are taken as they are: what the database
    holds isn't checked again. Raises AttributeError if ``source`` lacks a field.
    """
    copied = {name: getattr(source, name) for name in kind.__struct_fields__ if name not in others}
    return kind(**copied, **others)
