"""The import of history in the daemon."""

from typing import Final

from intaglio.base.log import get_logger
from intaglio.harness.transcript_files import TranscriptFiles
from intaglio.history_import import rows
from intaglio.history_import.exports.uploads import KEPT_DAYS, Uploads
from intaglio.history_import.migrations import MIGRATIONS
from intaglio.history_import.overview import SourceSurvey
from intaglio.history_import.preview import HistoryPreview
from intaglio.history_import.runner import ImportRunner
from intaglio.history_import.service import HistoryImports
from intaglio.history_import.sources import HistorySources, harness_histories
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Loop, Package, Part, SweepStep, singly
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.statements.settlement import Settlement
from intaglio.store.settings import RetentionSettings

_TIDY_UPLOADS_S: Final = 3_600.0
_TIDY_FIRST_S: Final = 60.0


def part(kernel: Kernel) -> Part:
    """Wire the sources, the imports, and the loop that runs them."""
    log = get_logger("import")
    uploads = Uploads(
        folder=kernel.running.paths.uploads,
        clock=kernel.clock,
        new_id=kernel.new_id,
        background=kernel.background,
        log=log,
    )
    sources = HistorySources((harness_histories(kernel.get(TranscriptFiles)), uploads.sources))
    survey = SourceSurvey(
        db=kernel.database,
        clock=kernel.clock,
        sources=sources,
        log=log,
        project_key=kernel.projects.session_key,
    )
    imports = HistoryImports(
        db=kernel.database, clock=kernel.clock, new_id=kernel.new_id, survey=survey
    )
    runner = ImportRunner(
        imports=imports,
        ends=kernel.get(SessionEnds),
        settlement=kernel.get(Settlement),
        seconds=kernel.monotonic_s,
        publish=kernel.bus.publish,
        log=log,
        forget_source=uploads.delete_source,
    )
    return Part(
        services=(
            *(sources, survey, imports, runner, uploads),
            HistoryPreview(survey, kernel.get(SessionEnds), kernel.monotonic_s),
        ),
        loops=(
            Loop("history import", runner.run),
            Loop.repeating(
                "uploads",
                kernel.database,
                uploads.tidy,
                _TIDY_UPLOADS_S,
                first_s=_TIDY_FIRST_S,
            ),
        ),
        close=uploads.close,
    )


PACKAGE = Package(
    name="history_import",
    tables={
        "imports": "imports of history: when, of which sources, how they ended",
        "import_sessions": "the sessions of each import: harness, id, path and size of the "
        "transcript, project, whether it was read, how many lines were kept; no text",
    },
    migrations=MIGRATIONS,
    retention=(
        SweepStep(
            "imports",
            lambda s: s.of(RetentionSettings).session_days,
            rows.old,
            singly(rows.purge),
            at_once=1,
        ),
    ),
    kept=(
        KeptData(
            "`imports`, `import_sessions`",
            "180 days after the import; what it brought in stays",
            deleted_by="step `imports`",
            settings=("retention.sessionDays",),
        ),
        KeptData(
            "`uploads` in the state folder: what was read of uploaded exports, for you only",
            f"until they are imported or deleted, at most {KEPT_DAYS} days; the files themselves "
            "until they are read",
            deleted_by="the loop `uploads`",
        ),
    ),
    make=part,
)
