"""What the passes by a model work with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from intaglio.base.settings.values import Settings
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.reading_rows import FactReading
from intaglio.graph.settings import GraphSettings
from intaglio.jobs import rows as queue
from intaglio.jobs.job_type import Job
from intaglio.memory.operations import ChangeContext
from intaglio.models.calls import ModelCalls
from intaglio.models.prompt import ModelPrompt
from intaglio.models.values import CallContext, ModelAnswer, NoAnswer
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

T = TypeVar("T")


class FactsToAsk(Protocol):
    """Facts of an entity that the model is asked about."""

    @property
    def about(self) -> CallContext:
        """What the call is for."""
        ...

    @property
    def text(self) -> str:
        """What the model is shown."""
        ...


F = TypeVar("F", bound=FactsToAsk)


def is_wanted(settings: Settings) -> bool:
    """Tell whether the settings let a model work on the graph."""
    graph = settings.of(GraphSettings)
    return graph.enabled and graph.by_model


@dataclass(frozen=True, slots=True, kw_only=True)
class PassServices:
    """The database, the settings of the graph, and the way to the model."""

    db: Database
    context: ChangeContext
    telemetry: GraphTelemetry
    settings: Callable[[], GraphSettings]
    calls: ModelCalls

    def is_on(self) -> bool:
        """Whether a model is configured, and the graph may use it."""
        return self.is_wanted and self.calls.is_on("extraction")

    @property
    def is_wanted(self) -> bool:
        """Whether the settings let a model work on the graph."""
        settings = self.settings()
        return settings.enabled and settings.by_model

    async def ask(
        self,
        job: Job,
        read: Callable[[ReadTx], F | None],
        prompt: ModelPrompt[T],
        write: Callable[[WriteTx, F, T, FactReading], None],
    ) -> NoAnswer | None:
        """Ask about what is read, and finish the job in the transaction that writes the answer.

        Without anything to ask, the job is done.
        """
        found = await self.db.read(read)
        if found is None or not self.is_wanted:
            await self.db.write(lambda tx: queue.complete(tx, job, self.context.now))
            return None
        answer = await self.calls.ask(prompt, found.text, found.about)
        if not isinstance(answer, ModelAnswer):
            return answer
        reading = FactReading(found.about.stage, None, prompt.version, answer.model.model)

        def work(tx: WriteTx) -> None:
            queue.complete(tx, job, self.context.now)
            write(tx, found, answer.value, reading)

        await self.db.write(work)
        return None
