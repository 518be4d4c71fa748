"""A home with an installation, for everything that connecting touches."""

from pathlib import Path

import pytest

from fakes.connect_home import Home, make_home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)
