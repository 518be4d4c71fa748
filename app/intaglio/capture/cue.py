"""A cue: the type of memory that a sentence becomes, and the confidence."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

CueType: TypeAlias = Literal["decision", "preference", "rule"]


@dataclass(frozen=True, slots=True)
class Cue:
    """Why a sentence is captured; ``confidence`` is at most 0.6, as no model has judged it."""

    type: CueType
    confidence: float
