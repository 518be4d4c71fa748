"""`python -m intaglio …`: runs one of the programs that Intaglio consists of.

Everything else is in `cli`. The command line only reaches the daemon over HTTP and must not import
it; the desktop app is a separate program too. The `intaglio` command starts here as well.
"""

import contextlib
import sys
from collections.abc import Callable
from typing import Final

from intaglio.base.errors import IntaglioError
from intaglio.base.process.startup_signals import exit_on_signal
from intaglio.base.process.terminal import argument_fault, finish_output, prepare_output

# What structlog and Litestar load where it happens to be installed, for a terminal's colours and
# for kinds of models that the daemon doesn't have: 14 MB.
_UNUSED_BY_DAEMON: Final = ("rich", "greenlet", "pydantic", "attr", "attrs")
_REFUSED: Final = 1
_WRONG_USAGE: Final = 2


def main() -> int:
    """Run the named program and return the exit code."""
    return _at_terminal(_program)


def command() -> int:
    """Run the `intaglio` command and return the exit code."""
    return _at_terminal(_command)


def _at_terminal(run: Callable[[], int]) -> int:
    prepare_output()
    if fault := argument_fault(sys.argv[1:]):
        sys.stderr.write(f"Error: {fault}\n")
        return _WRONG_USAGE
    try:
        return run()
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        return _REFUSED
    finally:
        finish_output()


def _program() -> int:  # noqa: PLR0911 - a case for each program
    match sys.argv[1:]:
        case ["daemon", "run", *rest] if rest in ([], ["--exit-with-parent"]):
            for name in _UNUSED_BY_DAEMON:
                sys.modules[name] = None  # type: ignore[assignment]  # how Python blocks an import
            with exit_on_signal():
                from intaglio.daemon.main import run  # noqa: PLC0415 - each program loads only its own code

                return run(exit_with_parent=bool(rest))
        case ["tray", *rest]:
            with exit_on_signal():
                from intaglio.desktop.main import main as tray  # noqa: PLC0415 - see above

                return tray(rest)
        case ["autostart", ("on" | "off" | "status") as action, *rest] if rest in ([], ["--json"]):
            from intaglio.desktop.autostart.command import switch_autostart  # noqa: PLC0415 - see above

            return switch_autostart(action, as_json=bool(rest))
        case ["uninstall", *rest]:
            from intaglio.uninstall.command import main as remove  # noqa: PLC0415 - see above

            return remove(rest)
        case ["openapi"]:
            from intaglio.api.openapi import describe  # noqa: PLC0415 - see above
            from intaglio.daemon.packages import PACKAGES  # noqa: PLC0415 - see above

            sys.stdout.buffer.write(describe(PACKAGES.inbox_kinds))
        case ["compute-layouts"]:
            from intaglio.projection.compute.worker import main as compute  # noqa: PLC0415 - see above

            compute()
        case ["window"]:
            from intaglio.base.paths import find_paths  # noqa: PLC0415 - see above
            from intaglio.desktop.window.process import run_windows  # noqa: PLC0415 - see above

            return run_windows(find_paths())
        case _:
            return _command()
    return 0


def _command() -> int:
    """Run a command.

    A client starts ``intaglio mcp`` with each session and waits for it, so that loads no other
    command.
    """
    match sys.argv[1:]:
        case ["mcp"]:
            return _serve_client("")
        case ["mcp", "--harness", harness]:
            return _serve_client(harness)
        case _:
            return _command_line()


def _serve_client(harness: str) -> int:
    from intaglio.cli.mcp.serve import serve  # noqa: PLC0415 - see above

    # What fails here fails again in the command line, which reports it.
    with contextlib.suppress(IntaglioError, OSError):
        serve(harness)
        return 0
    return _command_line()


def _command_line() -> int:
    from intaglio.cli.main import main as command_line  # noqa: PLC0415 - see above

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
