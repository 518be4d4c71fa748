"""What handlers declare: nothing is open by default, and one address has one handler."""

import pytest
from litestar import Controller, get, post

from intaglio.api.app import Application
from intaglio.api.controllers import CONTROLLERS
from intaglio.api.gate.declaration import HOOK_BODY_BYTES, Access, declare
from intaglio.api.gate.routes import (
    AsgiApp,
    AsgiScope,
    Handlers,
    LazyApp,
    NoRoute,
    Receive,
    Route,
    Routes,
    Send,
)


class Things(Controller):
    """A controller whose handlers declare what they have to."""

    @get("/things/{name:str}", opt=declare(Access.PROGRAM))
    async def one(self, name: str) -> str:
        return name

    @get("/things/all", opt=declare(Access.OWNER))
    async def all(self) -> str:
        return ""

    @get("/{path:path}", opt=declare(Access.FILE))
    async def file(self, path: str) -> str:
        return path


def no_app(_: Handlers) -> AsgiApp:
    async def app(_: AsgiScope, __: Receive, ___: Send) -> None: ...

    return app


ROUTES = Routes([Things], no_app)


def access(method: str, path: str) -> Access | None:
    found = ROUTES.find(method, path)
    return found.declaration.access if isinstance(found, Route) else None


def test_an_operation_without_a_declaration_is_refused_when_the_application_is_built() -> None:
    class Open(Controller):
        @post("/open")
        async def open(self) -> None: ...

    with pytest.raises(TypeError, match=r"Open\.open declares no access"):
        Application((*CONTROLLERS, Open))


def test_two_handlers_of_one_address_are_refused_when_the_application_is_built() -> None:
    @get("/things/all", opt=declare(Access.PROGRAM))
    async def again() -> None: ...

    with pytest.raises(ValueError, match="two handlers answer GET /things/all"):
        Routes([Things, again], no_app)


def test_a_literal_segment_comes_before_a_parameter() -> None:
    assert access("GET", "/things/all") is Access.OWNER
    assert access("GET", "/things/one") is Access.PROGRAM


def test_a_path_parameter_takes_the_rest_of_the_path() -> None:
    assert access("GET", "/pages/and/more") is Access.FILE


@pytest.mark.parametrize("path", ["/things", "/things/one/more"])
def test_an_unknown_path_below_a_known_segment_is_no_file(path: str) -> None:
    assert access("GET", path) is None


def test_an_unknown_address_has_the_access_of_a_program() -> None:
    found = ROUTES.find("POST", "/things/all")
    assert isinstance(found, NoRoute)
    assert (found.refusal.code, found.declaration.access) == ("method_not_allowed", Access.PROGRAM)


def test_a_head_request_has_the_access_of_its_get() -> None:
    assert ROUTES.find("HEAD", "/x").declaration.access is Access.FILE


def test_only_hooks_accept_large_bodies() -> None:
    large = {
        path
        for _, path, route in Application().routes.all()
        if route.declaration.body_bytes == HOOK_BODY_BYTES
    }
    assert large
    assert all(path.startswith("/api/hooks/") for path in large)


def test_a_controller_with_a_path_of_its_own_is_refused() -> None:
    class Below(Controller):
        path = "/below"

        @get("/one", opt=declare(Access.PROGRAM))
        async def one(self) -> None: ...

    with pytest.raises(TypeError, match="Below has a path"):
        Routes([Below], no_app)


def test_every_controller_can_be_built_before_it_is_first_asked() -> None:
    apps = {id(route.app): route.app for _, _, route in Application().routes.all()}
    assert len(apps) > 10
    for app in apps.values():
        assert isinstance(app, LazyApp)
        assert callable(app.make())
