"""``python3 app COMMAND``: set up, run, test or package Intaglio from a bare clone.

This is the list of commands; ``boot/`` holds what they do. Standard library only.
"""

import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType

from boot.gates import LINT, PYTEST, TYPES, pass_gates, run_all
from boot.lock import lock
from boot.process import PYTHON, ROOT, WORK, StepFailed, answer, become, own_env, run, step
from boot.setup import build_ui, npm, set_up, ui_packages
from boot.system import EVERYWHERE, FOR_TESTS, WITH_A_SCREEN, Need, has_screen
from boot.wheel import package

Arguments = list[str]


def _where() -> frozenset[Need]:
    return WITH_A_SCREEN if has_screen() else EVERYWHERE


def _setup(arguments: Arguments) -> int:
    tests = "test" in arguments
    set_up(dev=tests, clients=tests, system=FOR_TESTS if tests else _where())
    return 0


def _run(arguments: Arguments) -> int:
    # Without a tray no desktop packages are needed, even with a screen.
    set_up(system=EVERYWHERE if "--headless" in arguments else _where())
    # With the user's own search path: its hints name commands that work in the user's shell.
    return become([PYTHON, "-m", "intaglio", "tray", *arguments], own_env())


def _test(arguments: Arguments) -> int:
    set_up(dev=True, clients=True, system=FOR_TESTS)
    return become([*PYTEST, *arguments]) if arguments else run_all()


def _lint(_: Arguments) -> int:
    set_up(dev=True)
    return pass_gates(LINT)


def _types(_: Arguments) -> int:
    set_up(dev=True)
    return pass_gates(TYPES)


def _ui(_: Arguments) -> int:
    set_up(built=False)
    ui_packages()
    document = answer([PYTHON, "-m", "intaglio", "openapi"])
    if document is None:
        raise StepFailed("`intaglio openapi` failed to print the API's description")
    with step("API types for the dashboard"):
        file = WORK / "openapi.json"
        file.write_text(document, encoding="utf-8")
        npm("run", "generate", "--", str(file), "src/lib/api/schema.d.ts")
    with step("filters for the dashboard"):
        run([PYTHON, "-m", "boot.filter_table"])
    build_ui()
    return 0


def _docs(_: Arguments) -> int:
    set_up(dev=True, built=False)
    run([PYTHON, "-m", "boot.docs"])
    return 0


def _bench(arguments: Arguments) -> int:
    set_up(dev=True, system=FOR_TESTS if arguments[:1] == ["desk"] else _where())
    return become([PYTHON, ROOT / "tests" / "bench", *arguments])


def _package(_: Arguments) -> int:
    set_up(dev=True)
    package()
    return 0


def _lock(arguments: Arguments) -> int:
    set_up(built=False)
    lock(arguments)
    return 0


@dataclass(frozen=True, slots=True)
class Word:
    """A command: its name, what it does in one line, and its function."""

    name: str
    meaning: str
    do: Callable[[Arguments], int]


WORDS = (
    Word("setup", "prepare this checkout to run (`setup test`: to be tested)", _setup),
    Word("run", "set up and start Intaglio (`run --headless`: without the tray app)", _run),
    Word("test", "run all checks and tests (`test PATH ...`: only pytest)", _test),
    Word("lint", "run the linters", _lint),
    Word("types", "run the type checkers", _types),
    Word("ui", "regenerate the dashboard's API types and filters, then build it", _ui),
    Word("docs", "regenerate the reference pages in assets/docs", _docs),
    Word("bench", "run a benchmark: bench [load|...]", _bench),
    Word("package", "build and check the wheel and the source archive", _package),
    Word("lock", "update the pinned Python dependencies (`lock --upgrade`: to the newest)", _lock),
)


def _help() -> str:
    lines = [f"  {word.name:<8} {word.meaning}" for word in WORDS]
    return "\n".join(["Usage: python3 app COMMAND", "", *lines])


def _end(number: int, _: FrameType | None) -> None:
    sys.exit(128 + number)


def main(arguments: Arguments) -> int:
    """Run the command and return the exit status (2: no such command)."""
    # When a signal ends a step, the program that it waits for ends, too.
    signal.signal(signal.SIGTERM, _end)
    chosen = next((word for word in WORDS if arguments[:1] == [word.name]), None)
    if chosen is None:
        asked = arguments[:1] in (["help"], ["-h"], ["--help"])
        print(_help(), file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    try:
        return chosen.do(arguments[1:])
    except StepFailed as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
