"""Opens the dashboard in the user's browser, signed in, without the link in any process list."""

import os
import shutil
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from intaglio.client.daemon_client import DaemonClient
from intaglio.wire.access import BrowserSandbox, SignInPageRequest

_QUERY: Final = ("xdg-mime", "query", "default", "text/html")
_QUERY_TIMEOUT_S: Final = 3.0
_SNAP_APPLICATIONS: Final = Path("/var/lib/snapd/desktop/applications")
_SNAP_PROGRAMS: Final = "/snap/bin/"
_FLATPAK_APPLICATIONS: Final = Path("/var/lib/flatpak/exports/share/applications")
_OWN_FLATPAK_APPLICATIONS: Final = ".local/share/flatpak/exports/share/applications"
_DESKTOP: Final = ".desktop"


def open_dashboard(
    client: DaemonClient,
    page: str = "/",
    env: Mapping[str, str] = os.environ,
    launch: Callable[[str], bool] = webbrowser.open,
) -> bool:
    """Open a page of the dashboard in the default browser; return whether there is a browser.

    Raises what `DaemonClient` raises.
    """
    reply = client.sign_in_page(SignInPageRequest(next=page, sandbox=find_sandbox(env)))
    return launch(Path(reply.file).as_uri())


def find_sandbox(env: Mapping[str, str]) -> BrowserSandbox | None:
    """Return the sandbox of the browser that opens web pages, None if it has none or is unknown."""
    if sys.platform in {"win32", "darwin"}:
        return None
    chosen = env.get("BROWSER", "").split(os.pathsep)[0].split()
    if chosen:
        program = shutil.which(chosen[0], path=env.get("PATH")) or chosen[0]
        is_snap = program.startswith(_SNAP_PROGRAMS)
        return BrowserSandbox(kind="snap", app=Path(program).name) if is_snap else None
    own = Path(env.get("HOME", "/"), _OWN_FLATPAK_APPLICATIONS)
    return sandbox_of(_default_application(env), flatpaks=(_FLATPAK_APPLICATIONS, own))


def sandbox_of(
    application: str,
    snaps: Path = _SNAP_APPLICATIONS,
    flatpaks: tuple[Path, ...] = (_FLATPAK_APPLICATIONS,),
) -> BrowserSandbox | None:
    """Return the sandbox of an application, named by its desktop file."""
    if not application.endswith(_DESKTOP) or "/" in application:
        return None
    if (snaps / application).exists():
        # Named <snap>_<application>.desktop.
        return BrowserSandbox(kind="snap", app=application.partition("_")[0])
    if any((folder / application).exists() for folder in flatpaks):
        return BrowserSandbox(kind="flatpak", app=application.removesuffix(_DESKTOP))
    return None


def _default_application(env: Mapping[str, str]) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - no input
            _QUERY,
            env=dict(env),
            capture_output=True,
            text=True,
            timeout=_QUERY_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
