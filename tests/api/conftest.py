"""Two ways to the API: the application in this process, and a real daemon."""

import time
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest

from fakes.api import Api, running_api
from fakes.daemon import Daemon, running_daemon
from intaglio.daemon.live_settings import LiveSettings

GRAPH_OFF = "memory: {pipelineV2: {graph: {enabled: false}}}"


@pytest.fixture
async def api(tmp_path: Path) -> AsyncGenerator[Api]:
    async with running_api(tmp_path) as running:
        yield running


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Set the machine's clock to a zone 14 hours before UTC."""
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def without_graph(api: Api) -> None:
    """Switch the graph off, whose jobs a test of other jobs would see."""
    api.kernel.running.paths.settings.write_text(GRAPH_OFF, encoding="utf-8")
    api.kernel.get(LiveSettings).refresh()


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Generator[Daemon]:
    """A real daemon that the tests of one module share."""
    with running_daemon(tmp_path_factory.mktemp("daemon")) as running:
        yield running
