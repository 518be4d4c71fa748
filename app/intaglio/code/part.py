"""The code of projects in the daemon: the index of what it defines, and memories' places in it."""

import asyncio

from intaglio.base.settings.values import Settings
from intaglio.code import rows
from intaglio.code.checking import PlaceChecks
from intaglio.code.index import CodeIndex
from intaglio.code.locating import LOCATE, MemoryLocator, queue_location
from intaglio.code.migrations import MIGRATIONS
from intaglio.code.places import MemoryPlaces
from intaglio.code.settings import CodeSettings
from intaglio.code.stale_items import STALE, close_when_reworded
from intaglio.code.staleness import PlaceMarks
from intaglio.code.upkeep import CodeUpkeep
from intaglio.git.command import Git
from intaglio.jobs.job_type import OneByOne
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Loop, Package, Part, SweepStep


def _is_enabled(settings: Settings) -> bool:
    return settings.of(CodeSettings).enabled


def part(kernel: Kernel) -> Part:
    """Build the index, what finds and checks the places of memories, and what marks them."""
    db, context, git = kernel.database, kernel.change_context, kernel.get(Git)
    locator = MemoryLocator(db=db, context=context, in_thread=asyncio.to_thread)
    index = CodeIndex(
        db=db,
        git=git,
        clock=kernel.clock,
        seconds=kernel.monotonic_s,
        in_thread=asyncio.to_thread,
        pause=asyncio.sleep,
    )
    checks = PlaceChecks(
        db=db,
        git=git,
        context=context,
        seconds=kernel.monotonic_s,
        in_thread=asyncio.to_thread,
    )
    upkeep = CodeUpkeep(
        db=db,
        context=context,
        index=index,
        locator=locator,
        checks=checks,
        pause=asyncio.sleep,
    )
    marks = PlaceMarks(
        db=db,
        settings=lambda: kernel.settings().of(CodeSettings),
        seconds=kernel.monotonic_s,
        in_thread=asyncio.to_thread,
    )
    return Part(
        services=(upkeep, checks, marks, MemoryPlaces()),
        loops=(Loop("code", upkeep.run, when=_is_enabled),),
        job_types=(LOCATE.run_by(OneByOne(locator.run)),),
    )


PACKAGE = Package(
    name="code",
    tables={
        "code_readings": "of each project with sessions: which commit its code was read from and "
        "when, and up to which memory places were looked for",
        "code_files": "the paths of the files of that commit, with git's hash of each",
        "code_terms": "hashes of each file's name, of the names that it defines and of words of "
        "its error messages; no text of a file",
        "code_imports": "the modules and paths that a test file imports",
        "memory_places": "the files and symbols that a memory names: path, symbol, git's hashes, "
        "hashes of the lines, and what became of them; no text of a file",
    },
    migrations=MIGRATIONS,
    memory_listeners=(queue_location, close_when_reworded),
    retention=(
        SweepStep(
            "code_files",
            lambda _: 1,
            rows.unused_files,
            rows.purge_files,
            has_period=False,
            at_once=50,
        ),
        SweepStep(
            "code_readings",
            lambda _: 1,
            rows.unused_readings,
            rows.purge_readings,
            has_period=False,
        ),
    ),
    kept=(
        KeptData(
            "the code index: `code_readings`, `code_files`, `code_terms`, `code_imports`",
            "as long as the project has sessions; of a project at most 20,000 files",
            deleted_by="reading a commit without the file; steps `code_files`, `code_readings`",
        ),
        KeptData(
            "`memory_places`",
            "as long as their memory, at most 8 each",
            deleted_by="a trigger with the memory",
        ),
    ),
    inbox_kinds=(STALE,),
    make=part,
)
