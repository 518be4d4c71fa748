"""The names of query parameters as clients write them."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, get_args

from litestar.handlers import BaseRouteHandler
from litestar.params import QueryParameter


def names_as_sent(
    handler: BaseRouteHandler, dependencies: Mapping[str, Callable[..., Any]]
) -> dict[str, str]:
    """Map the query parameters of a handler and its dependencies to the names clients write."""
    own = signature(handler.fn).parameters
    needed = (each for name, each in dependencies.items() if name in own)
    return {
        name: mark.name or name
        for function in (handler.fn, *needed)
        for name, parameter in signature(function).parameters.items()
        for mark in get_args(parameter.annotation)[1:]
        if isinstance(mark, QueryParameter)
    }
