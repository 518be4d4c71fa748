"""A home with an installation, for everything that connecting touches."""

import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.connect_home import Home, make_home


@pytest.fixture
def short_path() -> Generator[Path]:
    """A folder whose path leaves room for a Unix socket's."""
    with tempfile.TemporaryDirectory(prefix="home-") as folder:
        yield Path(folder)


@pytest.fixture
def home(short_path: Path) -> Home:
    made = make_home(short_path)
    assert made.paths.socket is not None
    return made


@pytest.fixture
def far_home(tmp_path: Path) -> Home:
    """A home whose daemon has no Unix socket: the path would be too long."""
    folder = tmp_path / ("far" * 30)
    folder.mkdir()
    made = make_home(folder)
    assert made.paths.socket is None
    return made
