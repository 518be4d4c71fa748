"""Which role may use an endpoint, where not everyone may."""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from intaglio.api.gate.asker import STATE_KEY, Role
from intaglio.base.errors import UnauthenticatedError


def role_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Role:
    """Return the role that the guard found."""
    role: Role = connection.scope["state"][STATE_KEY]
    return role


def owner_only(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Let only the installation's own token in: the endpoint runs or opens something."""
    if role_of(connection) is not Role.OWNER:
        raise UnauthenticatedError(
            "this needs the token of this installation",
            hint="Use the `intaglio` command; it has the token.",
        )


def owner_or_browser(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Let the installation's token and signed-in browsers in."""
    if role_of(connection) not in {Role.OWNER, Role.BROWSER}:
        raise UnauthenticatedError(
            "this needs the token of this installation or a signed-in browser",
            hint="Use the `intaglio` command, or the dashboard.",
        )
