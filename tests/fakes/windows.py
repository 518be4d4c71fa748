"""Window processes without a tray, for the tests of what they do."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from fakes.daemon import daemon_env
from fakes.dashboard import Dashboard
from fakes.page_server import PageServer
from fakes.program_under_test import command_under_test
from fakes.screen import Screen
from fakes.waiting import wait_for
from intaglio.desktop.window.windows import ProcessWindows, ReadyRules

TITLE = "^Intaglio$"
ANY = "^(Intaglio|Remember|Search)"


def window_env(screen: Screen, home: Path) -> Mapping[str, str]:
    """Return the session's environment with Intaglio's directories below ``home``."""
    own = {name: value for name, value in daemon_env(home).items() if "INTAGLIO" in name}
    return {**screen.env, **own}


@contextmanager
def running_windows(
    screen: Screen,
    home: Path,
    shown: Dashboard | PageServer | None = None,
    *,
    ready_minutes: int = 0,
    **env: str,
) -> Generator[ProcessWindows]:
    """Hand out windows whose state lies below ``home``; all are closed at the end.

    They load pages of the daemon below ``home``, or of the one that is to be ``shown``. By default
    none is kept ready.
    """
    runtime = {} if shown is None else {"INTAGLIO_RUNTIME_DIR": str(shown.runtime)}
    environment = {**window_env(screen, home), **runtime, **env}
    rules = ReadyRules(ready_minutes, free_bytes=0, least_free_bytes=0)
    program = command_under_test("window")
    made = ProcessWindows(home / "window.log", environment, program, lambda: rules)
    try:
        yield made
    finally:
        made.close()
        # What the next test finds is its own.
        wait_for(lambda: not screen.windows(ANY), "no window")


def opened(screen: Screen, title: str = TITLE) -> str:
    """Wait for a window and return its id."""
    found: list[str] = []

    def there() -> bool:
        found[:] = screen.windows(title)
        return bool(found)

    wait_for(there, f"a window {title}")
    return found[0]
