"""What a run is asked for, what it returns, and how it fails."""

from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal, TypeAlias

from intaglio.base.errors import UnavailableError
from intaglio.projection.values import Dimensions, Method

KEPT_NEIGHBOURS: Final = 5
"""How many nearest points a layout tells of each point."""

RunFault: TypeAlias = Literal["memory", "time", "killed", "broken"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """What a run lays out, and within which limits.

    ``vector_dimensions`` is the number of signed bytes of each of the ``points``. ``previous`` has
    the layouts that new ones are aligned to: little-endian float32, a row for each point, NaN for
    one that is new. ``memory_bytes`` is what the process may allocate besides what Python and its
    libraries take.
    """

    points: int
    vector_dimensions: int
    dimensions: tuple[Dimensions, ...]
    previous: dict[Dimensions, bytes] = field(default_factory=dict[Dimensions, bytes], repr=False)
    seed: int
    memory_bytes: int
    timeout_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOut:
    """A layout: little-endian float32 coordinates, a row for each point in the plan's order.

    ``neighbours`` are little-endian int32 indexes of the KEPT_NEIGHBOURS nearest points, nearest
    first, a row for each point, -1 where there are fewer; empty in all but a run's first layout.
    """

    dimensions: Dimensions
    method: Method
    coordinates: bytes = field(repr=False)
    neighbours: bytes = field(default=b"", repr=False)


class LayoutRunError(UnavailableError):
    """A run ended without its layouts; ``fault`` tells why."""

    code: ClassVar[str] = "layout_failed"
    title: ClassVar[str] = "The map couldn't be computed"

    def __init__(self, fault: RunFault, detail: str, *, hint: str) -> None:
        super().__init__(detail, hint=hint)
        self.fault: RunFault = fault
