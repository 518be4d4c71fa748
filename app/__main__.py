"""``python3 app COMMAND``: set up, run, test or package Intaglio from a bare clone.

Lists the commands; ``boot/`` implements them. Standard library only.
"""

import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType

from boot.checks import LINT, PYTEST, TYPES, run_all, run_checks
from boot.lock import lock
from boot.package_kinds import DEFAULT, choose, package
from boot.process import (
    PYTHON,
    ROOT,
    WORK,
    StepFailed,
    output_of,
    own_env,
    replace_process,
    run,
    step,
)
from boot.setup import build_ui, npm, set_up, ui_packages
from boot.system import EVERYWHERE, FOR_TESTS, WITH_A_SCREEN, Need, has_screen

Arguments = list[str]


def _where() -> frozenset[Need]:
    return WITH_A_SCREEN if has_screen() else EVERYWHERE


def _setup(arguments: Arguments) -> int:
    tests = "test" in arguments
    set_up(dev=tests, clients=tests, system=FOR_TESTS if tests else _where())
    return 0


def _run(arguments: Arguments) -> int:
    # Without the tray app no desktop packages are needed, even with a screen.
    set_up(system=EVERYWHERE if "--headless" in arguments else _where())
    # With the user's own PATH, so that hints name commands that work in the user's shell.
    return replace_process([PYTHON, "-m", "intaglio", "tray", *arguments], own_env())


def _test(arguments: Arguments) -> int:
    set_up(dev=True, clients=True, system=FOR_TESTS)
    return replace_process([*PYTEST, *arguments]) if arguments else run_all()


def _lint(_: Arguments) -> int:
    set_up(dev=True)
    return run_checks(LINT)


def _types(_: Arguments) -> int:
    set_up(dev=True)
    return run_checks(TYPES)


def _ui(_: Arguments) -> int:
    set_up(built=False)
    ui_packages()
    document = output_of([PYTHON, "-m", "intaglio", "openapi"])
    if document is None:
        raise StepFailed("`intaglio openapi` failed to print the OpenAPI document")
    with step("Generate the dashboard's API types"):
        file = WORK / "openapi.json"
        file.write_text(document, encoding="utf-8")
        npm("run", "generate", "--", str(file), "src/lib/api/schema.d.ts")
    with step("Generate the dashboard's filter table and kinds of inbox items"):
        run([PYTHON, "-m", "boot.filter_table"])
        run([PYTHON, "-m", "boot.inbox_kinds"])
    build_ui()
    return 0


def _docs(_: Arguments) -> int:
    set_up(dev=True, built=False)
    run([PYTHON, "-m", "boot.docs"])
    return 0


def _bench(arguments: Arguments) -> int:
    set_up(dev=True, system=FOR_TESTS if arguments[:1] == ["desktop"] else _where())
    return replace_process([PYTHON, ROOT / "tests" / "bench", *arguments])


def _package(arguments: Arguments) -> int:
    name, *rest = arguments or [DEFAULT]
    # Before the set-up, which takes minutes in a new clone.
    kinds = choose(name)
    set_up(dev=True)
    package(kinds, rest)
    return 0


def _lock(arguments: Arguments) -> int:
    set_up(built=False)
    lock(arguments)
    return 0


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A command: its name, a one-line summary, and its function."""

    name: str
    summary: str
    run: Callable[[Arguments], int]


SUBCOMMANDS = (
    Subcommand("setup", "prepare this clone to run (`setup test`: to test)", _setup),
    Subcommand("run", "set up and start Intaglio (`run --headless`: without the tray app)", _run),
    Subcommand("test", "run all checks and tests (`test PATH ...`: pytest only)", _test),
    Subcommand("lint", "run the linters", _lint),
    Subcommand("types", "run the type checkers", _types),
    Subcommand("ui", "regenerate the dashboard's API types and filters, then build it", _ui),
    Subcommand("docs", "regenerate the reference pages in assets/docs", _docs),
    Subcommand("bench", "run a benchmark, for example `bench load`", _bench),
    Subcommand("package", "build and check a package: `package wheel`, `package deb`, …", _package),
    Subcommand(
        "lock", "pin the Python dependencies (`lock --upgrade`: to the newest versions)", _lock
    ),
)


def _help() -> str:
    lines = [f"  {word.name:<8} {word.summary}" for word in SUBCOMMANDS]
    return "\n".join(["Usage: python3 app COMMAND", "", *lines])


def _end(number: int, _: FrameType | None) -> None:
    sys.exit(128 + number)


def main(arguments: Arguments) -> int:
    """Run the command and return the exit status (2: no such command)."""
    # Exit on SIGTERM, so that the program that a step waits for ends too.
    signal.signal(signal.SIGTERM, _end)
    chosen = next((word for word in SUBCOMMANDS if arguments[:1] == [word.name]), None)
    if chosen is None:
        asked = arguments[:1] in (["help"], ["-h"], ["--help"])
        print(_help(), file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    try:
        return chosen.run(arguments[1:])
    except StepFailed as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
