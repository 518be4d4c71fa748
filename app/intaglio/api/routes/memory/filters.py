"""Which memories a request asks for: its parameters are those of the table of filters."""

from collections.abc import Mapping
from inspect import Parameter as Argument
from inspect import Signature, signature
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter, SkipValidation

from intaglio.api.request_context import AnyRequest, in_project, moment_of, reader_of
from intaglio.api.services import Services
from intaglio.base.agents.reader import Visibility
from intaglio.base.errors import InvalidInputError
from intaglio.memory import parsing
from intaglio.memory.filters import ENTRIES, SWITCHES, Filter, ParameterKind

TextQuery = Annotated[str | None, QueryParameter(max_length=1_000)]
Share = Annotated[float | None, QueryParameter(ge=0, le=1)]
AgentIdQuery = Annotated[str | None, QueryParameter(name="agentId", max_length=1_000)]
F = TypeVar("F")

# What each kind of parameter may be, and its bounds.
_TYPES: Final[Mapping[ParameterKind, tuple[Any, dict[str, Any]]]] = {
    "text": (str | None, {"max_length": 1_000}),
    "moment": (str | None, {"max_length": 1_000}),
    "tags": (str | None, {"max_length": 1_000}),
    "path": (str | None, {"max_length": 4_096}),
    "share": (float | None, {"ge": 0, "le": 1}),
    "flag": (bool | None, {}),
    "visibility": (Visibility | None, {}),
}


def filters_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is asked of filters, but for the project, as a `Filter` holds it.

    ``asked`` are the fields of a request by the names of the filters; None and what it does not
    have ask for nothing. Raises InvalidInputError for a moment that is none.
    """
    found: dict[str, Any] = {name: asked[name] for name in SWITCHES if name in asked}
    for entry in ENTRIES:
        value = asked.get(entry.name)
        if entry.parameter is None or entry.name == "project" or value is None:
            continue
        match entry.parameter.kind:
            case "moment":
                found[entry.name] = moment_of(entry.name, value)
            case "tags":
                found[entry.name] = parsing.read_tags(value)
            case _:
                found[entry.name] = value
    return found


async def _filters(
    services: Services, request: AnyRequest, *, agent_id: AgentIdQuery = None, **asked: object
) -> Filter:
    """Read the filters; `agentId` says who reads, `agent` whose memories are wanted.

    `project` asks for that project's own memories alone; all tags have to be there.
    """
    project = asked.get("project")
    if project is not None and not isinstance(project, str):
        raise InvalidInputError("project must be a text")
    wanted = Filter(
        reader=await reader_of(services, request, agent_id),
        exact_project=True,
        **filters_of(asked),
    )
    return await in_project(services, wanted, project)


def _with_parameters(function: F) -> F:
    """Give a function that takes any keyword the parameters of the table, as Litestar reads it."""
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
    function.__annotations__.pop("asked", None)
    function.__annotations__.update(of_table | switches)
    return function


def _annotated(kind: ParameterKind, name: str) -> Any:  # noqa: ANN401 - a type
    type_, bounds = _TYPES[kind]
    return Annotated[type_, QueryParameter(name=name or None, **bounds)]


RequestedFilter: TypeAlias = NamedDependency[SkipValidation[Filter]]
"""A handler's way to the filters of its request, under the name ``filters``."""

FILTERS = {"filters": Provide(_with_parameters(_filters))}
