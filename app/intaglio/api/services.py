"""A handler's way to the services of the parts."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from intaglio.kernel import Kernel
from intaglio.pipeline.embed import Embed
from intaglio.pipeline.pace import Pace
from intaglio.pipeline.vectors.export import Export
from intaglio.pipeline.vectors.health import HealthChecks
from intaglio.pipeline.vectors.provider import ProviderCheck
from intaglio.pipeline.vectors.repair import Repairs
from intaglio.pipeline.vectors.sets import Sets
from intaglio.pipeline.vectors.tracker import Tracker
from intaglio.recall.similar import Similar
from intaglio.store.vectors.index import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningServices:
    """The leg of meaning as the API shows it; ``recheck`` looks anew at a model that failed."""

    embed: Embed
    vectors: Vectors
    similar: Similar
    sets: Sets
    tracker: Tracker
    pace: Pace
    provider: ProviderCheck
    health: HealthChecks
    export: Export
    repairs: Repairs
    recheck: Callable[[], Awaitable[None]]


Needs: TypeAlias = NamedDependency[SkipValidation[Kernel]]
"""The type of a handler's parameter ``services``: the kernel, with `Kernel.get` for a service."""
