"""`python -m intaglio …`: the daemon and the API's description here, all else in `cli`.

The command line reaches the daemon over HTTP only, so it cannot start it by importing it.
"""

import sys


def main() -> int:
    """Run what the arguments name and return the exit code."""
    match sys.argv[1:]:
        case ["daemon", "run", *rest] if rest in ([], ["--leash"]):
            from intaglio.daemon.main import run  # noqa: PLC0415 - each half loads only its own

            return run(leash=bool(rest))
        case ["openapi"]:
            from intaglio.api.app import document  # noqa: PLC0415 - see above

            sys.stdout.buffer.write(document())
            return 0
        case _:
            from intaglio.cli.main import main as command_line  # noqa: PLC0415 - see above

            return command_line()


if __name__ == "__main__":
    sys.exit(main())
