"""Progress in a terminal: one line that is written anew; elsewhere, a line now and then."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TextIO

import click

from intaglio.cli.output import clipped, line_width

_PLAIN_EVERY_S: Final = 30.0
_ERASE: Final = "\r\x1b[K"


@dataclass(slots=True)
class ProgressLine:
    """Shows what is going on, on a stream; in ``quiet`` mode nothing."""

    stream: TextIO
    quiet: bool = False
    seconds: Callable[[], float] = time.monotonic
    _shown_at: float | None = None
    _is_open: bool = False

    def show(self, text: str) -> None:
        """Show a line instead of the one before."""
        if self.quiet:
            return
        if self.stream.isatty():
            width = line_width(1)
            shown = clipped(text, width) if width else text
            click.echo(f"{_ERASE}{shown}", file=self.stream, nl=False)
            self._is_open = True
        elif self._shown_at is None or self.seconds() - self._shown_at >= _PLAIN_EVERY_S:
            click.echo(text, file=self.stream)
            self._shown_at = self.seconds()

    def clear(self) -> None:
        """Erase the line, before something else is written."""
        if self._is_open:
            click.echo(_ERASE, file=self.stream, nl=False)
        self._is_open, self._shown_at = False, None
