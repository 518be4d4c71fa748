"""What background work is about."""

from typing import Literal

from msgspec import Struct


class WorkSubject(Struct, kw_only=True):
    """What a call or a job is about: ``id`` is that of its page, ``title`` its start or name."""

    kind: Literal["memory", "session", "entity"]
    id: str
    title: str
