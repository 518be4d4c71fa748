"""Which requests are rate-limited, and the error for one over the limit."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs

import msgspec

from intaglio.api.gate.declaration import Declaration, Operation
from intaglio.api.gate.guard import AccessRequest
from intaglio.api.gate.principal import Role, actor_headers
from intaglio.api.gate.rate_limiter import LimitExceeded, RateLimit, RateLimiter
from intaglio.api.gate.settings import AuthSettings
from intaglio.api.problems.errors import TooOftenError
from intaglio.base.clock import Clock


class _ForceFields(msgspec.Struct):
    """The body fields that determine the operation; others are ignored."""

    force: object = False
    mode: object = None
    preview: object = False


def modify_rate(_query: str, _body: bytes) -> tuple[Operation, ...]:
    """Count as a modification."""
    return ("modify",)


def previewed_rate(_query: str, body: bytes) -> tuple[Operation, ...]:
    """Count as a modification, unless it is a preview, which changes nothing."""
    return () if _read_fields(body).preview is True else ("modify",)


def admin_rate(_query: str, _body: bytes) -> tuple[Operation, ...]:
    """Count as an administrative request."""
    return ("admin",)


def forget_rate(query: str, body: bytes) -> tuple[Operation, ...]:
    """Count as a deletion and, with force, also as a forced deletion."""
    return _with_force("forget", query, _read_fields(body))


def batch_forget_rate(query: str, body: bytes) -> tuple[Operation, ...]:
    """Count as a batch deletion; a preview changes nothing and isn't counted."""
    fields = _read_fields(body)
    return _with_force("batchForget", query, fields) if fields.mode == "execute" else ()


def _read_fields(body: bytes) -> _ForceFields:
    try:
        return msgspec.json.decode(body, type=_ForceFields) if body else _ForceFields()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # The endpoint can't read it either and will refuse it.
        return _ForceFields()


def _with_force(operation: Operation, query: str, fields: _ForceFields) -> tuple[Operation, ...]:
    by_query = any(value.lower() in {"1", "true"} for value in parse_qs(query).get("force", ()))
    return (operation, "forceDelete") if fields.force is True or by_query else (operation,)


def limit_of(settings: AuthSettings, operation: Operation) -> RateLimit:
    """Return the configured limit of an operation."""
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
    """Applies the rate limits to requests; there are none in local mode."""

    settings: Callable[[], AuthSettings]
    limiter: RateLimiter
    clock: Clock

    @property
    def armed(self) -> bool:
        """Whether the auth mode enables the limits."""
        return self.settings().mode != "local"

    def spend(
        self, declared: Declaration, request: AccessRequest, role: Role, query: str, body: bytes
    ) -> None:
        """Count a request; raises TooOftenError if it exceeds a limit."""
        if not self.armed:
            return
        settings = self.settings()
        actor = actor_headers(request.headers).name or role.value
        for operation in declared.rate(query, body):
            outcome = self.limiter.spend(f"{actor}:{operation}", limit_of(settings, operation))
            if isinstance(outcome, LimitExceeded):
                now_ms = math.ceil(self.clock().timestamp() * 1_000)
                raise TooOftenError(
                    "rate limit exceeded",
                    wait_s=math.ceil(outcome.wait_ms / 1_000),
                    until_ms=now_ms + outcome.wait_ms,
                    hint=f"Wait, or raise auth.rateLimits.{operation} in Settings.",
                )
