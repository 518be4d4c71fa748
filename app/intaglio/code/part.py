"""The code of projects in the daemon: the index of what it defines, and memories' places in it."""

from intaglio.code import rows
from intaglio.code.migrations import MIGRATIONS
from intaglio.package import KeptData, Package, SweepStep

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
)
