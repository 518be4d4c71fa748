"""Writes exceptions down for the log, without long values that their messages quote.

A message may quote what was being worked on, such as a memory's text that isn't a number. What
kind of fault it is, and where it happened, stays.
"""

import textwrap
import traceback
from itertools import pairwise
from typing import Final, cast

_QUOTES: Final = "'\""
_LONG_QUOTE: Final = 24
_LEFT_OUT: Final = "'…'"
_MESSAGE_CHARS: Final = 300
_FRAMES: Final = 40
_CAUSES: Final = 8
_GROUP_DEPTH: Final = 3
_OF_CAUSE: Final = "\nThe above exception led to this one:\n\n"


def error_text(error: BaseException) -> str:
    """Return an exception's type and message, at most 300 characters of it, on one line."""
    match error:
        case UnicodeEncodeError() | UnicodeDecodeError() | UnicodeTranslateError():
            message = error.reason
        case OSError():
            message = str(error)  # It quotes nothing but paths.
        case _:
            message = _unquoted(str(error))
    name = type(error).__qualname__
    message = " ".join(message.split())[:_MESSAGE_CHARS]
    return f"{name}: {message}" if message else name


def _unquoted(message: str) -> str:
    """Leave out what stands between the first and the last quotation mark, if it is long."""
    for mark in _QUOTES:
        # An apostrophe within a word opens no quotation, unlike that of ``b'…'``.
        opening = (
            place
            for place, (before, letter) in enumerate(pairwise(f" {message}"))
            if letter == mark and (before == "b" or not before.isalnum())
        )
        start, end = next(opening, len(message)), message.rfind(mark)
        if end - start > _LONG_QUOTE:
            message = message[:start] + _LEFT_OUT + message[end + 1 :]
    return message


def traceback_text(error: BaseException, depth: int = 0) -> str:
    """Return an exception's traceback: its causes first, the members of a group below it."""
    chain = [error]
    while len(chain) < _CAUSES and (cause := _cause(chain[-1])) is not None:
        chain.append(cause)
    return _OF_CAUSE.join(_one(each, depth) for each in reversed(chain))


def _cause(error: BaseException) -> BaseException | None:
    if error.__cause__ is not None or error.__suppress_context__:
        return error.__cause__
    return error.__context__


def _one(error: BaseException, depth: int) -> str:
    frames = traceback.format_tb(error.__traceback__, limit=-_FRAMES)
    heading = "Traceback (most recent call last):\n" if frames else ""
    text = f"{heading}{''.join(frames)}{error_text(error)}"
    if isinstance(error, BaseExceptionGroup) and depth < _GROUP_DEPTH:
        group = cast("BaseExceptionGroup[BaseException]", error)
        for each in group.exceptions[:_CAUSES]:
            text += "\n" + textwrap.indent(traceback_text(each, depth + 1), "  | ")
    return text
