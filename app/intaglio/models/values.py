"""Calls of a language model: what they are about, and their outcomes."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from intaglio.inference.completion.ports import ModelName, TokenCounts

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """What a call is for: the stage that makes it, the project, and the memory or session."""

    stage: str
    project: str | None = None
    subject: str = ""


@dataclass(frozen=True, slots=True)
class ModelAnswer(Generic[T]):
    """What the model answered; ``warnings`` say what of it couldn't be used."""

    value: T
    warnings: tuple[str, ...]
    model: ModelName
    tokens: TokenCounts


WaitReason: TypeAlias = Literal["off", "paused", "capped", "resting"]
"""Why nothing is called for now.

``off``: no model is configured or confirmed; ``paused``: capture, the project or the stage is;
``capped``: a limit of the day is reached; ``resting``: the model failed too often, or asks to wait.
"""


@dataclass(frozen=True, slots=True)
class MustWait:
    """Nothing was called; it may be in ``wait_s`` seconds, which count as no failure."""

    reason: WaitReason
    detail: str
    wait_s: float


@dataclass(frozen=True, slots=True)
class CallFailed:
    """The call failed, or its reply was unreadable; trying again may help."""

    detail: str


NoAnswer: TypeAlias = MustWait | CallFailed
