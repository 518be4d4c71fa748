"""The job types of the graph: they find in the background what a text's own words don't tell."""

from typing import Final

from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import JobType
from intaglio.store.tx import WriteTx

CLASSIFY: Final = JobType(name="structural_classify", label="Aspects of facts", about="entity")
"""Assigns the facts of an entity that have no aspect to one; its subject is the entity's row."""

DEPENDENCIES: Final = JobType(
    name="structural_dependency", label="Dependencies between entities", about="memory"
)
"""Finds the dependencies that a memory states."""

ASPECT_STAGE: Final = CLASSIFY.name
"""The stage in which aspects of facts are found, by rules and then by a model."""

DEPENDENCY_STAGE: Final = DEPENDENCIES.name
"""The stage in which dependencies are read from facts, by rules and then by a model."""

SORT_BY_MODEL: Final = JobType(
    name="model_aspects", label="Aspects of facts, by a model", about="entity"
)
"""Has a model sort facts whose aspect the rules only guessed; its subject is the entity's row."""

DEPENDENCIES_BY_MODEL: Final = JobType(
    name="model_dependencies", label="Dependencies between entities, by a model", about="entity"
)
"""Has a model read facts that name other entities; its subject is the row of their own entity."""

RESOLVE: Final = JobType(
    name="entity_resolution", label="New entities under other names", about="entity"
)
"""Compares the name of a new entity with those of others; its subject is the entity's row."""


def queue_classification(tx: WriteTx, entity: int, at: str) -> None:
    """Queue the classification of an entity's facts, once for all that are waiting."""
    jobs.enqueue(tx, CLASSIFY, str(entity), at)


def queue_sorting(tx: WriteTx, entity: int, at: str) -> None:
    """Queue an entity for a model that sorts the facts whose aspect was guessed."""
    jobs.enqueue(tx, SORT_BY_MODEL, str(entity), at)


def queue_reading(tx: WriteTx, entity: int, at: str) -> None:
    """Queue an entity for a model that reads dependencies from its facts."""
    jobs.enqueue(tx, DEPENDENCIES_BY_MODEL, str(entity), at)


def queue_dependencies(tx: WriteTx, memory_id: str, at: str) -> None:
    """Queue the search for the dependencies that a memory states."""
    jobs.enqueue(tx, DEPENDENCIES, memory_id, at)


def queue_resolution(tx: WriteTx, entity: int, at: str) -> None:
    """Queue the comparison of a new entity's name with those of others."""
    jobs.enqueue(tx, RESOLVE, str(entity), at)
