"""Repeats reads that met a damaged full-text index, once it is rebuilt."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.store.index_repair.rebuild import IndexFaultError, index_error, rebuild
from intaglio.store.tx import WriteTx

T = TypeVar("T")


class IndexRepair:
    """Rebuilds damaged indexes, once for all reads that meet the same damage."""

    def __init__(self, write: Callable[[Callable[[WriteTx], None]], Awaitable[None]]) -> None:
        self._write = write
        self._one_at_a_time = asyncio.Lock()
        self._repairs = 0
        self._log = get_logger("store")

    async def retry(self, read: Callable[[], Awaitable[T]]) -> T:
        """Run ``read``, and once more if it meets a damaged index that could be rebuilt."""
        repairs = self._repairs
        try:
            return await read()
        except IndexFaultError as fault:
            reason = str(fault)
        async with self._one_at_a_time:
            if self._repairs == repairs:
                await self.repair(reason)
        try:
            return await read()
        except IndexFaultError as fault:
            raise index_error() from fault

    async def repair_if_possible(self, reason: str) -> None:
        """Rebuild the indexes now, unless the database can't be written: a read will then."""
        with contextlib.suppress(UnavailableError):
            await self.repair(reason)

    async def repair(self, reason: str) -> None:
        """Rebuild the indexes. Raises UnavailableError if the database can't be written now."""
        self._log.warning("rebuilding the full-text indexes", reason=reason)
        await self._write(rebuild)
        self._repairs += 1
