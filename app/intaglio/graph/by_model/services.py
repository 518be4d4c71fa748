"""What the passes by a model work with."""

from collections.abc import Callable
from dataclasses import dataclass

from intaglio.base.settings.values import Settings
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.settings import GraphSettings
from intaglio.memory.operations import ChangeContext
from intaglio.models.calls import ModelCalls
from intaglio.store.database import Database


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
