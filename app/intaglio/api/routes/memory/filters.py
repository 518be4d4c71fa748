"""Query parameters of the memory filters, generated from the filter table."""

from collections.abc import Mapping
from inspect import Parameter as Argument
from inspect import Signature, signature
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter, SkipValidation

from intaglio.api.request_context import AnyRequest, in_project, moment_of, reader_of
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.domain.reader import Visibility
from intaglio.graph.memory_filter_rows import of_entity
from intaglio.memory import parsing
from intaglio.memory.filters import (
    ENTRIES,
    SWITCHES,
    Filter,
    ParameterKind,
    current_by_default,
)
from intaglio.wire.memory import StatusFilter

TextQuery = Annotated[str | None, QueryParameter(max_length=1_000)]
Share = Annotated[float | None, QueryParameter(ge=0, le=1)]
ExactProject = Annotated[bool, QueryParameter(name="exactProject")]
F = TypeVar("F")

# The type and bounds of each kind of parameter.
_TYPES: Final[Mapping[ParameterKind, tuple[Any, dict[str, Any]]]] = {
    "text": (str | None, {"max_length": 1_000}),
    "moment": (str | None, {"max_length": 1_000}),
    "tags": (str | None, {"max_length": 1_000}),
    "path": (str | None, {"max_length": 4_096}),
    "share": (float | None, {"ge": 0, "le": 1}),
    "flag": (bool | None, {}),
    "visibility": (Visibility | None, {}),
    "status": (StatusFilter | None, {}),
}
_ANY_STATUS: Final = "all"


def filters_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the filters of a request, without the project, as keyword arguments of `Filter`.

    ``fields`` maps filter names to values; a missing, empty or None value doesn't filter. Raises
    InvalidInputError for an invalid time.
    """
    found: dict[str, Any] = {name: fields[name] for name in SWITCHES if name in fields}
    for entry in ENTRIES:
        value = fields.get(entry.name)
        if entry.parameter is None or entry.name == "project" or value is None or value == "":
            continue
        match entry.parameter.kind:
            case "moment":
                found[entry.name] = moment_of(entry.name, value)
            case "tags":
                found[entry.name] = parsing.read_tags(value)
            case "status" if value == _ANY_STATUS:
                continue
            case _:
                found[entry.name] = value
    if "entity" in found:
        found["entity"] = of_entity(found["entity"])
    return found


def what_holds(filters: Filter, status: str | None) -> Filter:
    """Select what holds for a search, unless the request asks for another ``status``, or a time."""
    return filters if status == _ANY_STATUS else current_by_default(filters)


async def _filters(services: Services, request: AnyRequest, **fields: object) -> Filter:
    """Build the filter; `agentId` is the reading agent, `agent` selects an agent's memories.

    `project` selects only that project's own memories; a memory must have all the tags.
    """
    project = fields.get("project")
    if project is not None and not isinstance(project, str):
        raise InvalidInputError("project must be a text")
    wanted = Filter(
        reader=await reader_of(services, request),
        exact_project=True,
        **filters_of(fields),
    )
    return await in_project(services, wanted, project)


def _with_parameters(function: F) -> F:
    """Replace ``**fields`` with the table's parameters in the signature that Litestar reads."""
    of_table = {
        entry.name: _annotated(entry.parameter.kind, entry.parameter.name)
        for entry in ENTRIES
        if entry.parameter is not None
    }
    switches = {name: Annotated[bool, QueryParameter(name=wire)] for name, wire in SWITCHES.items()}
    own = [
        each
        for each in signature(function).parameters.values()  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] - it is a function
        if each.kind is not Argument.VAR_KEYWORD
    ]
    added = [
        Argument(name, Argument.KEYWORD_ONLY, default=default, annotation=annotation)
        for table, default in ((of_table, None), (switches, False))
        for name, annotation in table.items()
    ]
    function.__signature__ = Signature([*own, *added], return_annotation=Filter)  # type: ignore[attr-defined] # pyright: ignore[reportAttributeAccessIssue, reportFunctionMemberAccess] - see inspect.signature
    function.__annotations__.pop("fields", None)
    function.__annotations__.update(of_table | switches)
    return function


def _annotated(kind: ParameterKind, name: str) -> Any:  # noqa: ANN401 - a type
    type_, bounds = _TYPES[kind]
    return Annotated[type_, QueryParameter(name=name or None, **bounds)]


RequestedFilter: TypeAlias = NamedDependency[SkipValidation[Filter]]
"""The type of a handler's parameter ``filters``: the filter of its request."""

FILTERS = {"filters": Provide(_with_parameters(_filters))}
