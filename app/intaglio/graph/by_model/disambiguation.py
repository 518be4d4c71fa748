"""Asks a model whether two entities with similar names are one.

It decides only whether the user is asked, and adds why: merging stays the user's decision.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from intaglio.base.settings.values import Settings
from intaglio.domain.reader import USER
from intaglio.graph import mention_rows
from intaglio.graph.background.resolution import NamedEntity
from intaglio.graph.by_model.name_prompt import NAMES, DescribedEntity, NameVerdict, names_text
from intaglio.graph.by_model.services import PassServices
from intaglio.graph.job_types import RESOLVE
from intaglio.graph.settings import GraphSettings
from intaglio.models.admission import closed_projects
from intaglio.models.stages import Stage
from intaglio.models.values import CallContext, ModelAnswer
from intaglio.store.tx import ReadTx

STAGE: Final = "disambiguation"
_FACTS: Final = 3
_MOST_LOOKED_AT: Final = 30


def _is_enabled(settings: Settings) -> bool:
    graph = settings.of(GraphSettings)
    return graph.enabled and graph.by_model and graph.resolve_by_embedding


DISAMBIGUATION: Final = Stage(
    name=STAGE,
    position=70,
    label="Similar names",
    help="Looks at entities with similar names before the inbox asks whether they are one. While "
    "it is paused, the inbox asks about all of them.",
    role="extraction",
    job_types=(RESOLVE.name,),
    prompts=(NAMES,),
    is_enabled=_is_enabled,
)


@dataclass(frozen=True, slots=True)
class Disambiguation:
    """Compares two entities; no answer means that the user decides without one."""

    services: PassServices

    async def compare(self, one: NamedEntity, other: NamedEntity) -> NameVerdict | None:
        """Return what the model says; None if it can't be asked now."""
        if not self.services.is_on():
            return None

        def describe(tx: ReadTx) -> list[DescribedEntity]:
            closed = closed_projects(tx)
            return [
                DescribedEntity(each.names, _facts(tx, each.entity.seq, closed))
                for each in (one, other)
            ]

        first, second = await self.services.db.read(describe)
        entity = one.entity
        about = CallContext(stage=STAGE, project=entity.project, subject=entity.id)
        answer = await self.services.calls.ask(NAMES, names_text(entity.type, first, second), about)
        return answer.value if isinstance(answer, ModelAnswer) else None


def _facts(tx: ReadTx, entity: int, closed: Collection[str]) -> list[str]:
    found = mention_rows.facts(tx, entity, USER, None, _MOST_LOOKED_AT)
    return [each.content for each in found if each.project not in closed][:_FACTS]
