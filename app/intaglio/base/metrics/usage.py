"""Who calls what how often: requests by endpoint and by actor, calls by provider."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, TypeVar

T = TypeVar("T")

RequestKind: TypeAlias = Literal["remember", "recall", "mutate", "hooks", "other"]
"""What a request does to memories."""

OTHERS: Final = "(others)"
"""The key that further names share once a map is full."""

_MOST_ENDPOINTS: Final = 1_000
_MOST_NAMES: Final = 100


@dataclass(slots=True)
class EndpointUsage:
    """The requests of an endpoint; ``errors`` are those with a status of 400 or above."""

    count: int = 0
    errors: int = 0
    total_ms: float = 0.0


@dataclass(slots=True)
class ActorUsage:
    """The requests of an actor."""

    requests: int = 0
    remembers: int = 0
    recalls: int = 0
    mutations: int = 0


@dataclass(slots=True)
class ProviderUsage:
    """The calls of a provider of models."""

    calls: int = 0
    failures: int = 0
    total_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts since the daemon started; use them on the event loop's thread.

    Endpoints are route templates, so there are few; of the other names, at most a hundred are
    counted apart.
    """

    endpoints: dict[str, EndpointUsage] = field(default_factory=dict[str, EndpointUsage])
    actors: dict[str, ActorUsage] = field(default_factory=dict[str, ActorUsage])
    providers: dict[str, ProviderUsage] = field(default_factory=dict[str, ProviderUsage])

    def add_request(
        self, endpoint: str, actor: str, kind: RequestKind, *, failed: bool, ms: float
    ) -> None:
        """Count a request that has been answered."""
        by_endpoint = _entry(self.endpoints, endpoint, EndpointUsage, _MOST_ENDPOINTS)
        by_endpoint.count += 1
        by_endpoint.errors += failed
        by_endpoint.total_ms += ms
        by_actor = _entry(self.actors, actor, ActorUsage)
        by_actor.requests += 1
        match kind:
            case "remember":
                by_actor.remembers += 1
            case "recall":
                by_actor.recalls += 1
            case "mutate":
                by_actor.mutations += 1
            case "hooks" | "other":
                pass

    def add_call(self, provider: str, *, failed: bool, ms: float) -> None:
        """Count a call of a provider."""
        found = _entry(self.providers, provider, ProviderUsage)
        found.calls += 1
        found.failures += failed
        found.total_ms += ms


def _entry(found: dict[str, T], name: str, make: Callable[[], T], most: int = _MOST_NAMES) -> T:
    entry = found.get(name)
    if entry is None:
        key = name if len(found) < most else OTHERS
        entry = found.setdefault(key, make())
    return entry
