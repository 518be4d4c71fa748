"""Which requests are counted, by whom, and what one over the limit is told."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs

import msgspec

from intaglio.api.gate.declaration import Declaration, Operation
from intaglio.api.gate.guard import AccessRequest
from intaglio.api.gate.principal import Role, actor_headers
from intaglio.api.gate.rate_limiter import LimitExceeded, RateLimit, RateLimiter
from intaglio.api.problems.errors import TooOftenError
from intaglio.base.clock import Clock
from intaglio.base.settings.schema import AuthSettings


class _Asked(msgspec.Struct):
    """What decides on the operation, in a body that may hold anything else."""

    force: object = False
    mode: object = None


def modify_rate(_query: str, _body: bytes) -> tuple[Operation, ...]:
    """Count a change."""
    return ("modify",)


def admin_rate(_query: str, _body: bytes) -> tuple[Operation, ...]:
    """Count an administrator's request."""
    return ("admin",)


def forget_rate(query: str, body: bytes) -> tuple[Operation, ...]:
    """Count a deletion; one by force counts as itself and as that."""
    return _forced("forget", query, _asked(body))


def batch_forget_rate(query: str, body: bytes) -> tuple[Operation, ...]:
    """Count a deletion of many; a preview changes nothing and counts as nothing."""
    asked = _asked(body)
    return _forced("batchForget", query, asked) if asked.mode == "execute" else ()


def _asked(body: bytes) -> _Asked:
    try:
        return msgspec.json.decode(body, type=_Asked) if body else _Asked()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # Not readable here, so not by the endpoint either: it refuses.
        return _Asked()


def _forced(operation: Operation, query: str, asked: _Asked) -> tuple[Operation, ...]:
    by_query = any(value.lower() in {"1", "true"} for value in parse_qs(query).get("force", ()))
    return (operation, "forceDelete") if asked.force is True or by_query else (operation,)


def limit_of(settings: AuthSettings, operation: Operation) -> RateLimit:
    """Return the limit that the settings set for an operation."""
    match operation:
        case "forget":
            return RateLimit(settings.forget_max, settings.forget_window_ms)
        case "modify":
            return RateLimit(settings.modify_max, settings.modify_window_ms)
        case "batchForget":
            return RateLimit(settings.batch_forget_max, settings.batch_forget_window_ms)
        case "forceDelete":
            return RateLimit(settings.force_delete_max, settings.force_delete_window_ms)
        case "admin":
            return RateLimit(settings.admin_max, settings.admin_window_ms)


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """The rate limits in front of the API; in the mode local there are none."""

    settings: Callable[[], AuthSettings]
    limiter: RateLimiter
    clock: Clock

    @property
    def armed(self) -> bool:
        """Whether the mode asks for limits."""
        return self.settings().mode != "local"

    def spend(
        self, declared: Declaration, request: AccessRequest, role: Role, query: str, body: bytes
    ) -> None:
        """Count a request; raises TooOftenError where it is one too many."""
        if not self.armed:
            return
        settings = self.settings()
        actor = actor_headers(request.headers).name or role.value
        for operation in declared.rate(query, body):
            verdict = self.limiter.spend(f"{actor}:{operation}", limit_of(settings, operation))
            if isinstance(verdict, LimitExceeded):
                now_ms = math.ceil(self.clock().timestamp() * 1_000)
                raise TooOftenError(
                    "rate limit exceeded",
                    wait_s=math.ceil(verdict.wait_ms / 1_000),
                    until_ms=now_ms + verdict.wait_ms,
                    hint=f"auth.rateLimits.{operation} in agent.yaml sets this limit.",
                )
