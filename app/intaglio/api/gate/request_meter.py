"""Counts and times requests: by endpoint, by actor, and by what they do to memories."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from intaglio.api.gate.guard import AccessRequest
from intaglio.api.gate.principal import AGENT_KEY, KIND_KEY, ROLE_KEY, Role, actor_name
from intaglio.api.gate.request_agent import RequestAgent
from intaglio.api.gate.request_log import log_request
from intaglio.api.gate.routes import AsgiScope, NoRoute, Route
from intaglio.base.log import current_request
from intaglio.base.metrics.errors import ErrorCode
from intaglio.base.metrics.metrics import Metrics
from intaglio.base.metrics.usage import RequestKind

_FAILED: Final = 400
_REFUSED: Final[dict[int, ErrorCode]] = {403: "MUTATION_SCOPE_DENIED", 409: "MUTATION_CONFLICT"}
_ACTOR_CHARS: Final = 64


@dataclass(frozen=True, slots=True)
class RequestMeter:
    """Adds requests to the metrics; costs a few microseconds each."""

    metrics: Metrics
    monotonic_s: Callable[[], float]

    def begin(self, scope: AsgiScope) -> "RequestMeasurement":
        """Begin to measure a request."""
        return RequestMeasurement(self, scope, self.monotonic_s())


@dataclass(slots=True)
class RequestMeasurement:
    """The measurement of a request: from its complete body to the start of its response.

    A request without a response, because its client is gone, isn't counted.
    """

    meter: RequestMeter
    scope: AsgiScope
    began_s: float
    route: Route | NoRoute | None = None
    request: AccessRequest | None = None

    def read(self) -> None:
        """Note that the body is complete: what its client took isn't counted."""
        self.began_s = self.meter.monotonic_s()

    def end(self, status: int) -> None:
        """Count the request, whose response starts."""
        route, request = self.route, self.request
        if route is None or request is None:
            # It couldn't even be read.
            return
        ms = (self.meter.monotonic_s() - self.began_s) * 1_000
        state = self.scope.get("state", {})
        kind: RequestKind = state.get(KIND_KEY, route.declaration.kind)
        actor = _actor(request, state.get(ROLE_KEY), state.get(AGENT_KEY))
        metrics = self.meter.metrics
        metrics.usage.add_request(route.name, actor, kind, failed=status >= _FAILED, ms=ms)
        log_request(route, status, ms)
        if kind != "other":
            metrics.latency.add(kind, ms)
        if kind == "mutate" and (code := _REFUSED.get(status)) is not None:
            metrics.errors.add(
                "mutation",
                code,
                f"{route.name} was answered by {status}",
                request_id=current_request(),
                memory_id=self.scope.get("path_params", {}).get("memory_id"),
                actor=actor,
            )


def _actor(request: AccessRequest, role: Role | None, agent: RequestAgent | None) -> str:
    """Return who made a request: the named actor or agent, else the kind of client."""
    name = actor_name(request.headers) or (agent.agent_id if agent else None)
    if name:
        return name[:_ACTOR_CHARS]
    match role:
        case Role.BROWSER:
            return "dashboard"
        case Role.HOOKS:
            return "hooks"
        case Role.LOCAL | Role.OWNER | None:
            return "local"
