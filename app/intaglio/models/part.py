"""Language models in the daemon: the way to the one that the user chose."""

from intaglio.inference.completion.factory import completion_of
from intaglio.inference.completion.ports import ModelName
from intaglio.kernel import Kernel
from intaglio.models import usage_rows
from intaglio.models.calls import ModelCalls
from intaglio.models.choices import timeout_s
from intaglio.models.live_models import LiveModels
from intaglio.models.migrations import MIGRATIONS
from intaglio.models.prompt import ModelRole
from intaglio.models.settings import ModelLimitSettings
from intaglio.models.usage_gate import UsageGate
from intaglio.package import KeptData, Package, Part, SweepStep, singly


def part(kernel: Kernel) -> Part:
    """Wire language models; nothing is called before a job or the user asks for it."""
    models = LiveModels(kernel.settings, completion_of, lambda _: True, kernel.background.start)

    def name(role: ModelRole) -> ModelName | None:
        model = models.completion(role)
        return model.name if model else None

    gate = UsageGate(db=kernel.database, clock=kernel.clock, local=kernel.local, name=name)
    calls = ModelCalls(
        completion=models.completion,
        timeout_s=lambda role: timeout_s(kernel.settings(), role),
        gate=gate,
        monotonic_s=kernel.monotonic_s,
    )
    return Part(services=(models, calls), close=models.close)


PACKAGE = Package(
    name="models",
    tables={
        "model_calls": "each call of a language model: when, which model, stage and prompt with "
        "its version, tokens, cost, time taken, outcome, project, and the id of the memory or "
        "session; nothing of its text",
        "stage_pauses": "the stages of the pipeline that are paused, since when and by whom",
    },
    migrations=MIGRATIONS,
    retention=(
        SweepStep(
            "model_calls",
            lambda s: s.of(ModelLimitSettings).usage_days,
            usage_rows.expired,
            singly(usage_rows.purge),
        ),
    ),
    kept=(
        KeptData(
            "`model_calls`",
            "90 days",
            deleted_by="step `model_calls`",
            settings=("retention.modelCallDays",),
        ),
        KeptData("`stage_pauses`", "until the stage is resumed", deleted_by="resuming it"),
    ),
    make=part,
)
