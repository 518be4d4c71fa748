"""What a user installs holds the dashboard and the documentation, and starts."""

import subprocess
import sys
import tarfile
import zipfile

import pytest

import intaglio
from structure.source import PACKAGE, ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def said() -> str:
    """Build and check the archives; returns what the command printed."""
    done = subprocess.run(
        [sys.executable, ROOT / "app", "package", "wheel"],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def test_the_archives_are_listed_with_their_sizes(said: str) -> None:
    *_, wheel, source, checksums = said.splitlines()
    assert wheel.startswith(f"dist/intaglio-{intaglio.__version__}-py3-none-any.whl  ")
    assert source.startswith(f"dist/intaglio-{intaglio.__version__}.tar.gz  ")
    assert checksums.startswith("dist/SHA256SUMS  ")


@pytest.mark.usefixtures("said")
def test_the_wheel_holds_all_that_was_built_and_written() -> None:
    (wheel,) = (ROOT / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    built = (PACKAGE / "_built").rglob("*")
    pages = (ROOT / "assets" / "docs").rglob("*.md")
    wanted = {f"intaglio/{file.relative_to(PACKAGE)}" for file in built if file.is_file()}
    wanted |= {f"intaglio/_built/docs/{page.relative_to(ROOT / 'assets/docs')}" for page in pages}
    assert len(wanted) > 10
    assert wanted - names == set()
    assert [name for name in names if name.startswith(("boot", "tests"))] == []


@pytest.mark.usefixtures("said")
def test_the_source_archive_holds_the_built_dashboard_and_nothing_fetched() -> None:
    archive = ROOT / "dist" / f"intaglio-{intaglio.__version__}.tar.gz"
    with tarfile.open(archive) as opened:
        names = opened.getnames()
    assert any(name.endswith("_built/ui/index.html") for name in names)
    assert [name for name in names if "node_modules" in name or ".venv" in name] == []
