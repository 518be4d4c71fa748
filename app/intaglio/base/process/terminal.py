"""What a terminal does to a program: arguments that aren't UTF-8, other encodings, closed pipes."""

import io
import os
import sys
from collections.abc import Iterable


def prepare_output() -> None:
    """Replace what the terminal's encoding lacks; without a stream, write to nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - open until the process ends
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def argument_fault(arguments: Iterable[str]) -> str:
    """Say which argument isn't UTF-8; empty if all are."""
    for each in arguments:
        shown = each.encode("utf-8", "replace").decode()
        if shown != each:
            return f"The argument {shown} isn't valid UTF-8."
    return ""


def finish_output() -> None:
    """Flush the output; if its reader is gone, drop the rest, so that Python's end doesn't fail."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
