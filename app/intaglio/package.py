"""What a package declares about itself, in the one `PACKAGE` of its `part.py`.

`daemon/packages.py` lists the packages; whatever concerns all of them is derived from that list,
without a running daemon: the schema, what happens to other packages' rows when a memory is
forgotten or erased, the retention sweep, and the tables of the documentation. With ``make``, a
package also adds services, loops and job types to the daemon, and looks up the services of earlier
packages by type.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field

from intaglio.base.settings.schema import Settings
from intaglio.jobs.job_type import JobType
from intaglio.kernel import Kernel
from intaglio.memory.operations import Listener, MemoryStep


def _always(_: Settings) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Loop:
    """Work that runs as long as the daemon; restarted a minute after it fails or returns.

    ``when`` decides from the settings whether it runs: it starts and stops as they change.
    """

    name: str
    run: Callable[[], Awaitable[None]]
    when: Callable[[Settings], bool] = _always


@dataclass(frozen=True, slots=True)
class PartHealth:
    """A part's health, with one line for people."""

    healthy: bool
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a package adds to the running daemon.

    ``services`` are looked up by type, ``loops`` run in the background, and the daemon's worker
    runs the jobs of ``job_types``. ``prepare`` runs in a thread before the database is opened;
    ``ping`` reports the part's health; ``close`` is awaited at shutdown, while the database is
    still open.
    """

    services: tuple[object, ...] = ()
    loops: tuple[Loop, ...] = ()
    job_types: tuple[JobType, ...] = ()
    prepare: Callable[[], object] | None = None
    ping: Callable[[], Awaitable[PartHealth]] | None = None
    close: Callable[[], Awaitable[None]] | None = None


def _no_part(_: Kernel) -> Part:
    return Part()


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A package's declaration.

    ``tables`` maps each table that the package owns, and alone writes, to what it holds. The steps
    run in the transaction that changes a memory: ``memory_listeners`` for every change, the others
    with the id of a memory that is forgotten, restored or erased. ``make`` builds the package's
    part of the daemon; nothing is started.
    """

    name: str
    tables: Mapping[str, str] = field(default_factory=dict[str, str])
    memory_listeners: tuple[Listener, ...] = ()
    on_forget: tuple[MemoryStep, ...] = ()
    on_restore: tuple[MemoryStep, ...] = ()
    on_erase: tuple[MemoryStep, ...] = ()
    make: Callable[[Kernel], Part] = _no_part


def assemble(kernel: Kernel, packages: Iterable[Package]) -> dict[str, Part]:
    """Build the parts in order, by package; each can use the services of the earlier ones.

    Raises ValueError if two packages, loops or services have the same name or type.
    """
    parts: dict[str, Part] = {}
    for package in packages:
        if package.name in parts:
            raise ValueError(f"two packages are named {package.name}")
        part = parts[package.name] = package.make(kernel)
        kernel.provide(part.services)
    loops = [loop.name for part in parts.values() for loop in part.loops]
    duplicates = sorted({name for name in loops if loops.count(name) > 1})
    if duplicates:
        raise ValueError(f"two loops are named {', '.join(duplicates)}")
    return parts
