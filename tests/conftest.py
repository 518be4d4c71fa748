"""What all tests share: a home of their own, time-outs by marker, what a skip means, seconds."""

import gc
import itertools
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from fakes.test_order import spread, workers
from fakes.timing import CPU, CpuMeter, seconds_by_folder, table

# Seconds; what has no line here gets the default of pyproject.toml.
TIMEOUTS = {
    "slow": 1_800,
    "bench": 3600,
    "model": 900,
}

# Tests with these markers skip only when a package is not on the machine.
NEED_PACKAGES = ("browser", "clients", "desktop")

# A machine that is busy is no defect; what hangs meets the test's own time-out. What hypothesis
# chooses for CI (the same examples every time) stays. Tests that name no number of examples get
# half of hypothesis's own, and all of them with `-m slow`.
settings.register_profile(
    "many",
    parent=settings.default,
    deadline=None,
    suppress_health_check=(HealthCheck.too_slow,),
)
settings.register_profile("few", parent=settings.get_profile("many"), max_examples=50)
settings.load_profile("few")

# A file system in memory, where the system has one: what SQLite syncs costs nothing there. A run
# leaves nothing on it unless a test failed.
_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of the user's own in it
_ROOM_BYTES = 2_000_000_000
_METER = pytest.StashKey[CpuMeter]()

_DIRECTORIES = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


def _has_room(folder: Path) -> bool:
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return False
    return free >= _ROOM_BYTES and os.access(folder, os.W_OK | os.X_OK)


def _print_plain_tracebacks() -> None:
    """Spare what the product logs in this process the pictures of its stacks: a second each."""
    for each in structlog.get_config()["processors"]:
        if isinstance(each, structlog.dev.ConsoleRenderer):
            each.exception_formatter = structlog.dev.plain_traceback


def _leave_out_constants_of_the_source() -> None:
    """Let hypothesis try no constants of our modules: each worker would parse all of them."""
    none = Constants()
    providers._get_local_constants = lambda: none  # pyright: ignore[reportPrivateUsage] - there is no setting for it


def pytest_configure(config: pytest.Config) -> None:
    """Put the tests' folders into memory, where there is room; start to measure."""
    if _has_room(_IN_MEMORY):
        # What was asked for (by --basetemp, or by this variable) counts more.
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_IN_MEMORY))
        # Also those that a test makes for each of its examples.
        tempfile.tempdir = str(_IN_MEMORY)
    if "not slow" not in config.option.markexpr:
        settings.load_profile("many")
    else:
        _leave_out_constants_of_the_source()
    _print_plain_tracebacks()
    config.stash[_METER] = CpuMeter()


# Tests are collected until the run ends: looking for garbage among them finds none.
@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None]:
    """Collect the tests without garbage collection, and leave them out of it from then on."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


# Last: after the tests are shuffled and deselected.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes longest first; give each test its marker's time-out, unless it names one."""
    items[:] = spread(items, workers())
    for item in items:
        times = [seconds for name, seconds in TIMEOUTS.items() if item.get_closest_marker(name)]
        if times and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(max(times)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip for a missing package into a failure where CI has to have the package."""
    report = yield
    report.user_properties.append((f"{CPU}:{report.when}", item.config.stash[_METER].lap()))
    missing = report.skipped and not hasattr(report, "wasxfail")
    if missing and any(item.get_closest_marker(name) for name in NEED_PACKAGES):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.user_properties.append(("missing", reason))
        if os.environ.get("CI", "").lower() in {"1", "true"}:
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} must not be skipped in CI: {reason}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the seconds of each folder; say loudly, once, what was not tested here, and why."""
    reports = [
        report
        for several in terminalreporter.stats.values()
        for report in several
        if isinstance(report, pytest.TestReport)
    ]
    folders = seconds_by_folder(reports)
    # Of one folder alone pytest's own last line says it.
    if len(folders) > 1:
        terminalreporter.section("seconds by folder")
        for line in table(folders):
            terminalreporter.write_line(line)
    skipped: list[pytest.TestReport] = terminalreporter.stats.get("skipped", [])
    told = [
        str(text)
        for report in skipped
        for name, text in report.user_properties
        if name == "missing"
    ]
    if told:
        reasons = "; ".join(sorted(set(told)))
        line = f"NOT TESTED HERE: {len(told)} tests ({reasons})"
        terminalreporter.write_line(line, red=True, bold=True)


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield folders that nobody has used."""
    # Not mktemp for each: it reads the names of all that it has made.
    parent = tmp_path_factory.mktemp("homes")
    return (parent / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test an empty home, so that none reaches what the user has."""
    home = next(homes)
    home.mkdir()
    for name in os.environ:
        if name.startswith(("INTAGLIO_", "SIGNET_", "CLAUDE_")) or name in _DIRECTORIES:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    return home
