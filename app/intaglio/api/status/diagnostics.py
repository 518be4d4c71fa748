"""The diagnosis in the shape that Signet's clients read."""

from collections.abc import Mapping
from typing import Final, TypeVar

import msgspec

from intaglio.domain.health import HealthDomain
from intaglio.health.values import Diagnosed, DomainHealth
from intaglio.wire import diagnostics as wire
from intaglio.wire.status import CompositeRow

_SHARE_DIGITS: Final = 4
D = TypeVar("D", bound=wire.DomainScore)

_KINDS: Final[Mapping[HealthDomain, type[wire.DomainDiagnostics]]] = {
    "queue": wire.QueueDiagnostics,
    "storage": wire.StorageDiagnostics,
    "index": wire.IndexDiagnostics,
    "provider": wire.ProviderDiagnostics,
    "mutation": wire.MutationDiagnostics,
    "duplicate": wire.DuplicateDiagnostics,
    "connector": wire.ConnectorDiagnostics,
    "update": wire.UpdateDiagnostics,
    "predictor": wire.PredictorDiagnostics,
}


def diagnostics_of(found: Diagnosed) -> wire.Diagnostics:
    """Return all domains."""
    domains = found.domains
    return wire.Diagnostics(
        timestamp=found.at,
        composite=CompositeRow(score=found.composite, status=found.status),
        queue=_read(domains["queue"], wire.QueueDiagnostics),
        storage=_read(domains["storage"], wire.StorageDiagnostics),
        index=_read(domains["index"], wire.IndexDiagnostics),
        provider=_read(domains["provider"], wire.ProviderDiagnostics),
        mutation=_read(domains["mutation"], wire.MutationDiagnostics),
        duplicate=_duplicates(found),
        connector=_read(domains["connector"], wire.ConnectorDiagnostics),
        update=_read(domains["update"], wire.UpdateDiagnostics),
        predictor=_read(domains["predictor"], wire.PredictorDiagnostics),
        own={name: _own(domain) for name, domain in domains.items() if name not in _KINDS},
    )


def domain_diagnostics(found: Diagnosed, name: HealthDomain) -> wire.DomainDiagnostics:
    """Return one domain."""
    kind, domain = _KINDS.get(name), found.domains[name]
    if kind is wire.DuplicateDiagnostics:
        return _duplicates(found)
    return _own(domain) if kind is None else _read(domain, kind)


def _read(domain: DomainHealth, kind: type[D]) -> D:
    """Take the figures that have the names of the fields."""
    figures = {figure.name: figure.value for figure in domain.figures}
    known = {name: figures[name] for name in kind.__struct_encode_fields__ if name in figures}
    return msgspec.convert(known | {"score": domain.score, "status": domain.status}, kind)


def _duplicates(found: Diagnosed) -> wire.DuplicateDiagnostics:
    """Relate the duplicates to the memories of the storage, which are counted more often."""
    counted = _read(found.domains["duplicate"], wire.DuplicateDiagnostics)
    live = _read(found.domains["storage"], wire.StorageDiagnostics).total_memories
    share = min(1.0, counted.exact_duplicates / max(1, live))
    return msgspec.structs.replace(
        counted, total_active=live, duplicate_ratio=round(share, _SHARE_DIGITS)
    )


def _own(domain: DomainHealth) -> wire.OwnDiagnostics:
    return wire.OwnDiagnostics(
        score=domain.score,
        status=domain.status,
        figures={figure.name: figure.value for figure in domain.figures},
    )
