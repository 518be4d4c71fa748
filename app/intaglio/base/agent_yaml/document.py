"""Reads YAML into nodes that know where they stand in the text.

Built from the parser's events, so that aliases aren't expanded and deep nesting can't overflow the
stack. Nothing is constructed: a node is compared by its tag and its text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

import yaml

from intaglio.base.agent_yaml.problems import BrokenFileError, FileProblem
from intaglio.base.text import clip

MAX_BYTES: Final = 1_000_000
BOM: Final = "\ufeff"
NULL: Final = "tag:yaml.org,2002:null"
TEXT: Final = "tag:yaml.org,2002:str"
MERGE: Final = "tag:yaml.org,2002:merge"

_MAX_DEPTH: Final = 64
# Merge keys within merge keys copy what they refer to again and again.
_MAX_MERGED: Final = 10_000
_EXCERPT_CHARS: Final = 200
_BREAK: Final = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_UNREADABLE: Final = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
# The parser in C is fifty times as fast; both report the same events.
_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True, eq=False)
class Node:
    """A node of the document: ``text[start:end]``, with its anchor and tag.

    ``text`` is a scalar's value or an alias's name. The children of a mapping are its keys and
    values in turn. ``style`` is "flow" or "block" for collections, and the quote or indicator of a
    scalar, empty for a plain one. The end of a block collection is that of the next token; use
    `content_end`.
    """

    kind: Literal["scalar", "mapping", "sequence", "alias"]
    start: int
    end: int
    line: int
    column: int
    tag: str = ""
    text: str = ""
    style: str = ""
    anchor: str = ""
    children: list["Node"] = field(default_factory=list["Node"])

    @property
    def pairs(self) -> Iterator[tuple["Node", "Node"]]:
        """The keys of a mapping with their values."""
        return zip(self.children[::2], self.children[1::2], strict=True)

    @property
    def is_null(self) -> bool:
        """Whether it has no value, written or not."""
        return self.kind == "scalar" and self.tag == NULL

    @property
    def is_empty(self) -> bool:
        """Whether nothing is written where its value would be."""
        return self.is_null and self.start == self.end


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed text, without its byte order mark; ``root`` is None if it holds nothing."""

    text: str
    root: Node | None
    aliased: frozenset[str]

    def problem(self, message: str, node: Node | None = None) -> FileProblem:
        """Return a problem at a node."""
        if node is None:
            return FileProblem(message)
        return FileProblem(message, node.line + 1, node.column + 1, line_at(self.text, node.start))


def line_at(text: str, index: int) -> str:
    """Return the line that contains a position, clipped."""
    start = line_start(text, index)
    return clip(text[start : line_end(text, index)], _EXCERPT_CHARS)


def line_start(text: str, index: int) -> int:
    """Return where the line of a position starts."""
    return max(text.rfind(each, 0, index) for each in "\n\r\x85\u2028\u2029") + 1


def line_end(text: str, index: int) -> int:
    """Return where the line of a position ends, before its line break."""
    found = _BREAK.search(text, index)
    return len(text) if found is None else found.start()


def after_line(text: str, index: int) -> int:
    """Return where the next line starts."""
    found = _BREAK.search(text, index)
    return len(text) if found is None else found.end()


def first_break(text: str, default: str = "\n") -> str:
    """Return the first line break of a text."""
    found = _BREAK.search(text)
    return default if found is None else found[0]


def decode(data: bytes) -> str:
    """Decode a file; raises BrokenFileError if it is too large or isn't UTF-8."""
    if len(data) > MAX_BYTES:
        raise BrokenFileError(FileProblem("is larger than 1 MB"))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        line, column = _place(before, len(before))
        excerpt = line_at(data.decode("utf-8", "replace"), len(before))
        raise BrokenFileError(
            FileProblem("isn't UTF-8 text; save it as UTF-8", line, column, excerpt)
        ) from error


def _place(text: str, index: int) -> tuple[int, int]:
    line = sum(1 for _ in _BREAK.finditer(text, 0, index)) + 1
    return line, index - line_start(text, index) + 1


def parse(text: str) -> Document:
    """Parse a text that has no byte order mark.

    Raises BrokenFileError for anything that isn't one document of YAML.
    """
    bad = _UNREADABLE.search(text)
    if bad is not None:
        line, column = _place(text, bad.start())
        message = f"contains the control character {bad[0]!a}"
        raise BrokenFileError(FileProblem(message, line, column))
    try:
        root, aliased = _build(text)
    except yaml.MarkedYAMLError as error:
        raise BrokenFileError(_parse_problem(text, error)) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BrokenFileError(FileProblem(f"isn't YAML: {error}")) from error
    return Document(text, root, frozenset(aliased))


def load_tree(document: Document) -> Mapping[str, object]:
    """Return what a document says as plain values.

    Raises BrokenFileError where that isn't keys and values, such as for a day that there isn't.
    """
    root = document.root
    if root is not None and not root.is_null and root.kind != "mapping":
        raise BrokenFileError(document.problem("must contain keys and values", root))
    try:
        # Safe: it makes plain values only, and `parse` has bounded their depth and number.
        tree: object = yaml.load(document.text, Loader=_LOADER)  # noqa: S506
    except yaml.MarkedYAMLError as error:
        raise BrokenFileError(_parse_problem(document.text, error)) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BrokenFileError(FileProblem(f"isn't YAML: {error}")) from error
    if tree is None:
        return {}
    if not isinstance(tree, dict):
        raise BrokenFileError(FileProblem("must contain keys and values"))
    return cast("Mapping[str, object]", tree)


def _parse_problem(text: str, error: yaml.MarkedYAMLError) -> FileProblem:
    mark = error.problem_mark or error.context_mark
    said = error.problem or error.context or "isn't YAML"
    if "\\t" in said or (mark is not None and text[mark.index : mark.index + 1] == "\t"):
        said = f"{said}; YAML is indented by spaces, not tabs"
    if mark is None:
        return FileProblem(said)
    index = min(mark.index, len(text))
    return FileProblem(said, mark.line + 1, mark.column + 1, line_at(text, index))


def _build(text: str) -> tuple[Node | None, set[str]]:
    """Build the nodes of the only document, and list the anchors that aliases refer to."""
    resolver = yaml.resolver.Resolver()
    roots: list[Node] = []
    open_nodes: list[Node] = []
    aliased, anchors = set[str](), set[str]()
    merges = _MergedPairs()
    for event in yaml.parse(text, Loader=_LOADER):
        node = _node_of(event, resolver)
        if node is None:
            if isinstance(event, yaml.CollectionEndEvent):
                closed = open_nodes.pop()
                closed.end = _index(event.end_mark)
                merges.add(closed)
            continue
        if node.anchor:
            anchors.add(node.anchor)
        if node.kind == "alias":
            aliased.add(node.text)
            if node.text not in anchors:
                message = f"has an undefined alias *{node.text}"
                raise BrokenFileError(FileProblem(message, node.line + 1, node.column + 1))
        (open_nodes[-1].children if open_nodes else roots).append(node)
        if len(roots) > 1:
            raise BrokenFileError(
                FileProblem("has more than one document", node.line + 1, node.column + 1)
            )
        if node.kind in {"mapping", "sequence"}:
            open_nodes.append(node)
            if len(open_nodes) > _MAX_DEPTH:
                message = f"is nested more than {_MAX_DEPTH} levels deep"
                raise BrokenFileError(FileProblem(message, node.line + 1, node.column + 1))
    return (roots[0] if roots else None), aliased


@dataclass(slots=True)
class _MergedPairs:
    """Counts the pairs that merge keys copy, as nodes are closed."""

    all: int = 0
    by_anchor: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, node: Node) -> None:
        """Count the pairs of a mapping or sequence; raises BrokenFileError for too many."""
        merged = self._merged(node)
        self.all += merged
        if self.all > _MAX_MERGED:
            message = f"merges more than {_MAX_MERGED:,} keys by <<"
            raise BrokenFileError(FileProblem(message, node.line + 1, node.column + 1))
        if node.anchor:
            self.by_anchor[node.anchor] = self._pairs(node)

    def _merged(self, node: Node) -> int:
        if node.kind != "mapping":
            return 0
        return sum(self._pairs(value) for key, value in node.pairs if key.tag == MERGE)

    def _pairs(self, node: Node) -> int:
        """Return how many pairs a merge of this node copies."""
        match node.kind:
            case "alias":
                # One within itself isn't closed yet; loading it is refused.
                return self.by_anchor.get(node.text, 0)
            case "sequence":
                return sum(self._pairs(each) for each in node.children)
            case "mapping":
                return len(node.children) // 2 + self._merged(node)
            case "scalar":
                return 0


def _index(mark: Any) -> int:  # noqa: ANN401 - the parser gives every event its marks
    return int(mark.index)


def _node_of(event: Any, resolver: Any) -> Node | None:  # noqa: ANN401 - both are untyped upstream
    start, end = event.start_mark, event.end_mark
    match event:
        case yaml.AliasEvent():
            kind: Literal["scalar", "mapping", "sequence", "alias"] = "alias"
            return Node(
                kind, start.index, end.index, start.line, start.column, text=event.anchor or ""
            )
        case yaml.ScalarEvent():
            tag = event.tag
            if not tag or tag == "!":
                tag = resolver.resolve(yaml.ScalarNode, event.value, event.implicit)
            kind, text, style = "scalar", event.value, event.style or ""
        case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
            kind = "mapping" if isinstance(event, yaml.MappingStartEvent) else "sequence"
            tag, text = event.tag or "", ""
            style = "flow" if event.flow_style else "block"
        case _:
            return None
    return Node(
        *(kind, start.index, end.index, start.line, start.column),
        *(tag, text, style, event.anchor or ""),
    )


def content_end(text: str, node: Node) -> int:
    """Return where the last thing that is written of a node ends."""
    while node.kind in {"mapping", "sequence"} and node.style == "block" and node.children:
        node = node.children[-1]
    if node.style in {"|", ">"}:
        return node.start + len(text[node.start : node.end].rstrip())
    return node.end
