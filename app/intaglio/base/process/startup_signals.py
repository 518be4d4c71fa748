"""Signals between the start of a process and the moment when its own handlers are installed."""

import contextlib
import signal
from collections.abc import Generator
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def exit_on_signal() -> Generator[None]:
    """Exit with status 0 on SIGTERM or SIGINT in the block, running its ``finally`` clauses.

    Without it, SIGTERM would leave files and locks of a half-finished start behind, and SIGINT
    print a traceback. Handlers that the block installs replace it; whatever is ignored stays so.
    """

    def leave(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(0)

    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number, handler in before.items():
        # Started with nohup or in a script's background, it must keep ignoring this signal.
        if handler is not signal.SIG_IGN:
            signal.signal(number, leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is leave:
                signal.signal(number, handler)
