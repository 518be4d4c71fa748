"""A daemon for the tests of a module, and a session whose harness is this process."""

from collections.abc import Generator

import pytest

from fakes.daemon import NO_MODEL, Daemon, running_daemon, write_settings
from fakes.mcp import PROJECT, start_session


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Generator[Daemon]:
    home = tmp_path_factory.mktemp("home")
    write_settings(home, NO_MODEL)
    with running_daemon(home) as running:
        yield running


@pytest.fixture
def session(daemon: Daemon, request: pytest.FixtureRequest) -> str:
    name = f"session of {request.node.name}"
    start_session(daemon, name, PROJECT)
    return name
