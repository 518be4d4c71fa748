"""Composes the daemon: the kernel, the parts of all packages, and the application."""

import asyncio
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from intaglio import __version__
from intaglio.api.app import Application
from intaglio.api.gate.routes import AsgiApp
from intaglio.base.bus import EventBus
from intaglio.base.clock import monotonic_s, system_clock
from intaglio.base.ids import uuid7_source
from intaglio.base.installation import Installation
from intaglio.base.metrics.metrics import Metrics
from intaglio.base.paths import Paths, built_folder
from intaglio.base.settings.catalogue import SettingsCatalogue
from intaglio.base.settings.editing import SettingsEditor
from intaglio.base.settings.settings_file import SettingsFile
from intaglio.daemon.job_worker import JobWorker
from intaglio.daemon.live_settings import LiveSettings
from intaglio.daemon.packages import PACKAGES
from intaglio.daemon.project_lookup import ProjectLookup
from intaglio.daemon.settings import DaemonSettings
from intaglio.fence.outgoing import Fence
from intaglio.harness.registry import harness_names, harnesses, meaningful_tags
from intaglio.jobs.job_type import JobTypes
from intaglio.jobs.settings import QueueSettings
from intaglio.kernel import DaemonProcess, Kernel
from intaglio.memory.operations import ChangeContext
from intaglio.models.confirmations import FILE_NAME as CONFIRMED_MODELS
from intaglio.models.confirmations import ConfirmedModels
from intaglio.models.stages import Stages
from intaglio.package import Packages, Part
from intaglio.redaction.stored_text import StoredTextRedactor, load_key
from intaglio.sections import SECTIONS
from intaglio.store.database import Database
from intaglio.store.values import DatabaseOptions


@dataclass(frozen=True, slots=True)
class Daemon:
    """The composed daemon: its kernel, its parts in order by package, and the application."""

    kernel: Kernel
    parts: dict[str, Part]
    app: AsgiApp


def compose(
    paths: Paths,
    installation: Installation,
    port: int,
    *,
    packages: Packages = PACKAGES,
    build: Callable[[], Application] = Application,
) -> Daemon:
    """Build all parts; only the key of stored texts is read, or created. Nothing is started.

    ``build`` creates the application; tests share one, as it is independent of the kernel.
    """
    # A workspace that can't be written stores nothing; its key may be any.
    key = load_key(paths.database, os.urandom) or installation.token
    kernel = _kernel(paths, installation, port, key, packages)
    parts = packages.assemble(kernel)
    types = JobTypes.of(each for part in parts.values() for each in part.job_types)
    worker = JobWorker(
        db=kernel.database,
        types=types,
        context=kernel.change_context,
        random=random.SystemRandom().random,
        settings=lambda: kernel.settings().of(QueueSettings),
        measure=kernel.metrics.add,
    )
    stages = Stages.of(each for part in parts.values() for each in part.stages)
    kernel.provide([types, worker, worker.throughput, stages])
    return Daemon(kernel, parts, build().serve(kernel))


def _kernel(
    paths: Paths, installation: Installation, port: int, key: str, packages: Packages
) -> Kernel:
    bus = EventBus()
    settings = LiveSettings(lambda: paths.settings, SECTIONS, bus.publish, harness_names())
    options = DatabaseOptions(
        paths.database,
        paths.backups,
        packages.schema,
        readers=settings.current().of(DaemonSettings).readers,
        private=paths.state / "read-only",
        known=paths.state / "databases.json",
    )
    database = Database(options, system_clock, bus.publish, StoredTextRedactor(key))
    new_id = uuid7_source(system_clock)
    stopping = asyncio.Event()
    kernel = Kernel(
        running=DaemonProcess(
            paths=paths,
            install=installation,
            port=port,
            pid=os.getpid(),
            version=__version__,
            started_at=system_clock(),
            stop=stopping.set,
            stopping=stopping,
            ui=built_folder("ui"),
        ),
        clock=system_clock,
        monotonic_s=monotonic_s,
        local=datetime.astimezone,
        new_id=new_id,
        change_context=ChangeContext(system_clock, new_id, packages.memory_steps, settings.current),
        bus=bus,
        database=database,
        settings=settings.current,
        setting_problems=settings.problems,
        projects=ProjectLookup(database),
        metrics=Metrics.empty(system_clock),
    )
    catalogue = SettingsCatalogue(SECTIONS, harness_names())
    file = SettingsFile(
        lambda: paths.settings, paths.state / "settings.lock", system_clock, catalogue
    )
    confirmed = ConfirmedModels(paths.state / CONFIRMED_MODELS, system_clock)
    editor = SettingsEditor(
        file, catalogue, settings.current, settings.refresh, confirmed.follow_change
    )
    kernel.provide([settings, editor, confirmed, Fence(meaningful_tags(harnesses().values()))])
    return kernel
