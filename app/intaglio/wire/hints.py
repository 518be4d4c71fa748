"""The reply about the questions that a memory answers."""

from msgspec import Struct


class MemoryQuestions(Struct, kw_only=True):
    """Questions by which searches find a memory in other words; none are made unless switched on.

    `model` wrote them, null for those made of the memory's own words.
    """

    questions: list[str]
    model: str | None = None
