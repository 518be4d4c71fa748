"""The format of every error: RFC 9457 fields, and ``error`` for clients that read only that."""

import msgspec


class Problem(msgspec.Struct, kw_only=True):
    """An error: ``code`` for programs; ``title``, ``detail`` and ``hint`` for people.

    ``error`` repeats the detail. Some errors have additional fields. ``status`` is the HTTP
    status, or the contract's own word (`not_found`) instead.
    """

    error: str
    code: str
    title: str
    status: int | str
    detail: str
    hint: str = ""
