"""What backends over HTTP share: the connections, the limits, and the reading of failures."""

import asyncio
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import ClassVar, Final, TypeVar

import httpx

from intaglio.base.clock import Clock, system_clock
from intaglio.inference.completion.backend import BackendFailure
from intaglio.inference.completion.fallbacks import Fallbacks
from intaglio.inference.completion.parameters import OptionalParameters
from intaglio.inference.completion.ports import ModelName
from intaglio.inference.server_http import ExchangeFailure, ServerAddress, exchange

T = TypeVar("T")

_MAX_REPLY_BYTES: Final = 2_000_000
# OpenRouter's list of models is above a megabyte.
_MAX_LIST_BYTES: Final = 4_000_000
_MAX_RETRY_AFTER_S: Final = 3_600.0
_TOO_MANY: Final = 429
_SERVER_ERROR: Final = 500
_TIMED_OUT: Final = 408
# No request will succeed before the user changes something.
_PERMANENT: Final = MappingProxyType(
    {
        401: "the model server refuses the key, or needs one",
        402: "the model server's credit is used up",
        403: "the model server refuses the key, or needs one",
        404: "the model server doesn't know the model, or the address is wrong",
    }
)


class ServerBackend(ABC):
    """Asks a server; the connections are kept open between calls.

    ``optional`` are the parameters that some models refuse, each with the one to send instead.
    """

    optional: ClassVar[Mapping[str, str]] = MappingProxyType({})

    def __init__(self, name: ModelName, address: ServerAddress, clock: Clock | None = None) -> None:
        self._name = name
        self._address = address
        self._clock = clock or system_clock
        self._fallbacks = Fallbacks()
        self._parameters = OptionalParameters(self.optional)
        self._opened: httpx.AsyncClient | None = None

    @property
    def name(self) -> ModelName:
        """The model; known without calling it."""
        return self._name

    async def close(self) -> None:
        """Close the connections."""
        opened, self._opened = self._opened, None
        if opened is not None:
            await opened.aclose()

    @property
    @abstractmethod
    def _headers(self) -> Mapping[str, str]:
        """The headers of every request; the key is in one of them."""

    async def _post(
        self, path: str, reply: type[T], body: Mapping[str, object]
    ) -> T | ExchangeFailure:
        """Post a body; parameters that the model refuses are left out then and from then on."""
        while True:
            sent = self._parameters.applied(body)
            found = await self._exchange(path, reply, sent)
            if not isinstance(found, ExchangeFailure) or not self._parameters.learn(sent, found):
                return found

    async def _exchange(
        self, path: str, reply: type[T], body: Mapping[str, object] | None = None
    ) -> T | ExchangeFailure:
        """Post a body, or get a list without one."""
        client = self._opened
        if client is None:
            made = await asyncio.to_thread(self._address.client, self._headers)
            # Another call may have opened one meanwhile.
            if self._opened is None:
                client = self._opened = made
            else:
                client = self._opened
                await made.aclose()
        most = _MAX_LIST_BYTES if body is None else _MAX_REPLY_BYTES
        return await exchange(client, path, reply, body=body, max_bytes=most)

    def _failure(self, failure: ExchangeFailure) -> BackendFailure:
        """Say what a failed exchange means, for the user and for retries."""
        match failure.problem:
            case "unreachable":
                return BackendFailure(reason="unreachable", detail=failure.detail, passing=True)
            case "too_long":
                return BackendFailure(reason="too_long", detail=failure.detail)
            case "malformed":
                return BackendFailure(reason="refused", detail=failure.detail)
            case "status":
                status = failure.status
                return BackendFailure(
                    reason="rate_limited" if status == _TOO_MANY else "refused",
                    detail=_PERMANENT.get(status, failure.detail),
                    passing=status in (_TOO_MANY, _TIMED_OUT) or status >= _SERVER_ERROR,
                    permanent=status in _PERMANENT,
                    retry_after_s=self._retry_after_s(failure.retry_after),
                )

    def _retry_after_s(self, header: str) -> float:
        """Read the header in either of its forms; 0 if it says nothing, at most an hour."""
        try:
            seconds = float(header)
        except ValueError:
            try:
                moment = parsedate_to_datetime(header)
                seconds = (moment - self._clock()).total_seconds()
            except (ValueError, TypeError, OverflowError):
                return 0.0
        return min(max(seconds, 0.0), _MAX_RETRY_AFTER_S) if math.isfinite(seconds) else 0.0
