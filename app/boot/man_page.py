"""Prints the commands' section of the man page of the Debian package.

Runs inside the virtual environment (click).
"""

from collections.abc import Iterator, Mapping

import click

from intaglio.cli.main import intaglio

_SHORT_CHARS = 400


def roff(text: str) -> str:
    """Escape a text for a line of a man page."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def commands_section(commands: Mapping[str, click.Command]) -> str:
    """Return the section that lists the commands: name and summary."""

    def lines() -> Iterator[str]:
        yield ".SH COMMANDS"
        for name, command in sorted(commands.items()):
            if not command.hidden:
                summary = command.get_short_help_str(_SHORT_CHARS)
                yield from (".TP", f".B {roff(name)}", roff(summary))

    return "\n".join(lines())


if __name__ == "__main__":
    print(commands_section(intaglio.commands))
