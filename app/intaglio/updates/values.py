"""What a check for updates finds, what running an update leads to, and what is kept of both."""

from dataclasses import dataclass
from typing import TypeAlias

import msgspec


@dataclass(frozen=True, slots=True)
class NewestVersion:
    """The newest version that there is; ``url`` is where it is downloaded, or empty."""

    version: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class NothingNewer:
    """The package manager names no newer version."""


@dataclass(frozen=True, slots=True)
class CheckFailed:
    """Whether there is a newer version isn't known; ``reason`` is a sentence."""

    reason: str


VersionOutcome: TypeAlias = NewestVersion | NothingNewer | CheckFailed


class UpdateRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept across restarts, in a file of the state folder.

    ``latest`` is the newest version that the last check found, ``error`` why it failed. ``seen`` is
    the version whose changes the user has seen, or that was installed first.
    """

    checked_at: str | None = None
    latest: str | None = None
    url: str = ""
    error: str | None = None
    seen: str = ""


@dataclass(frozen=True, slots=True)
class UserMustUpdate:
    """Intaglio doesn't run the update; ``advice`` and ``command`` say how the user does."""

    advice: str
    command: str


@dataclass(frozen=True, slots=True)
class UpdateRan:
    """The package manager ended well; ``version`` is what is on disk now, None if unknown."""

    version: str | None


@dataclass(frozen=True, slots=True)
class UpdateFailed:
    """The package manager failed, or goes on; ``reason`` is a sentence or its last lines."""

    reason: str


RunOutcome: TypeAlias = UserMustUpdate | UpdateRan | UpdateFailed
