"""Looks for updates, runs them on request, and knows whether a restart would finish one."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, TypeAlias, cast

import msgspec

from intaglio.base.clock import Clock, iso, parse_moment
from intaglio.base.errors import ConflictError
from intaglio.base.installed_by import InstalledBy
from intaglio.updates.changelog import Release, read_changelog
from intaglio.updates.record_file import RecordFile
from intaglio.updates.settings import Channel, UpdateSettings
from intaglio.updates.sources import PythonEnvironment, UpdateSource, VersionQuery, update_source
from intaglio.updates.values import (
    CheckFailed,
    NewestVersion,
    NothingNewer,
    RunOutcome,
    UpdateFailed,
    UpdateRan,
    UpdateRecord,
    UserMustUpdate,
    VersionOutcome,
)
from intaglio.updates.versions import is_newer, version_key

AskForVersion: TypeAlias = Callable[[VersionQuery | str, Channel], Awaitable[VersionOutcome]]
"""Asks a package manager, or reads the feed at an address."""

RunUpdate: TypeAlias = Callable[[tuple[str, ...]], Awaitable[str | None]]

_LOOK_S: Final = 60.0
# A result is used again for so long, however often a check is asked for.
_FRESH: Final = timedelta(seconds=10)


@dataclass(slots=True, kw_only=True)
class Updates:
    """Updates of this installation, of ``version``, installed in the way ``kind``.

    ``on_disk`` returns the version on disk, None if it can't be read. ``ask`` finds the newest
    version, ``run_command`` runs a command and returns why it failed. ``packaged_feed`` is the
    address of the release feed that the package names, or empty.
    """

    version: str
    kind: InstalledBy
    settings: Callable[[], UpdateSettings]
    clock: Clock
    record: RecordFile
    on_disk: Callable[[], str | None]
    ask: AskForVersion
    run_command: RunUpdate
    changelog: Path
    packaged_feed: str = ""
    _checking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _run: "asyncio.Task[str | None] | None" = None

    @property
    def source(self) -> UpdateSource:
        """The package manager that installed this copy."""
        return update_source(self.kind, self._channel, PythonEnvironment.current())

    @property
    def _channel(self) -> Channel:
        return cast("Channel", self.settings().channel)

    @property
    def obstacle(self) -> str:
        """Why nobody can be asked for a newer version, in a sentence; empty if somebody can."""
        return "" if self._query(self.source) else self._advice(self.source)

    def _query(self, source: UpdateSource) -> VersionQuery | str:
        feed = (self.settings().feed.strip() or self.packaged_feed) if source.has_feed else ""
        return source.query or feed

    def _advice(self, source: UpdateSource) -> str:
        if not source.has_feed:
            return source.advice
        return f"{source.advice} No release feed is set that would name it."

    @property
    def known(self) -> UpdateRecord:
        """What is known."""
        return self.record.value

    @property
    def latest(self) -> str | None:
        """The newest version that is known; the running one if it is newer than what was found."""
        found = self.known.latest
        return self.version if found and is_newer(self.version, found) else found

    @property
    def is_available(self) -> bool:
        """Whether a newer version is known than those that run and that are on disk."""
        latest = self.known.latest
        return latest is not None and is_newer(latest, self.pending_version or self.version)

    @property
    def pending_version(self) -> str | None:
        """The version on disk, which a restart would run; None if that is the running one."""
        found = self.on_disk()
        return None if found in {None, self.version} else found

    @property
    def is_running(self) -> bool:
        """Whether a package manager is at work."""
        return self._run is not None and not self._run.done()

    # --- checks -----------------------------------------------------------------------------------

    async def check(self) -> bool:
        """Ask for the newest version; returns False if the last answer is still fresh.

        Asks nobody if there is an `obstacle`.
        """
        async with self._checking:
            source = self._query(self.source)
            if not source:
                return False
            age = self._age(self.clock())
            if age is not None and timedelta() <= age < _FRESH:
                return False
            outcome = await self.ask(source, self._channel)
            await asyncio.to_thread(self.record.save, self._with(outcome))
            return True

    def _with(self, outcome: VersionOutcome) -> UpdateRecord:
        before = msgspec.structs.replace(self.known, checked_at=iso(self.clock()), error=None)
        match outcome:
            case NewestVersion(version, url) if version_key(version) is not None:
                return msgspec.structs.replace(before, latest=version, url=url)
            case NewestVersion():
                return msgspec.structs.replace(before, error="The answer names no version.")
            case NothingNewer():
                return msgspec.structs.replace(before, latest=self.version, url="")
            case CheckFailed(reason):
                return msgspec.structs.replace(before, error=reason)

    def _age(self, now: datetime) -> timedelta | None:
        checked = parse_moment(self.known.checked_at) if self.known.checked_at else None
        return None if checked is None else now - checked

    def age_hours(self) -> float | None:
        """Return how old the last check is, None without one."""
        age = self._age(self.clock())
        return None if age is None else round(age.total_seconds() / 3_600, 2)

    async def watch(self) -> None:
        """Check whenever the interval is over; not at once, as startup belongs to new sessions."""
        while True:
            await asyncio.sleep(_LOOK_S)
            if self.is_due():
                await self.check()

    def is_due(self) -> bool:
        """Whether the interval is over; a check in the future was made by a wrong clock."""
        age = self._age(self.clock())
        interval = timedelta(seconds=self.settings().check_interval)
        return age is None or not timedelta() <= age < interval

    # --- the update itself ------------------------------------------------------------------------

    async def run(self, *, confirmed: bool) -> RunOutcome:
        """Run the package manager's command if it may be run and the user has confirmed it.

        It goes on if nobody waits for it any more. Raises ConflictError while one runs.
        """
        source = self.source
        if not source.run or not confirmed:
            return UserMustUpdate(source.advice, source.command)
        if self.is_running:
            raise ConflictError("An update is running", hint="Wait until it is done.")
        self._run = asyncio.ensure_future(self.run_command(source.run))
        failure = await asyncio.shield(self._run)
        return UpdateRan(self.on_disk()) if failure is None else UpdateFailed(failure)

    # --- what is new ------------------------------------------------------------------------------

    async def releases(self) -> tuple[Release, ...]:
        """Return the versions of the changelog, newest first."""
        return await asyncio.to_thread(read_changelog, self.changelog)

    async def mark_seen(self) -> None:
        """Note that the user has seen what is new in the running version."""
        if self.known.seen != self.version:
            seen = msgspec.structs.replace(self.known, seen=self.version)
            await asyncio.to_thread(self.record.save, seen)
