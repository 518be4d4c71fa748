"""`python -m intaglio …`: runs the daemon, the tray, a window or prints the OpenAPI document.

Everything else is in `cli`. The command line only reaches the daemon over HTTP and must not import
it; the desktop app is a separate program too.
"""

import sys

from intaglio.base.process.startup_signals import exit_on_signal


def main() -> int:
    """Run the named program and return the exit code."""
    match sys.argv[1:]:
        case ["daemon", "run", *rest] if rest in ([], ["--exit-with-parent"]):
            # structlog would load rich for terminal colours: 3 MB for a log that goes to a file.
            sys.modules["rich"] = None  # type: ignore[assignment]  # how Python blocks an import
            with exit_on_signal():
                from intaglio.daemon.main import run  # noqa: PLC0415 - each program loads only its own code

                return run(exit_with_parent=bool(rest))
        case ["tray", *rest]:
            with exit_on_signal():
                from intaglio.desktop.main import main as tray  # noqa: PLC0415 - see above

                return tray(rest)
        case ["autostart", ("on" | "off" | "status") as action]:
            from intaglio.desktop.main import switch_autostart  # noqa: PLC0415 - see above

            return switch_autostart(action)
        case ["openapi"]:
            from intaglio.daemon.composition import document  # noqa: PLC0415 - see above

            sys.stdout.buffer.write(document())
            return 0
        case ["window", "dashboard" | "remember" | "search" as kind]:
            from intaglio.base.paths import find_paths  # noqa: PLC0415 - see above
            from intaglio.desktop.window.process import run_window  # noqa: PLC0415 - see above

            return run_window(kind, find_paths())
        case _:
            from intaglio.cli.main import main as command_line  # noqa: PLC0415 - see above

            return command_line()


if __name__ == "__main__":
    sys.exit(main())
