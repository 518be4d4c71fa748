"""How every refusal looks: RFC 9457 fields, and ``error`` for clients that read only that."""

import msgspec


class Problem(msgspec.Struct, kw_only=True):
    """A refusal: ``code`` for programs; ``title``, ``detail`` and ``hint`` for people.

    ``error`` repeats the detail. Fields that belong to one kind of refusal stand beside these.
    ``status`` is that of HTTP, or the contract's own word (`not_found`) in its place.
    """

    error: str
    code: str
    title: str
    status: int | str
    detail: str
    hint: str = ""
