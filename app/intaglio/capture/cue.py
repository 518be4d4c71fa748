"""What a cue is: the kind of memory that a sentence makes, and how sure that is."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

CueType: TypeAlias = Literal["decision", "preference", "rule"]


@dataclass(frozen=True, slots=True)
class Cue:
    """Why a sentence is kept; ``confidence`` is at most 0.6, for no model has judged it."""

    type: CueType
    confidence: float
