"""Texts that are built against each regular expression of the package: none takes longer by far.

Each expression is tried on what precedes one of its repeats, what the repeat takes, again and
again, and an end that can't match; and on pieces that hostile texts are made of.
"""

import re
import time
from collections import deque
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from bench.attack.arena import Arena
from bench.attack.probe import Outcome, Probe, judge
from structure.regexes.expressions import Expression, expressions
from structure.regexes.tree import Atomic, Branch, Letters, Look, Node, Repeat, Sequence, parse

_PIECES: Final = (
    *(" ", "\t", "\n", " \n", '"', "'", "`", ":", ": ", ",", ", ", ".", ". ", "-", "_", "/", "\\"),
    *(
        "=",
        "<",
        ">",
        "(",
        "[",
        "](",
        "{",
        "0",
        "a",
        "A",
        "aA",
        "a-",
        "a.",
        "a ",
        "\u6587",
        "\u3042",
    ),
    *(
        "\u6587\u6863 abc:",
        "and ",
        "and,",
        "use ",
        "key=",
        "\u00a0",
        "\u0301",
        "\u201e",
        "~~",
        "**",
    ),
)
_LENGTHS: Final = (5_000, 10_000, 20_000)
# Twice the text takes twice the time; the rest is noise.
_MAX_RATIO: Final = 3.2
_MIN_S: Final = 0.01
_MAX_S: Final = 0.1
_SAMPLES: Final = 3
_MANY: Final = 40
_END: Final = "\x00"

Compiled: TypeAlias = re.Pattern[Any]


def attacks(expression: Expression) -> Iterator[tuple[str, str]]:
    """Yield a start and a piece to repeat behind it."""
    tree = parse(expression.pattern, expression.flags)
    found = dict.fromkeys(_of(tree.root, "", tree.alphabet))
    pumps = dict.fromkeys((start, piece) for start, piece in found if piece)
    yield from list(pumps)[:_MANY]
    # The whole beginning again and again, for what a search begins anywhere.
    yield from list(dict.fromkeys(("", start + piece) for start, piece in pumps if start))[:_MANY]
    yield from (("", piece) for piece in _PIECES)


def _of(node: Node, before: str, alphabet: str) -> Iterator[tuple[str, str]]:
    """Yield what precedes each repeat below a node, and samples of what it takes."""
    match node:
        case Sequence(parts):
            for part in parts:
                yield from _of(part, before, alphabet)
                before += next(_samples(part, alphabet), "")
        case Branch(parts):
            for part in parts:
                yield from _of(part, before, alphabet)
        case Repeat(part, _, most):
            if most is None or most > 1:
                yield from ((before, sample) for sample in _samples(part, alphabet))
            yield from _of(part, before, alphabet)
        case Atomic(part) | Look(part):
            yield from _of(part, before, alphabet)
        case _:
            pass


def _samples(node: Node, alphabet: str) -> Iterator[str]:
    """Yield a few texts that a node takes."""
    match node:
        case Letters(mask):
            chars = [char for at, char in enumerate(alphabet) if mask >> at & 1]
            shown = [char for char in chars if char.isprintable()] or chars
            step = max(1, len(shown) // _SAMPLES)
            yield from shown[::step][:_SAMPLES]
        case Sequence(parts):
            yield "".join(next(_samples(part, alphabet), "") for part in parts)
        case Branch(parts):
            for part in parts[:_SAMPLES]:
                yield from _samples(part, alphabet)
        case Repeat(part, fewest):
            yield next(_samples(part, alphabet), "") * max(1, fewest)
        case Atomic(part):
            yield from _samples(part, alphabet)
        case _:
            yield ""


def growth(expression: Expression, start: str, piece: str) -> str | None:
    """Return how much longer a text of twice the length takes, if it is far more than twice."""
    # Any: the pattern and its texts are both str or both bytes.
    compiled: Compiled = re.compile(expression.pattern, expression.flags)
    seconds: list[float] = []
    for length in _LENGTHS:
        text = start + piece * (length // len(piece)) + _END
        data = text.encode("latin-1", "replace") if isinstance(expression.pattern, bytes) else text
        seconds.append(min(_cpu(compiled, data, searched=expression.searched) for _ in range(2)))
        if seconds[-1] > 1:
            break
    short, long = seconds[-2:] if len(seconds) > 1 else (0.0, seconds[0])
    if long < _MIN_S or (long < _MAX_S and long < _MAX_RATIO * short):
        return None
    figures = ", ".join(f"{1_000 * each:.0f}" for each in seconds)
    return f"{expression.place}: {figures} ms for {start[:20]!a} + {piece[:20]!a}, repeated"


def _cpu(compiled: Compiled, text: str | bytes, *, searched: bool) -> float:
    began = time.process_time()
    if searched:
        deque(compiled.finditer(text), maxlen=0)
    else:
        compiled.match(text)
    return time.process_time() - began


def _run(_arena: Arena) -> Outcome:
    tried = 0
    broken: list[str] = []
    for expression in expressions():
        for start, piece in attacks(expression):
            tried += 1
            found = growth(expression, start, piece)
            if found:
                broken.append(found)
                break
    return judge(broken, tried, "twice the text takes at most twice the time")


PROBES: Final = (
    Probe("text", "a text against each regular expression at n, 2n and 4n", _run, limit_s=900),
)
