"""Where gi comes from: an isolated environment doesn't see the system's packages."""

import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from intaglio.desktop.gui_libraries import load_gi_from

SUFFIX = ".cpython-311-x86_64-linux-gnu.so"


@pytest.fixture
def no_gi() -> Generator[None]:
    """Let no test see or leave behind a gi that was loaded before."""
    loaded = sys.modules.pop("gi", None)
    yield
    sys.modules.pop("gi", None)
    if loaded is not None:
        sys.modules["gi"] = loaded


def write_gi(folder: Path, suffix: str = SUFFIX, code: str = "") -> str:
    (folder / "gi").mkdir(parents=True)
    (folder / "gi" / "__init__.py").write_text(f"origin = {str(folder)!r}\n{code}")
    (folder / "gi" / f"_gi{suffix}").touch()
    (folder / "yaml.py").touch()
    return str(folder)


@pytest.mark.usefixtures("no_gi")
def test_gi_comes_from_the_system_and_nothing_beside_it(tmp_path: Path) -> None:
    folder = write_gi(tmp_path / "system")
    before = list(sys.path)
    assert load_gi_from(["/nowhere", folder], SUFFIX)
    assert sys.modules["gi"].__dict__["origin"] == folder
    assert sys.path == before


@pytest.mark.usefixtures("no_gi")
def test_gi_of_another_python_is_not_loaded(tmp_path: Path) -> None:
    folder = write_gi(tmp_path, ".cpython-313-x86_64-linux-gnu.so")
    assert not load_gi_from([folder], SUFFIX)
    assert "gi" not in sys.modules


@pytest.mark.usefixtures("no_gi")
def test_a_gi_that_fails_to_load_counts_as_missing(tmp_path: Path) -> None:
    broken = write_gi(tmp_path / "broken", code="import gi.absent\n")
    whole = write_gi(tmp_path / "whole")
    assert load_gi_from([broken, whole], SUFFIX)
    assert sys.modules["gi"].__dict__["origin"] == whole
    del sys.modules["gi"]
    assert not load_gi_from([broken], SUFFIX)
    assert "gi" not in sys.modules
