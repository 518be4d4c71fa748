"""What all tests share: a home of their own, time-outs by marker, and what a skip means."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Seconds; what has no line here gets the default of pyproject.toml.
TIMEOUTS = {
    "slow": 1_800,
    "bench": 3600,
    "model": 900,
}

# Tests with these markers skip only when a package is not on the machine.
NEED_PACKAGES = ("browser", "clients", "desktop")

# A machine that is busy is no defect; what hangs meets the test's own time-out. What hypothesis
# chooses for CI (the same examples every time) stays.
settings.register_profile(
    "unhurried",
    parent=settings.default,
    deadline=None,
    suppress_health_check=(HealthCheck.too_slow,),
)
settings.load_profile("unhurried")

_DIRECTORIES = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test the time-out of its marker, unless it names one itself."""
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
    missing = report.skipped and not hasattr(report, "wasxfail")
    if missing and any(item.get_closest_marker(name) for name in NEED_PACKAGES):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.user_properties.append(("missing", reason))
        if os.environ.get("CI", "").lower() in {"1", "true"}:
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} must not be skipped in CI: {reason}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly, once, what was not tested on this machine, and why."""
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


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test an empty home, so that none reaches what the user has."""
    home = tmp_path_factory.mktemp("home")
    for name in os.environ:
        if name.startswith(("INTAGLIO_", "SIGNET_", "CLAUDE_")) or name in _DIRECTORIES:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    return home
