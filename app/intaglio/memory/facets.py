"""What a filter says of facets: the same as its SQL condition, for an index that has no SQL."""

from dataclasses import replace

from intaglio.base.agents.reader import may_read
from intaglio.memory.values import Filter
from intaglio.store.vectors.values import Facets, Finer


def passes(wanted: Filter, facets: Facets) -> bool:
    """Tell whether memories with these facets may pass; see ``rows.where`` for the condition."""
    return (
        may_read(wanted.reader, facets.agent_id, facets.visibility)
        and wanted.agent in (None, facets.agent_id)
        and wanted.visibility in (None, facets.visibility)
        and in_project(wanted, facets.project)
        and wanted.type in (None, facets.type)
        and wanted.pinned in (None, facets.pinned)
        and wanted.source_type in (None, facets.source_type)
    )


def in_project(wanted: Filter, project: str | None) -> bool:
    """Tell whether a memory of this project, None for none, is of those wanted."""
    if wanted.global_only:
        return project is None
    if wanted.project is None:
        return True
    return project == wanted.project or (project is None and not wanted.exact_project)


def is_narrow(wanted: Filter) -> bool:
    """Tell whether the filter asks for more than facets can tell."""
    finer = (
        wanted.who,
        wanted.importance_min,
        wanted.importance_max,
        wanted.since,
        wanted.until,
        wanted.session_id,
    )
    return bool(wanted.tags) or any(value is not None for value in finer)


def finer(wanted: Filter) -> Finer:
    """Say what the filter asks beyond facets, as far as the index can tell it of most rows."""
    return Finer(wanted.tags, wanted.who, wanted.since, wanted.until, wanted.importance_min)


def needs_sql(wanted: Filter) -> bool:
    """Tell whether the filter asks for something that neither ``passes`` nor ``finer`` says."""
    told = replace(wanted, tags=(), who=None, since=None, until=None, importance_min=None)
    return is_narrow(told)
