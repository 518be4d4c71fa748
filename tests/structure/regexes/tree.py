"""The parse tree of a regular expression, with a letter of each kind instead of all characters."""
# ruff: noqa: ANN401 - the parse tree of `re` is private and has no types; nothing public shows it

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from re import RegexFlag
from typing import Any, Final, TypeAlias

_OP: Final[Any] = import_module("re._constants")
_PARSER: Final[Any] = import_module("re._parser")
# Spaces, an accent, letters with several forms, digits and letters of other scripts.
_SAMPLES: Final = "".join(
    map(
        chr,
        (
            *(0x00A0, 0x2028, 0x200B, 0x3000, 0x0301, 0x00E9, 0x00C9, 0x00DF, 0x017F, 0x212A),
            *(0x0416, 0x05D0, 0x0628, 0x0663, 0x6587, 0x304B, 0x30AB, 0xD55C, 0xFF41, 0xFF21),
            *(0xFF11, 0x0E01, 0x1F600),
        ),
    )
)


@dataclass(frozen=True, slots=True)
class Letters:
    """One character: the set of letters that it may be, as bits."""

    mask: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts one after another."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """One of several parts."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part again and again: at least ``fewest`` times, at most ``most`` (None: without end)."""

    part: "Node"
    fewest: int
    most: int | None
    possessive: bool = False


@dataclass(frozen=True, slots=True)
class Atomic:
    """A part that is left in one way only."""

    part: "Node"


@dataclass(frozen=True, slots=True)
class Look:
    """What has to stand, or not to stand, ahead of a place or behind it."""

    part: "Node"
    ahead: bool
    wanted: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A place without a character: the letters that may stand before and after it."""

    sides: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """The same text as a group, of at most ``longest`` characters."""

    longest: int | None


Node: TypeAlias = Letters | Sequence | Branch | Repeat | Atomic | Look | Place | Reference


@dataclass(frozen=True, slots=True)
class Tree:
    """An expression: its root, and the letters that stand for all characters."""

    root: Node
    alphabet: str

    @property
    def letters(self) -> int:
        """All letters."""
        return (1 << len(self.alphabet)) - 1

    @property
    def every(self) -> int:
        """All letters, and the end of the text, which no character is."""
        return (1 << len(self.alphabet) + 1) - 1


def parse(pattern: str | bytes, flags: int) -> Tree:
    """Parse an expression; ``flags`` are those of the compiled one."""
    plain = flags & ~RegexFlag.UNICODE
    if isinstance(pattern, bytes):
        plain, pattern = plain | RegexFlag.ASCII, pattern.decode("latin-1")
    parsed = _PARSER.parse(pattern, plain)
    literals = {chr(code) for code in _codes(list(parsed))}
    alphabet = "".join(sorted({*map(chr, range(128)), *_SAMPLES, *literals}))
    reader = _Reader(alphabet, {})
    return Tree(reader.sequence(parsed, plain | parsed.state.flags), alphabet)


def _codes(nodes: Any) -> Iterator[int]:
    """Yield the characters that a tree names."""
    for kind, value in nodes:
        if kind in (_OP.LITERAL, _OP.NOT_LITERAL):
            yield value
        elif kind is _OP.RANGE:
            yield from value
        else:
            for inner in _inner(kind, value):
                yield from _codes(inner)


def _inner(kind: Any, value: Any) -> list[Any]:
    """Return the trees within a node."""
    if kind in (_OP.IN, _OP.ATOMIC_GROUP):
        return [value]
    if kind is _OP.BRANCH:
        return list(value[1])
    if kind in (_OP.SUBPATTERN, *_REPEATS, *_LOOKS):
        return [value[-1]]
    return [value[1], value[2] or ()] if kind is _OP.GROUPREF_EXISTS else []


_NAMING: Final = (_OP.LITERAL, _OP.NOT_LITERAL, _OP.RANGE)
_REPEATS: Final = (_OP.MAX_REPEAT, _OP.MIN_REPEAT, _OP.POSSESSIVE_REPEAT)
_LOOKS: Final = (_OP.ASSERT, _OP.ASSERT_NOT)


@dataclass(slots=True)
class _Reader:
    """Turns the untyped tree into nodes; ``widths`` are the greatest lengths of its groups."""

    alphabet: str
    widths: dict[int, int | None]

    @property
    def _every(self) -> int:
        return (1 << len(self.alphabet) + 1) - 1

    def sequence(self, nodes: Any, flags: int) -> Sequence:
        return Sequence(tuple(self._node(kind, value, flags) for kind, value in nodes))

    def _node(self, kind: Any, value: Any, flags: int) -> Node:  # noqa: PLR0911 - one a kind
        if kind in (*_NAMING, _OP.ANY, _OP.IN):
            return Letters(self._letters(kind, value, flags))
        if kind is _OP.SUBPATTERN:
            group, added, removed, inner = value
            self.widths[group] = _bound(inner.getwidth()[1])
            return self.sequence(inner, (flags | added) & ~removed)
        if kind is _OP.BRANCH:
            return Branch(tuple(self.sequence(inner, flags) for inner in value[1]))
        if kind in _REPEATS:
            fewest, most, inner = value
            possessive = kind is _OP.POSSESSIVE_REPEAT
            return Repeat(self.sequence(inner, flags), int(fewest), _bound(most), possessive)
        if kind is _OP.ATOMIC_GROUP:
            return Atomic(self.sequence(value, flags))
        if kind in _LOOKS:
            part = self.sequence(value[1], flags)
            return Look(part, ahead=value[0] > 0, wanted=kind is _OP.ASSERT)
        if kind is _OP.AT:
            return Place(tuple(self._sides(value, flags)))
        if kind is _OP.GROUPREF:
            return Reference(self.widths.get(value))
        return self._rare(kind, value, flags)

    def _rare(self, kind: Any, value: Any, flags: int) -> Node:
        if kind is _OP.GROUPREF_EXISTS:
            return Branch((self.sequence(value[1], flags), self.sequence(value[2] or (), flags)))
        if kind is _OP.FAILURE:
            return Place(())
        raise NotImplementedError(str(kind))

    def _letters(self, kind: Any, value: Any, flags: int) -> int:
        key = value if isinstance(value, int) or value is None else tuple(value)
        return _letters(self.alphabet, kind, key, flags)

    def _sides(self, value: Any, flags: int) -> Iterator[tuple[int, int]]:
        newline = mask(self.alphabet, lambda char: char == "\n")
        end = 1 << len(self.alphabet)
        word = mask(self.alphabet, lambda char: _in_category(char, _OP.CATEGORY_WORD, flags))
        other = self._every & ~word
        many = flags & RegexFlag.MULTILINE
        if value is _OP.AT_BEGINNING and many:
            yield newline, self._every
        elif value in (_OP.AT_BEGINNING, _OP.AT_BEGINNING_STRING):
            yield 0, self._every
        elif value is _OP.AT_END:
            yield self._every, end | newline if many else end
        elif value is _OP.AT_END_STRING:
            yield self._every, end
        elif value is _OP.AT_BOUNDARY:
            yield from ((word, other), (other, word))
        else:
            yield from ((word, word), (other, other))


def mask(alphabet: str, holds: Callable[[str], object]) -> int:
    """Return the letters for which something holds."""
    return sum(1 << at for at, char in enumerate(alphabet) if holds(char))


@cache
def _letters(alphabet: str, kind: Any, value: Any, flags: int) -> int:
    every = (1 << len(alphabet)) - 1
    if kind is _OP.ANY:
        return mask(alphabet, lambda char: char != "\n" or flags & RegexFlag.DOTALL)
    items = ((_OP.LITERAL, value),) if kind in (_OP.LITERAL, _OP.NOT_LITERAL) else value
    found = mask(alphabet, lambda char: any(_inside(char, item, flags) for item in items))
    negated = kind is _OP.NOT_LITERAL or items[0][0] is _OP.NEGATE
    return every & ~found if negated else found


def _inside(char: str, item: Any, flags: int) -> bool:
    kind, value = item
    forms = {char, char.lower(), char.upper()} if flags & RegexFlag.IGNORECASE else {char}
    codes = [ord(form) for form in forms if len(form) == 1]
    if kind is _OP.LITERAL:
        return value in codes or (len(codes) > 1 and ord(chr(value).lower()[0]) in codes)
    if kind is _OP.RANGE:
        return any(value[0] <= code <= value[1] for code in codes)
    return kind is _OP.CATEGORY and _in_category(char, value, flags)


def _in_category(char: str, category: Any, flags: int) -> bool:
    plain = not flags & RegexFlag.ASCII or char.isascii()
    kinds: dict[Any, bool] = {
        _OP.CATEGORY_WORD: plain and (char.isalnum() or char == "_"),
        _OP.CATEGORY_DIGIT: plain and char.isdecimal(),
        _OP.CATEGORY_SPACE: plain and char.isspace(),
    }
    opposite: dict[Any, Any] = {
        _OP.CATEGORY_NOT_WORD: _OP.CATEGORY_WORD,
        _OP.CATEGORY_NOT_DIGIT: _OP.CATEGORY_DIGIT,
        _OP.CATEGORY_NOT_SPACE: _OP.CATEGORY_SPACE,
    }
    return not kinds[opposite[category]] if category in opposite else kinds[category]


def _bound(most: int) -> int | None:
    return int(most) if most < _OP.MAXREPEAT else None
