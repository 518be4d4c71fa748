"""Finds the operation of a request before its body is read, and builds its application on demand.

Litestar takes about a millisecond of CPU to build a handler, so each controller is its own
application, built at its first request: startup time doesn't grow with the number of endpoints
(decision record 0032). Paths match as in Litestar: a literal segment takes precedence over a
parameter, without backtracking.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from litestar import Controller
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler

from intaglio.api.gate.declaration import UNKNOWN, Declaration, declared
from intaglio.api.gate.request_names import QueryNames
from intaglio.api.problems.errors import MethodError
from intaglio.base.errors import IntaglioError, NotFoundError

AsgiScope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
AsgiApp: TypeAlias = Callable[[AsgiScope, Receive, Send], Awaitable[None]]
Handlers: TypeAlias = type[Controller] | HTTPRouteHandler
"""A controller or a standalone handler."""

_REST: Final = ":path}"
_TYPE: Final = re.compile(r":[a-z]+}")


@dataclass(slots=True)
class LazyApp:
    """An ASGI application that is built on its first request."""

    make: Callable[[], AsgiApp]
    _app: AsgiApp | None = None

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if self._app is None:
            self._app = self.make()
        await self._app(scope, receive, send)


@dataclass(frozen=True, slots=True)
class Route:
    """An operation: its handler, declaration and application.

    ``name`` is its method and its path with names of parameters: ``GET /api/memory/{memory_id}``.
    """

    handler: HTTPRouteHandler
    declaration: Declaration
    app: AsgiApp
    parameters: QueryNames
    name: str


@dataclass(frozen=True, slots=True)
class NoRoute:
    """An unknown method or address; the gate checks the caller against ``declaration`` first."""

    refusal: IntaglioError
    declaration: Declaration = UNKNOWN
    name: str = "(unknown)"


@dataclass(slots=True)
class _Node:
    """A node of the path trie; with ``takes_rest`` a parameter matches all remaining segments."""

    literal: dict[str, "_Node"] = field(default_factory=dict[str, "_Node"])
    parameter: "_Node | None" = None
    takes_rest: bool = False
    routes: dict[str, Route] = field(default_factory=dict[str, Route])

    def below(self, segment: str) -> "_Node":
        if not segment.startswith("{"):
            return self.literal.setdefault(segment, _Node())
        if self.parameter is None:
            self.parameter = _Node()
        self.parameter.takes_rest |= segment.endswith(_REST)
        return self.parameter


RouteLookup: TypeAlias = Callable[[str, str], Route | NoRoute]
"""Maps a method and a path to an operation."""


class Routes:
    """The routing table of all operations.

    Raises TypeError for a handler without an access declaration, ValueError for two handlers with
    the same method and path.
    """

    def __init__(self, handlers: Iterable[Handlers], make: Callable[[Handlers], AsgiApp]) -> None:
        self._root = _Node()
        self._all: list[tuple[str, str, Route]] = []
        for each in handlers:
            app = LazyApp(lambda each=each: make(each))  # type: ignore[misc]  # the default is typed
            for handler in handlers_of(each):
                self._add(handler, app, QueryNames(handler, _dependencies(each)))

    def _add(self, handler: HTTPRouteHandler, app: AsgiApp, parameters: QueryNames) -> None:
        declaration = declared(handler.opt)
        if declaration is None:
            raise TypeError(f"{handler.fn.__qualname__} declares no access (opt=declare(...))")
        for path in sorted(handler.paths):
            node = self._root
            for segment in _segments(path):
                node = node.below(segment)
            for method in sorted(map(str, handler.http_methods)):
                if method in node.routes:
                    raise ValueError(f"two handlers answer {method} {path}")
                name = f"{method} {_TYPE.sub('}', path)}"
                node.routes[method] = Route(handler, declaration, app, parameters, name)
                self._all.append((method, path, node.routes[method]))

    def all(self) -> Iterator[tuple[str, str, Route]]:
        """Yield the method, the declared path and the route of every operation."""
        yield from self._all

    def find(self, method: str, path: str) -> Route | NoRoute:
        """Return the operation for a method and a path."""
        node = self._root
        for segment in _segments(path):
            below = node.literal.get(segment) or node.parameter
            if below is None:
                return _not_found()
            node = below
            if node.takes_rest:
                break
        if not node.routes:
            return _not_found()
        if method in node.routes:
            return node.routes[method]
        if method == "OPTIONS":
            known = next(iter(node.routes.values()))
            name = f"OPTIONS {known.name.partition(' ')[2]}"
            return Route(known.handler, UNKNOWN, known.app, known.parameters, name)
        refusal = MethodError(
            f"{method} isn't supported here", hint=f"Use {', '.join(sorted(node.routes))}."
        )
        safe = node.routes.get("GET") if method == "HEAD" else None
        return NoRoute(refusal, safe.declaration if safe else UNKNOWN)


def _dependencies(handlers: Handlers) -> dict[str, Callable[..., Any]]:
    # Controllers have a slot of this name; the class attribute, if any, takes its place.
    own: Mapping[str, Any] = vars(handlers) if isinstance(handlers, type) else {}
    found: Mapping[str, Any] = own.get("dependencies") or {}
    return {
        name: each.dependency if isinstance(each, Provide) else each for name, each in found.items()
    }


def handlers_of(handlers: Handlers) -> Iterator[HTTPRouteHandler]:
    """Yield the handlers of a controller, or the standalone handler itself."""
    if isinstance(handlers, HTTPRouteHandler):
        yield handlers
        return
    if vars(handlers).get("path"):
        raise TypeError(f"{handlers.__qualname__} has a path: its handlers must have full paths")
    for name in dir(handlers):
        handler = getattr(handlers, name)
        if isinstance(handler, HTTPRouteHandler):
            yield handler


def _segments(path: str) -> list[str]:
    return [segment for segment in path.split("/") if segment]


def _not_found() -> NoRoute:
    return NoRoute(NotFoundError("Not found", hint="GET /api/openapi.json lists every endpoint."))
