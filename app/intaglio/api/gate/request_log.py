"""Logs requests that failed or took long, and at the level debug all of them.

A line names the endpoint, not the address, which may have names of projects or entities.
"""

import logging
from typing import Final

from intaglio.api.gate.declaration import Access
from intaglio.api.gate.routes import NoRoute, Route
from intaglio.base.log import get_logger

PART: Final = "requests"
SLOW_MS: Final = 1_000.0
_UNAVAILABLE: Final = 503


def log_request(route: Route | NoRoute, status: int, ms: float) -> None:
    """Log a request, whose response starts, in some microseconds if there is nothing to say."""
    is_refused_hook = status >= 400 and route.declaration.access is Access.HOOK  # noqa: PLR2004 - all that fails
    if status >= 500 and status != _UNAVAILABLE:  # noqa: PLR2004 - our own fault
        level, message = logging.WARNING, "request failed"
    elif status == _UNAVAILABLE or is_refused_hook:
        level, message = logging.INFO, "request refused"
    elif ms >= SLOW_MS:
        level, message = logging.INFO, "slow request"
    else:
        level, message = logging.DEBUG, "request"
    if logging.getLogger(PART).isEnabledFor(level):
        get_logger(PART).log(
            level, message, endpoint=route.name, status=status, duration_ms=round(ms, 1)
        )
