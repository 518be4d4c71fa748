"""Questions that memories answer, in the daemon."""

from collections.abc import Collection

from intaglio.base.settings.values import Settings
from intaglio.hints import rows
from intaglio.hints.making import ASK_MODEL, FILL_TEMPLATES, STAGE, HintsByModel, HintsByTemplates
from intaglio.hints.migrations import MIGRATIONS
from intaglio.hints.prompt import HINTS
from intaglio.hints.settings import HintSettings
from intaglio.kernel import Kernel
from intaglio.memory.operations import MEMORY_TOPIC
from intaglio.models.backlog import ModelBacklog, Unread
from intaglio.models.calls import ModelCalls
from intaglio.models.job_runner import ModelJobs
from intaglio.models.stages import QueueSubjects, Redo, Stage
from intaglio.package import KeptData, Loop, Package, Part
from intaglio.store.tx import ReadTx


def _is_enabled(settings: Settings) -> bool:
    return settings.of(HintSettings).enabled


STAGES = (
    Stage(
        name=STAGE,
        position=90,
        label="Questions that memories answer",
        help="Thinks up questions for each memory, by which searches find it in other words.",
        role="extraction",
        job_types=(ASK_MODEL.name,),
        prompts=(HINTS,),
        redo=Redo(rows.count_by_model, QueueSubjects(ASK_MODEL, rows.by_model_since)),
        is_enabled=_is_enabled,
    ),
)


def _has_templates(settings: Settings) -> bool:
    wanted = settings.of(HintSettings)
    return wanted.enabled and wanted.by_templates


def part(kernel: Kernel) -> Part:
    """Build what makes the questions, and the loops that queue memories without any."""
    db, context, calls = kernel.database, kernel.change_context, kernel.get(ModelCalls)

    def by_model() -> bool:
        return calls.is_on("extraction")

    def find(tx: ReadTx, first: int, last: int, closed: Collection[str]) -> list[str]:
        return rows.without(tx, first, last, closed, by_model=by_model())

    asking = Unread(job_type=ASK_MODEL, last=rows.last_memory, find=find, rows_of=rows.rows_of)
    filling = Unread(
        job_type=FILL_TEMPLATES, last=rows.last_memory, find=find, rows_of=rows.rows_of
    )
    backlogs = [
        ModelBacklog(
            db=db,
            bus=kernel.bus,
            unread=unread,
            topic=MEMORY_TOPIC,
            is_on=is_on,
            now=lambda: context.now,
        )
        for unread, is_on in ((asking, by_model), (filling, lambda: not by_model()))
    ]
    runner = ModelJobs(
        db=db,
        calls=calls,
        clock=kernel.clock,
        role="extraction",
        stage=STAGE,
        work=HintsByModel(
            db=db, context=context, calls=calls, is_wanted=lambda: _is_enabled(kernel.settings())
        ).work,
    )
    return Part(
        loops=(
            Loop("questions by a model", backlogs[0].run, when=_is_enabled),
            Loop("questions by templates", backlogs[1].run, when=_has_templates),
        ),
        job_types=(
            ASK_MODEL.run_by(runner),
            FILL_TEMPLATES.run_by(HintsByTemplates(db=db, context=context)),
        ),
        stages=STAGES,
    )


PACKAGE = Package(
    name="hints",
    tables={
        "memory_hints": "questions that a memory answers, made by a model or from its own words",
        "hint_readings": "of each memory with questions: by which model and version of the prompt",
        "hints_fts": "the full-text index over these questions, maintained by triggers",
    },
    migrations=MIGRATIONS,
    kept=(
        KeptData(
            "`memory_hints`, `hint_readings`, `hints_fts`",
            "as long as the memory says the same",
            deleted_by="a trigger with the memory, or when its text changes",
        ),
    ),
    make=part,
)
