"""Sets up the clone: environment, pinned packages, dashboard, icons, model, test clients.

Every step records a digest of its inputs (a stamp), so a second run finds nothing to do.
"""

import os
import shutil
import sys
import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from boot.model import build_model
from boot.process import (
    BIN,
    PYTHON,
    ROOT,
    VENV,
    WORK,
    StepFailed,
    child_env,
    digest,
    output_of,
    run,
    set_stamp,
    stamp,
    step,
)
from boot.system import EVERYWHERE, Need, ensure_system

UI = ROOT / "ui"
ICONS = ROOT / "assets" / "icons"
HELP = ROOT / "assets" / "docs" / "help"
BUILT_ICONS = ROOT / "app" / "intaglio" / "_built" / "icons"
BUILT_UI = ROOT / "app" / "intaglio" / "_built" / "ui"
CLIENTS = WORK / "clients"
GALLERY = WORK / "gallery"
CLIENT_PIN = ROOT / "tests" / "clients"
# OpenCode's own package installs the program in up to four variants, 177 MB each, to keep one.
# This variant runs on every x64 Linux; where there is none, the tests of OpenCode are skipped.
_OPENCODE = Path("..", "opencode-linux-x64-baseline", "bin", "opencode")

RUN_PINS = ROOT / "requirements.txt"
BUILD_PINS = ROOT / "requirements-build.txt"
DEV_PINS = ROOT / "requirements-dev.txt"
PACKAGE_PINS = ROOT / "requirements-package.txt"
LINKED_GI = VENV / "debian" / "gi"
"""Debian's PyGObject, if it was made for the environment's Python."""

_NOT_SOURCES = frozenset({"node_modules", "coverage", "test-results", ".vite", ".svelte-check"})

_DEBIAN_PYTHON = Path("/usr/bin/python3")
_PROBE = "import sys; print(*sys.version_info[:2], sep='.')"
_PACKAGES = "import sysconfig; print(sysconfig.get_path('purelib'))"
_DEBIAN_PACKAGES = Path("/usr/lib/python3/dist-packages")
_DEBIAN_GI = ("gi",)
_ENDING = "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))"
_DEBIAN_PROBE = "import sys, ensurepip, venv, gi; sys.exit(sys.version_info < (3, 11))"

# pip's settings for its index and certificates, and the variables that set the same for uv.
_PIP_TO_UV = {"index-url": "UV_DEFAULT_INDEX", "cert": "SSL_CERT_FILE"}


@contextmanager
def _setup_lock() -> Generator[None]:
    """Let only one set-up of this clone run at a time."""
    WORK.mkdir(exist_ok=True)
    if os.name == "nt":
        yield
        return
    import fcntl  # noqa: PLC0415 - the module is missing on Windows

    with (WORK / "setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def environment_works() -> bool:
    """Return whether .venv was created here and still has the Python it was created with."""
    try:
        lines = (VENV / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    config = dict(line.split(" = ", 1) for line in lines if " = " in line)
    if not config.get("command", str(VENV)).endswith(str(VENV)):
        return False  # the clone was moved: its programs contain the old path
    version = output_of([PYTHON, "-I", "-S", "-c", _PROBE])
    return bool(version) and config.get("version", "").startswith(f"{version}.")


def _make_environment() -> None:
    if environment_works():
        return
    running = getattr(sys, "_base_executable", sys.executable)
    debian = output_of([_DEBIAN_PYTHON, "-I", "-c", _DEBIAN_PROBE]) is not None
    with step(f"Create the virtual environment from {_DEBIAN_PYTHON if debian else running}"):
        set_stamp("python", "")
        shutil.rmtree(VENV, ignore_errors=True)
        if debian:
            # The desktop app needs gi, which Debian builds only for its own Python.
            run([_DEBIAN_PYTHON, "-I", "-m", "venv", VENV])
        elif output_of([running, "-I", "-c", "import ensurepip, venv"]) is None:
            raise StepFailed(
                f"{running} can't create virtual environments. On Debian, install python3-venv:\n"
                "  sudo apt-get install -y --no-install-recommends python3-venv"
            )
        else:
            run([running, "-I", "-m", "venv", VENV])


def uv_env() -> dict[str, str]:
    """Return variables that give uv the user's pip settings, unless uv has its own."""
    told = output_of([PYTHON, "-m", "pip", "config", "list"]) or ""
    env = child_env()
    for line in told.splitlines():
        key, _, value = line.partition("=")
        name = _PIP_TO_UV.get(key.rpartition(".")[2])
        if name:
            env.setdefault(name, value.strip("'\""))
    return env


def uv(*arguments: str | Path) -> None:
    """Run the virtual environment's uv."""
    run([BIN / "uv", "--no-progress", *arguments], env=uv_env())


def installed_packages(python: Path = PYTHON) -> Path:
    """Return the folder of the packages of a virtual environment, by default the clone's."""
    return Path(output_of([python, "-I", "-c", _PACKAGES]) or VENV)


def _link_package() -> None:
    """Put the package on the import path and write its scripts, as its wheel would."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (installed_packages() / "intaglio.pth").write_text(f"{ROOT / 'app'}\n", encoding="utf-8")
    for name, target in project["scripts"].items():
        module, _, function = target.partition(":")
        body = f"import sys\nfrom {module} import {function}\nsys.exit({function}())\n"
        if os.name == "nt":
            (BIN / f"{name}-script.py").write_text(body, encoding="utf-8")
            start = f'@"%~dp0python.exe" "%~dp0{name}-script.py" %*\r\n'
            (BIN / f"{name}.cmd").write_text(start, encoding="utf-8")
        else:
            program = BIN / name
            # A path may be too long for a #! line, or contain a blank; the shell accepts both.
            start = f"#!/bin/sh\n'''exec' \"{PYTHON}\" \"$0\" \"$@\"\n' '''\n"
            program.write_text(start + body, encoding="utf-8")
            program.chmod(0o755)


def _install_packages(*, dev: bool) -> None:
    # Test packages stay installed when the next command is `run`.
    dev = dev or stamp("python-kind") == "dev"
    pins = [RUN_PINS, BUILD_PINS, *([DEV_PINS] if dev else [])]
    wanted = digest([*pins, ROOT / "pyproject.toml"], str(PYTHON), str(dev))
    if stamp("python") == wanted:
        return
    with step(f"Install Python packages ({'run, build and test' if dev else 'run and build'})"):
        set_stamp("python", "")
        if not (BIN / "uv").exists():
            hashed = ("--require-hashes", "--only-binary", ":all:", "--disable-pip-version-check")
            run([PYTHON, "-m", "pip", "install", "-q", *hashed, "-r", BUILD_PINS])
        uv("pip", "sync", "--python", PYTHON, "--require-hashes", "--no-build", *pins)
        _link_package()
        set_stamp("python-kind", "dev" if dev else "run")
        set_stamp("python", wanted)


def link_gi() -> None:
    """Let the environment import Debian's gi, but no other Debian Python package.

    If Debian built it for another Python than the environment's, there is no tray app.
    """
    links = VENV / "debian"
    if all((links / name).exists() for name in _DEBIAN_GI):
        return
    if not (_DEBIAN_PACKAGES / "gi").is_dir():
        return
    ending = output_of([PYTHON, "-I", "-c", _ENDING])
    if not (_DEBIAN_PACKAGES / "gi" / f"_gi{ending}").exists():
        return
    links.mkdir(exist_ok=True)
    for name in _DEBIAN_GI:
        link = links / name
        link.unlink(missing_ok=True)
        link.symlink_to(_DEBIAN_PACKAGES / name)
    (installed_packages() / "debian.pth").write_text(f"{links}\n", encoding="utf-8")


def npm(*arguments: str, cwd: Path = UI) -> None:
    """Run the npm of the pinned Node."""
    run([BIN / "npm", *arguments], cwd=cwd)


def _ui_sources() -> list[Path]:
    found: list[Path] = []
    # The dashboard contains the documentation as its Help.
    for place in (UI, ICONS, HELP):
        for folder, folders, names in os.walk(place):
            folders[:] = [name for name in folders if name not in _NOT_SOURCES]
            found.extend(Path(folder, name) for name in names)
    return found


def ui_packages() -> None:
    """Install the dashboard's packages at their locked versions."""
    pins = [UI / "package.json", UI / "package-lock.json", UI / ".npmrc"]
    wanted = digest([*pins, BUILD_PINS])
    if stamp("ui-packages") == wanted and (UI / "node_modules").is_dir():
        return
    with step("Install dashboard packages"):
        set_stamp("ui-packages", "")
        npm("ci", "--include=dev")
        set_stamp("ui-packages", wanted)


def build_ui() -> None:
    """Build the dashboard into the package if one of its sources changed."""
    ui_packages()
    wanted = digest(_ui_sources())
    if stamp("ui") == wanted and (BUILT_UI / "index.html").is_file():
        return
    with step("Build the dashboard"):
        set_stamp("ui", "")
        npm("run", "build")
        set_stamp("ui", wanted)


def _build_gallery() -> None:
    """Build the component gallery outside the package; only tests need it."""
    wanted = digest(_ui_sources())
    if stamp("gallery") == wanted and (GALLERY / "gallery" / "index.html").is_file():
        return
    with step("Build the component gallery"):
        set_stamp("gallery", "")
        npm("run", "gallery")
        set_stamp("gallery", wanted)


def build_icons() -> None:
    """Draw the tray's icons into the package if their source or the drawing code changed."""
    wanted = digest([ICONS / "tray.svg", Path(__file__).with_name("icons.py"), RUN_PINS])
    if stamp("icons") == wanted and BUILT_ICONS.is_dir():
        return
    with step("Draw the tray icons"):
        set_stamp("icons", "")
        run([PYTHON, "-m", "boot.icons"])
        set_stamp("icons", wanted)


def _install_clients() -> None:
    """Install the harness clients that the tests run, in an ignored folder."""
    names = ("package.json", "package-lock.json", ".npmrc")
    wanted = digest([CLIENT_PIN / name for name in names])
    programs = CLIENTS / "node_modules" / ".bin"
    if stamp("clients") == wanted and (programs / "claude").exists():
        return
    with step("Install the test clients"):
        set_stamp("clients", "")
        CLIENTS.mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copyfile(CLIENT_PIN / name, CLIENTS / name)
        npm("ci", cwd=CLIENTS)
        # Only this install script runs: it puts the client's program in place.
        npm("run", "place", cwd=CLIENTS)
        if (programs / _OPENCODE).exists():
            (programs / "opencode").symlink_to(_OPENCODE)
        set_stamp("clients", wanted)


def set_up(
    *,
    dev: bool = False,
    built: bool = True,
    clients: bool = False,
    system: frozenset[Need] = EVERYWHERE,
) -> None:
    """Prepare the clone for a command; finished steps cost nothing."""
    with _setup_lock():
        ensure_system(system)
        _make_environment()
        _install_packages(dev=dev)
        link_gi()
        if built:
            build_ui()
            build_icons()
            build_model()
        if clients:
            _build_gallery()
            _install_clients()
