"""The Debian package in a Debian of its own: installed, used, upgraded and removed.

INTAGLIO_DEB names a package that is there already; without it, one is built for this system.
INTAGLIO_DEB_PICTURES names a folder for pictures of the windows.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

from boot.deb import lay_out
from boot.deb_target import parse_target
from boot.dist import sha256, source_date
from boot.wheel import build_archives
from deb.maintenance import AppProcess, processes
from fakes.debian_root import DebianRoot, debian_root, why_not
from fakes.screen import Screen, running_screen
from fakes.waiting import wait_for
from structure.source import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

# Read here: a test's own environment has no variables of ours.
GIVEN = os.environ.get("INTAGLIO_DEB")
PICTURES = os.environ.get("INTAGLIO_DEB_PICTURES")
NEWER = "9.9.9"
RELEASES = {"12": "bookworm", "13": "trixie"}
# A blank window has one colour, an empty page a few.
_PAINTED_COLOURS = 60
# Where the screen has its tray, and more colours than an empty one has.
_TRAY = (1080, 0, 1280, 28)
_ICON_COLOURS = 10


@pytest.fixture(scope="module")
def package() -> Path:
    """The package as it is built, or the one that the variable names."""
    if reason := why_not():
        pytest.skip(reason)
    if GIVEN:
        return Path(GIVEN)
    subprocess.run([sys.executable, ROOT / "app", "package", "deb"], check=True)
    found = sorted((ROOT / "dist").glob("intaglio_*.deb"), key=lambda file: file.stat().st_mtime)
    return found[-1]


@pytest.fixture(scope="module")
def newer(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same package as a later version of Intaglio."""
    folder = tmp_path_factory.mktemp("newer")
    tree = folder / "tree"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    old = field(package, "Version")
    new = old.replace(old.partition("-")[0], NEWER)
    for file in (tree / "DEBIAN" / "control", tree / "DEBIAN" / "preinst"):
        file.write_text(file.read_text().replace(old, new))
    (code,) = tree.glob("opt/intaglio/lib/python*/site-packages/intaglio/__init__.py")
    code.write_text(code.read_text().replace(old.partition("-")[0], NEWER))
    file = folder / package.name.replace(old, new)
    pack = ("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build")
    subprocess.run([*pack, tree, file], check=True, capture_output=True)
    shutil.rmtree(tree)
    return file


def field(package: Path, name: str) -> str:
    done = subprocess.run(
        ["dpkg-deb", "--field", package, name], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@contextmanager
def running_root(
    package: Path, folder: Path, shared: tuple[Path, ...] = ()
) -> Generator[DebianRoot]:
    release = RELEASES[field(package, "Version").rpartition("+deb")[2]]
    with debian_root(folder, release, field(package, "Depends"), shared) as running:
        yield running


@pytest.fixture
def bare(package: Path, tmp_path: Path) -> Generator[DebianRoot]:
    """A Debian with two users, without Intaglio."""
    with running_root(package, tmp_path) as running:
        running.add_user("alice")
        running.add_user("bob")
        yield running


def start_with_a_memory(debian: DebianRoot, user: str, text: str) -> None:
    debian.run("intaglio", "daemon", "start", user=user)
    debian.run("intaglio", "remember", text, user=user)


def daemons(debian: DebianRoot) -> dict[str, int]:
    """Return the process of each user's daemon."""
    return {each.env["USER"]: each.pid for each in daemon_processes(debian)}


def daemon_processes(debian: DebianRoot) -> list[AppProcess]:
    # The package's link leads to /usr/bin, which is another one for who looks from outside.
    python = str(debian.root / "usr" / "bin" / "python3")
    return [each for each in processes(root=debian.root, python=python) if each.is_daemon]


def test_a_purge_leaves_no_file_but_the_users_data(
    bare: DebianRoot, package: Path, tmp_path: Path
) -> None:
    before = bare.files()
    bare.install(package)
    start_with_a_memory(bare, "alice", "The release branch is cut on Tuesdays")
    # Root could write compiled files among the package's.
    bare.run("intaglio", "doctor", check=False)
    assert bare.run("intaglio", "--version", user="bob").stdout.startswith("intaglio, version")
    bare.apt("purge", "intaglio")
    left = bare.files() - before
    (tmp_path / "left.txt").write_text("\n".join(sorted(left)))
    assert [name for name in left if not name.startswith(("/home/alice/", "/root/"))] == []
    assert "/home/alice/.agents/memory/intaglio.db" in left
    # dpkg removes a folder that a package has left empty, whoever made it.
    assert before - bare.files() <= {"/opt"}
    assert daemons(bare) == {}


def test_an_upgrade_restarts_each_users_daemon_with_its_memories(
    bare: DebianRoot, package: Path, newer: Path
) -> None:
    bare.install(package)
    start_with_a_memory(bare, "alice", "The release branch is cut on Tuesdays")
    start_with_a_memory(bare, "bob", "Migrations are numbered without gaps")
    old = daemons(bare)
    bare.install(newer)
    new = daemons(bare)
    assert set(new) == set(old) == {"alice", "bob"}
    assert set(new.values()).isdisjoint(old.values())
    assert f"Intaglio {NEWER}: running" in bare.run("intaglio", "status", user="alice").stdout
    assert "Tuesdays" in bare.run("intaglio", "recall", "release branch", user="alice").stdout
    assert "gaps" in bare.run("intaglio", "recall", "migrations", user="bob").stdout


def test_an_older_version_is_refused_with_what_to_do(
    bare: DebianRoot, package: Path, newer: Path
) -> None:
    bare.install(newer)
    start_with_a_memory(bare, "alice", "The release branch is cut on Tuesdays")
    before = daemons(bare)
    refused = bare.install(package, "--allow-downgrades", check=False)
    assert refused.returncode != 0
    assert "can't be replaced by the older" in refused.stderr + refused.stdout
    assert bare.run("dpkg-query", "-W", "-f", "${Version} ${Status}", "intaglio").stdout == (
        f"{field(newer, 'Version')} install ok installed"
    )
    assert bare.run("intaglio", "--version").stdout.strip().endswith(NEWER)
    assert daemons(bare) == before


def test_a_removal_takes_intaglio_out_of_the_agents_of_each_user(
    bare: DebianRoot, package: Path
) -> None:
    bare.install(package)
    settings: dict[Path, str] = {}
    for name in ("alice", "bob"):
        file = bare.root / "home" / name / ".claude" / "settings.json"
        bare.run("mkdir", "-p", f"/home/{name}/.claude", user=name)
        text = f'{{"model": "opus", "owner": "{name}"}}\n'
        bare.run("sh", "-c", f"echo '{text.strip()}' > ~/.claude/settings.json", user=name)
        settings[file] = text
        bare.run("intaglio", "connect", "claude-code", "--yes", user=name)
        assert "hooks" in file.read_text()
    start_with_a_memory(bare, "alice", "The release branch is cut on Tuesdays")
    removed = bare.apt("remove", "intaglio")
    assert {file: file.read_text() for file in settings} == settings, removed.stderr
    assert daemons(bare) == {}
    assert (bare.root / "home/alice/.agents/memory/intaglio.db").is_file()
    assert not (bare.root / "opt/intaglio").exists()


def test_the_package_keeps_to_what_debian_expects(bare: DebianRoot, package: Path) -> None:
    bare.install(package)
    validated = bare.run("dpkg", "--verify", "intaglio")
    assert validated.stdout == ""
    assert bare.run("man", "-w", "intaglio", check=False).returncode in {0, 127}
    if shutil.which("lintian") is None:
        return
    options = ("--allow-root", "--fail-on", "error,warning")
    done = subprocess.run(
        ["lintian", *options, package], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def _colours(image: Image.Image) -> int:
    return len(image.getcolors(1 << 20) or [])


def _picture(screen: Screen, title: str, file: Path) -> None:
    """Wait until a window is painted, and keep a picture of it."""
    window = ""

    def painted() -> bool:
        nonlocal window
        window = next(iter(screen.windows(title)), "")
        colours = screen.grab(screen.box(window)).getcolors(1 << 20) if window else None
        return len([one for one in colours or [] if one[0] > 3]) > _PAINTED_COLOURS

    wait_for(painted, f"a page in {title}", 120)
    screen.grab().save(file)


@dataclass(frozen=True, slots=True)
class Desktop:
    """A tray app of the installed package: its system, its screen and its output."""

    debian: DebianRoot
    screen: Screen
    env: Mapping[str, str]
    output: Path


@pytest.fixture
def desktop(package: Path, tmp_path: Path) -> Generator[Desktop]:
    """The tray app of the installed package on a screen."""
    missing = [name for name in ("Xvfb", "dbus-daemon", "openbox") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    with running_screen(tmp_path / "screen") as screen:
        shared = (Path(screen.env["XDG_RUNTIME_DIR"]), Path("/tmp/.X11-unix"))  # noqa: S108 - X's own
        names = ("PATH", "HOME", "PYTHONPATH")
        env = {name: value for name, value in screen.env.items() if name not in names}
        with running_root(package, tmp_path / "root", shared) as debian:
            debian.install(package)
            output = tmp_path / "tray.txt"
            with output.open("wb") as stream:
                tray = subprocess.Popen(
                    debian.command("intaglio", "tray", env=env), stdout=stream, stderr=stream
                )
            try:
                wait_for(lambda: "/enter?key=" in output.read_text(), "a daemon", 120)
                yield Desktop(debian, screen, env, output)
            finally:
                tray.terminate()
                tray.wait(60)


def test_tray_and_windows_of_the_installed_package_are_painted(
    desktop: Desktop, tmp_path: Path
) -> None:
    pictures = Path(PICTURES or tmp_path)
    screen = desktop.screen
    _picture(screen, "^Intaglio$", pictures / "dashboard.png")
    for kind, title in (("remember", "^Remember"), ("search", "^Search")):
        desktop.debian.run("intaglio", "open", f"intaglio://{kind}", env=desktop.env)
        _picture(screen, title, pictures / f"{kind}.png")
    wait_for(lambda: _colours(screen.grab(_TRAY)) > _ICON_COLOURS, "an icon")


def test_the_tray_app_replaces_its_daemon_after_an_upgrade(desktop: Desktop, newer: Path) -> None:
    old = daemons(desktop.debian)
    desktop.debian.run("intaglio", "remember", "The release branch is cut on Tuesdays")
    desktop.debian.install(newer)

    def is_new() -> bool:
        said = desktop.debian.run("intaglio", "status", check=False).stdout
        return f"Intaglio {NEWER}: running" in said

    wait_for(is_new, "a daemon of the new version", 180)
    (new,) = daemon_processes(desktop.debian)
    assert new.pid not in old.values()
    assert "--exit-with-parent" in new.words
    assert "Tuesdays" in desktop.debian.run("intaglio", "recall", "release branch").stdout


def test_two_builds_of_the_same_source_have_the_same_bytes(tmp_path: Path) -> None:
    wheel, _ = build_archives()
    target = parse_target([], {"release": "bookworm", "architecture": "amd64"})
    sums: set[str] = set()
    for name, mask in (("one", 0o022), ("two", 0o077)):
        before = os.umask(mask)
        try:
            lay_out(tmp_path / name, target, wheel, "1.0-1+deb12")
        finally:
            os.umask(before)
        file = tmp_path / f"{name}.deb"
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Znone", "--build", tmp_path / name, file],
            env={**os.environ, "SOURCE_DATE_EPOCH": str(source_date())},
            check=True,
            capture_output=True,
        )
        sums.add(sha256(file))
    assert len(sums) == 1
