"""Changes one key of a YAML text in place: everything else stays as it is, byte for byte.

The place is found by the parser's marks, the text is spliced, and the result is parsed again: if
it doesn't say the same as before but for that key, nothing is changed and the reason is given.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.agent_yaml.comparison import differs_only_at
from intaglio.base.agent_yaml.document import (
    BOM,
    MERGE,
    TEXT,
    Document,
    Node,
    after_line,
    content_end,
    first_break,
    line_end,
    line_start,
    parse,
)
from intaglio.base.agent_yaml.problems import BrokenFileError, UneditableError
from intaglio.base.agent_yaml.scalars import ScalarValue, write_scalar

_INDENT: Final = 2
_BLANK: Final = re.compile(r"[ \t]*(?:#.*)?")
_HEADER_COMMENT: Final = re.compile("[|>][0-9+-]*([ \t]+#[^\n\r\x85\u2028\u2029]*)")
_COMMENT_LINE: Final = re.compile(r"( *)#")
_KEY_ONLY: Final = re.compile(r"[ \t]*:[ \t]*")
_COMMA: Final = re.compile(r"[ \t]*,[ \t]*")
_BEFORE_LAST: Final = re.compile(r"[\s]*,[\s]*")


@dataclass(frozen=True, slots=True)
class _Splice:
    """A replacement of ``text[start:end]``."""

    start: int
    end: int
    new: str

    def apply(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]


@dataclass(frozen=True, slots=True)
class _Path:
    """How far a path leads: the pairs on it, and the node that the rest is missing in.

    ``rest`` is empty if the whole path is there; then the last of ``pairs`` is the key's.
    """

    mappings: tuple[Node, ...]
    pairs: tuple[tuple[Node, Node], ...]
    rest: tuple[str, ...]


def set_value(text: str, path: Sequence[str], value: ScalarValue) -> str:
    """Return the text with this value at a path of keys; missing sections are added.

    Raises BrokenFileError if the text isn't YAML, and UneditableError if this can't be done
    without changing anything else.
    """
    bom, document = _parsed(text)
    found = _follow(document, path)
    new = _first_faithful(document, _settings_of(document, found, value), path, value)
    return bom + new


def remove_value(text: str, path: Sequence[str]) -> str:
    """Return the text without the key, and without the sections that nothing else is in.

    A section with comments stays. The errors are those of `set_value`.
    """
    bom, document = _parsed(text)
    found = _follow(document, path)
    if found.rest:
        return text
    if found.pairs[-1][1].kind == "mapping" and found.pairs[-1][1].children:
        raise UneditableError(
            document.problem(f"{'.'.join(path)} is a section", found.pairs[-1][0])
        )
    return bom + _first_faithful(document, _removals(document, found), path, None)


def has_key(document: Document, path: Sequence[str]) -> Node | None:
    """Return the value at a path of keys, of the last key if it occurs twice; None if none."""
    node = document.root
    for part in path:
        if node is None or node.kind != "mapping":
            return None
        node = next((value for key, value in reversed([*node.pairs]) if _is_key(key, part)), None)
    return node


def _parsed(text: str) -> tuple[str, Document]:
    bom = BOM if text.startswith(BOM) else ""
    return bom, parse(text.removeprefix(BOM))


def _is_key(node: Node, name: str) -> bool:
    return node.kind == "scalar" and node.tag == TEXT and node.text == name


def _follow(document: Document, path: Sequence[str]) -> _Path:
    """Follow a path as far as it leads; raises UneditableError where it can't be followed."""
    mappings: list[Node] = []
    pairs: list[tuple[Node, Node]] = []
    node = document.root
    for depth, part in enumerate(path):
        where = ".".join(path[:depth]) or "the file"
        if node is not None:
            _refuse_shared(document, node, where)
        if node is None or node.is_null:
            return _Path(tuple(mappings), tuple(pairs), tuple(path[depth:]))
        if node.kind != "mapping":
            kind = "a list" if node.kind == "sequence" else "a single value"
            message = f"{where} is {kind} where keys and values belong"
            raise UneditableError(document.problem(message, node))
        mappings.append(node)
        same = [pair for pair in node.pairs if _is_key(pair[0], part)]
        if len(same) > 1:
            message = f"{'.'.join(path[: depth + 1])} is there twice"
            raise UneditableError(document.problem(message, same[1][0]))
        merged = next((key for key, _ in node.pairs if key.tag == MERGE), None)
        if merged is not None:
            message = f"{where} takes values over by a merge key (<<)"
            raise UneditableError(document.problem(message, merged))
        if not same:
            return _Path(tuple(mappings), tuple(pairs), tuple(path[depth:]))
        pairs.append(same[0])
        node = same[0][1]
    if node is not None:
        _refuse_shared(document, node, ".".join(path))
    return _Path(tuple(mappings), tuple(pairs), ())


def _refuse_shared(document: Document, node: Node, where: str) -> None:
    if node.kind == "alias":
        message = f"{where} is an alias (*{node.text}) of another value"
        raise UneditableError(document.problem(message, node))
    if node.anchor in document.aliased:
        message = f"{where} has an anchor (&{node.anchor}) that other values use"
        raise UneditableError(document.problem(message, node))


def _first_faithful(
    document: Document, splices: Iterator[_Splice], path: Sequence[str], value: ScalarValue | None
) -> str:
    """Return the text after the first splice that changes nothing but the key."""
    for splice in splices:
        new = splice.apply(document.text)
        try:
            after = parse(new)
        except BrokenFileError:
            continue
        if differs_only_at(document.root, after.root, path, value):
            return new
    found = _nearest(document, path)
    message = f"{'.'.join(path)} can't be changed here without changing more than it"
    raise UneditableError(document.problem(message, found))


def _nearest(document: Document, path: Sequence[str]) -> Node | None:
    nodes = [has_key(document, path[:length]) for length in range(len(path), -1, -1)]
    return next((node for node in nodes if node is not None), None)


# Setting


def _settings_of(document: Document, found: _Path, value: ScalarValue) -> Iterator[_Splice]:
    if not found.rest:
        yield from _replacements(document, found, value)
        return
    is_null = bool(found.pairs) and len(found.pairs) == len(found.mappings)
    heading = found.pairs[-1] if is_null else None
    if not found.mappings:
        yield from _into_nothing(document, found.rest, value)
    elif heading is not None:
        yield from _below_heading(document, found, heading, value)
    elif found.mappings[-1].style == "flow":
        yield _into_flow(document.text, found.mappings[-1], found.rest, value)
    else:
        yield from _into_block(document, found.mappings[-1], found.rest, value)


def _replacements(document: Document, found: _Path, value: ScalarValue) -> Iterator[_Splice]:
    node = found.pairs[-1][1]
    if node.kind != "scalar":
        kind = "a list" if node.kind == "sequence" else "a section"
        message = f"{found.pairs[-1][0].text} is {kind}, not a single value"
        raise UneditableError(document.problem(message, node))
    quote = node.style if node.style in {"'", '"'} else ""
    written = write_scalar(value, quote)
    if node.anchor:
        written = f"&{node.anchor} {written}"
    if node.is_empty:
        space = "" if document.text[node.start - 1 : node.start].isspace() else " "
        yield _Splice(node.start, node.end, f"{space}{written}")
        # In flow style, a key may stand without its colon.
        yield _Splice(node.start, node.end, f": {written}")
        return
    block = node.style in {"|", ">"}
    if block:
        header = _HEADER_COMMENT.match(document.text, node.start)
        written += header[1] if header else ""
    yield _Splice(node.start, content_end(document.text, node) if block else node.end, written)


def _into_nothing(document: Document, rest: Sequence[str], value: ScalarValue) -> Iterator[_Splice]:
    """Add the first key of a file that holds at most comments."""
    text = document.text
    lines = _nested_lines(rest, value, "", _INDENT, "")
    newline = first_break(text)
    if document.root is not None and not document.root.is_empty:
        # An explicit null.
        flow = _flow_pair(rest, value, "")
        yield _Splice(document.root.start, document.root.end, f"{{{flow}}}")
        return
    if text and not text.endswith(("\n", "\r")):
        yield _Splice(len(text), len(text), newline + newline.join(lines))
    yield _Splice(len(text), len(text), newline.join(lines) + newline)


def _below_heading(
    document: Document, found: _Path, heading: tuple[Node, Node], value: ScalarValue
) -> Iterator[_Splice]:
    """Add to a section of which only the heading is there."""
    key, null = heading
    parent = found.mappings[-1]
    if parent.style == "flow" or not null.is_empty:
        anchor = f"&{null.anchor} " if null.anchor else ""
        space = " " if null.is_empty else ""
        flow = _flow_pair(found.rest, value, key.style)
        yield _Splice(null.start, null.end, f"{space}{anchor}{{{flow}}}")
        return
    step = _indent_step(document.root)
    prefix = " " * (key.column + step)
    lines = _nested_lines(found.rest, value, prefix, step, key.style)
    yield _insert_below(document.text, null.end, lines)


def _into_block(
    document: Document, mapping: Node, rest: Sequence[str], value: ScalarValue
) -> Iterator[_Splice]:
    """Add a pair to a section: behind its last one, or else in front of its first."""
    text = document.text
    first = mapping.children[0]
    prefix = _prefix(text, first)
    lines = _nested_lines(rest, value, prefix, _indent_step(document.root), first.style)
    end = content_end(text, mapping)
    yield _insert_below(text, _past_comments(text, end, mapping.column), lines)
    yield _insert_below(text, end, lines)
    start = line_start(text, first.start)
    newline = first_break(text)
    yield _Splice(start, start, newline.join(lines) + newline)


def _into_flow(text: str, mapping: Node, rest: Sequence[str], value: ScalarValue) -> _Splice:
    style = mapping.children[0].style if mapping.children else ""
    pair = _flow_pair(rest, value, style)
    if not mapping.children:
        start = text.rindex("{", mapping.start, mapping.end) + 1
        return _Splice(start, start, pair)
    last = mapping.children[-1].end
    return _Splice(last, last, f", {pair}")


def _flow_pair(rest: Sequence[str], value: ScalarValue, style: str) -> str:
    written = write_scalar(value)
    for depth, name in enumerate(reversed(rest)):
        written = f"{write_scalar(name, style)}: {f'{{{written}}}' if depth else written}"
    return written


def _nested_lines(
    rest: Sequence[str], value: ScalarValue, prefix: str, step: int, style: str
) -> list[str]:
    keys = [
        f"{prefix}{' ' * (depth * step)}{write_scalar(name, style)}:"
        for depth, name in enumerate(rest)
    ]
    return [*keys[:-1], f"{keys[-1]} {write_scalar(value)}"]


def _insert_below(text: str, index: int, lines: Sequence[str]) -> _Splice:
    """Insert lines below the one of a position, with its line break."""
    end, after = line_end(text, index), after_line(text, index)
    newline = text[end:after]
    if newline:
        return _Splice(after, after, newline.join(lines) + newline)
    newline = first_break(text)
    return _Splice(end, end, newline + newline.join(lines))


def _past_comments(text: str, index: int, column: int) -> int:
    """Return the last line of the comments below a position that are indented further."""
    while True:
        after = after_line(text, index)
        found = _COMMENT_LINE.match(text, after)
        if found is None or len(found[1]) <= column or after == len(text):
            return index
        index = after


def _prefix(text: str, first: Node) -> str:
    before = text[line_start(text, first.start) : first.start]
    return before if before.isspace() else " " * first.column


def _indent_step(root: Node | None) -> int:
    """Return by how much the first nested section is indented."""
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        for _, value in node.pairs if node.kind == "mapping" else ():
            if value.kind == "mapping" and value.style == "block":
                if value.column > node.column:
                    return value.column - node.column
                waiting.append(value)
    return _INDENT


# Removing


def _removals(document: Document, found: _Path) -> Iterator[_Splice]:
    if found.mappings[-1].style == "flow":
        yield from _out_of_flow(document.text, found.mappings[-1], found.pairs[-1])
        return
    for depth in range(len(found.pairs)):
        # From the outermost section that nothing else is in, to the key itself.
        if _is_alone(document, found, depth):
            yield from _lines_of(document.text, found.pairs[depth], found.pairs[-1])


def _is_alone(document: Document, found: _Path, depth: int) -> bool:
    """Whether a section on the path holds the key and nothing else, not even a comment."""
    text = document.text
    for (key, value), (inner, _) in zip(
        found.pairs[depth:], found.pairs[depth + 1 :], strict=False
    ):
        between = text[key.end : line_start(text, inner.start)]
        if len(value.children) > 2 or value.anchor or _KEY_ONLY.fullmatch(between.strip()) is None:  # noqa: PLR2004 - one pair
            return False
    end = content_end(text, found.pairs[-1][1])
    is_section = depth < len(found.pairs) - 1
    return not is_section or _past_comments(text, end, found.pairs[depth][0].column) == end


def _lines_of(text: str, first: tuple[Node, Node], last: tuple[Node, Node]) -> Iterator[_Splice]:
    """Take out the lines from a key to the value of another, if nothing else is on them."""
    start, end = line_start(text, first[0].start), content_end(text, last[1])
    rest = text[end : line_end(text, end)]
    if text[start : first[0].start].strip(" ") or _BLANK.fullmatch(rest) is None:
        return
    after = after_line(text, end)
    if after == len(text) and line_end(text, end) == after:
        # The file ends without a line break, and still does.
        start = _before_break(text, start)
    yield _Splice(start, after, "")


def _before_break(text: str, start: int) -> int:
    if text[max(0, start - 2) : start] == "\r\n":
        return start - 2
    return max(0, start - 1)


def _out_of_flow(text: str, mapping: Node, pair: tuple[Node, Node]) -> Iterator[_Splice]:
    key, value = pair
    position = mapping.children.index(key)
    comma = _COMMA.match(text, value.end)
    if comma is not None:
        yield _whole_line(text, _Splice(key.start, comma.end(), ""))
    elif position:
        before = mapping.children[position - 1].end
        if _BEFORE_LAST.fullmatch(text, before, key.start):
            yield _Splice(before, value.end, "")
    yield _whole_line(text, _Splice(key.start, value.end, ""))


def _whole_line(text: str, splice: _Splice) -> _Splice:
    """Take the line out too if nothing is left on it."""
    start, end = line_start(text, splice.start), line_end(text, splice.end)
    if text[start : splice.start].strip() or text[splice.end : end].strip():
        return splice
    return _Splice(start, after_line(text, splice.end), "")
