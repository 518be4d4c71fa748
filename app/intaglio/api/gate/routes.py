"""Which operation a request means, known before its body is read; its application comes when asked.

Litestar takes about a millisecond of CPU to build a handler, so each controller is an application
of its own that is built at its first request: the start does not grow with the number of endpoints
(decision record 0032). Paths are matched as Litestar matches them: a literal segment before a
parameter, without going back.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from litestar import Controller
from litestar.handlers import HTTPRouteHandler

from intaglio.api.gate.declaration import UNKNOWN, Declaration, declared
from intaglio.api.problems.errors import MethodError
from intaglio.base.errors import IntaglioError, NotFoundError

AsgiScope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
AsgiApp: TypeAlias = Callable[[AsgiScope, Receive, Send], Awaitable[None]]
Handlers: TypeAlias = type[Controller] | HTTPRouteHandler
"""A controller, or a handler that stands alone."""

_REST: Final = ":path}"


@dataclass(slots=True)
class LazyApp:
    """An ASGI application that is built when it is first called."""

    make: Callable[[], AsgiApp]
    _app: AsgiApp | None = None

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if self._app is None:
            self._app = self.make()
        await self._app(scope, receive, send)


@dataclass(frozen=True, slots=True)
class Route:
    """An operation: what its handler declares, and the application that answers it."""

    handler: HTTPRouteHandler
    declaration: Declaration
    app: AsgiApp


@dataclass(frozen=True, slots=True)
class NoRoute:
    """No operation has this method and address; the gate judges it by ``declaration`` first."""

    refusal: IntaglioError
    declaration: Declaration = UNKNOWN


@dataclass(slots=True)
class _Node:
    """What follows some first segments; ``takes_rest`` where a parameter takes all that do."""

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
"""From a method and a path to the operation that a request means."""


class Routes:
    """All operations of the application.

    Raises TypeError for a handler that declares no access, ValueError for two with one address.
    """

    def __init__(self, handlers: Iterable[Handlers], make: Callable[[Handlers], AsgiApp]) -> None:
        self._root = _Node()
        self._all: list[tuple[str, str, Route]] = []
        for each in handlers:
            app = LazyApp(lambda each=each: make(each))  # type: ignore[misc]  # the default is typed
            for handler in handlers_of(each):
                self._add(handler, app)

    def _add(self, handler: HTTPRouteHandler, app: AsgiApp) -> None:
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
                node.routes[method] = Route(handler, declaration, app)
                self._all.append((method, path, node.routes[method]))

    def all(self) -> Iterator[tuple[str, str, Route]]:
        """Yield every operation with its method and the path as its handler writes it."""
        yield from self._all

    def find(self, method: str, path: str) -> Route | NoRoute:
        """Return the operation that a request means."""
        node = self._root
        for segment in _segments(path):
            below = node.literal.get(segment) or node.parameter
            if below is None:
                return _nothing_there()
            node = below
            if node.takes_rest:
                break
        if not node.routes:
            return _nothing_there()
        if method in node.routes:
            return node.routes[method]
        if method == "OPTIONS":
            known = next(iter(node.routes.values()))
            return Route(known.handler, UNKNOWN, known.app)
        refusal = MethodError("this address does not know that method")
        safe = node.routes.get("GET") if method == "HEAD" else None
        return NoRoute(refusal, safe.declaration if safe else UNKNOWN)


def handlers_of(handlers: Handlers) -> Iterator[HTTPRouteHandler]:
    """Yield the handlers of a controller, or the one that stands alone."""
    if isinstance(handlers, HTTPRouteHandler):
        yield handlers
        return
    if vars(handlers).get("path"):
        raise TypeError(f"{handlers.__qualname__} has a path: its handlers name whole addresses")
    for name in dir(handlers):
        handler = getattr(handlers, name)
        if isinstance(handler, HTTPRouteHandler):
            yield handler


def _segments(path: str) -> list[str]:
    return [segment for segment in path.split("/") if segment]


def _nothing_there() -> NoRoute:
    return NoRoute(NotFoundError("Not found", hint="GET /api/openapi.json lists every address."))
