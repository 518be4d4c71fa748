"""Package managers as real processes: their answers, failures and deadlines, and an update."""

import json
import os
import stat
import sys
import zipfile
from pathlib import Path

import pytest

from intaglio.base.version_on_disk import version_on_disk
from intaglio.updates.programs import ask_program, run_update
from intaglio.updates.sources import PythonEnvironment, UpdateSource, update_source
from intaglio.updates.values import CheckFailed, NewestVersion, NothingNewer, VersionOutcome

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stubs are shell scripts")


def stub(folder: Path, name: str, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program of this name first on the path."""
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def uv_source(name: str = "intaglio") -> UpdateSource:
    return update_source("uv", "latest", PythonEnvironment(sys.executable, name), platform="linux")


async def asked(folder: Path) -> VersionOutcome:
    query = uv_source().query
    assert query is not None
    return await ask_program(query, folder)


@pytest.mark.parametrize(
    ("script", "outcome"),
    [
        (
            """echo '[{"name": "intaglio", "latest_version": "0.9.0"}]'""",
            NewestVersion("0.9.0"),
        ),
        ("echo '[]'", NothingNewer()),
        (
            "echo 'no route' >&2; exit 2",
            CheckFailed("uv failed: no route"),
        ),
        ("exit 3", CheckFailed("uv failed: it exited with status 3")),
        ("echo words", CheckFailed("The list of outdated packages has an unexpected format.")),
    ],
)
async def test_an_answer_of_the_manager_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, outcome: VersionOutcome
) -> None:
    stub(tmp_path / "bin", "uv", script, monkeypatch)
    assert await asked(tmp_path) == outcome


async def test_a_manager_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere(_: str) -> None:
        return None

    monkeypatch.setattr("intaglio.updates.programs.find_program", nowhere)
    reason = "uv isn't installed, or isn't on the daemon's PATH."
    assert await asked(tmp_path) == CheckFailed(reason)
    assert await run_update(("uv",), tmp_path, tmp_path / "log") == reason


async def test_the_end_of_its_output_says_why_an_update_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub(tmp_path / "bin", "uv", "echo working; echo 'disk full' >&2; exit 1", monkeypatch)
    log = tmp_path / "logs" / "update.log"
    assert await run_update(uv_source().run, tmp_path, log) == "working\ndisk full"
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def wheel(folder: Path, version: str) -> None:
    """Write a wheel of a package that is called like ours and has its version only."""
    info = f"intaglio-{version}.dist-info"
    files = {
        "intaglio/__init__.py": f'__version__ = "{version}"',
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: intaglio\nVersion: {version}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any",
        f"{info}/entry_points.txt": "[console_scripts]\nintaglio = intaglio:main",
        f"{info}/RECORD": "",
    }
    with zipfile.ZipFile(folder / f"intaglio-{version}-py3-none-any.whl", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, f"{text}\n")


async def test_uv_itself_names_and_installs_the_newest_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    wheel(wheels, "0.1.0")
    config = tmp_path / "uv.toml"
    config.write_text(f"no-index = true\nfind-links = [{json.dumps(str(wheels))}]\n")
    for name, value in {
        "UV_CONFIG_FILE": str(config),
        "UV_TOOL_DIR": str(tmp_path / "tools"),
        "UV_TOOL_BIN_DIR": str(tmp_path / "bin"),
        "UV_CACHE_DIR": str(tmp_path / "cache"),
        "UV_PYTHON": sys.executable,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }.items():
        monkeypatch.setenv(name, value)
    log = tmp_path / "log"
    assert await run_update(("uv", "tool", "install", "intaglio"), tmp_path, log) is None
    python = tmp_path / "tools" / "intaglio" / "bin" / "python"
    (package,) = (tmp_path / "tools").glob("intaglio/lib/python*/site-packages/intaglio")
    place = PythonEnvironment(str(python), "intaglio")
    tool = update_source("uv", "latest", place, platform="linux")
    assert tool.query is not None
    assert await ask_program(tool.query, tmp_path) == NothingNewer()

    wheel(wheels, "0.2.0")
    assert await ask_program(tool.query, tmp_path) == NewestVersion("0.2.0")
    wheel(wheels, "0.3.0b1")
    assert await ask_program(tool.query, tmp_path) == NewestVersion("0.2.0")
    preview = update_source("uv", "preview", place, platform="linux")
    assert preview.query is not None
    assert await ask_program(preview.query, tmp_path) == NewestVersion("0.3.0b1")
    assert version_on_disk(package) == "0.1.0"
    assert await run_update(tool.run, tmp_path, log) is None
    assert version_on_disk(package) == "0.2.0"
    assert await run_update(preview.run, tmp_path, log) is None
    assert version_on_disk(package) == "0.3.0b1"


def test_a_version_that_cannot_be_read_is_unknown(tmp_path: Path) -> None:
    assert version_on_disk(tmp_path) is None
    (tmp_path / "__init__.py").write_text('__version__ = "')
    assert version_on_disk(tmp_path) is None
