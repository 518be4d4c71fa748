"""Odd files of YAML: what a change of one key does to the lines of each, or why it is refused."""

from dataclasses import dataclass
from typing import Final, TypeAlias

Value: TypeAlias = bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class OddFile:
    """A text, a change in it (None removes the key), and the lines that go and come."""

    text: str
    key: str
    value: Value
    goes: tuple[str, ...] = ()
    comes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file in which a change is refused: with what reason, and at which line."""

    data: bytes
    key: str
    value: Value
    reason: str
    line: int | None


def _(text: str, key: str, value: Value, goes: str = "", comes: str = "") -> OddFile:
    return OddFile(
        text,
        key,
        value,
        tuple(filter(None, goes.split("\n"))),
        tuple(filter(None, comes.split("\n"))),
    )


def _not(text: str | bytes, key: str, value: Value, reason: str, line: int | None) -> RefusedFile:
    data = text if isinstance(text, bytes) else text.encode()
    return RefusedFile(data, key, value, reason, line)


_COMMENTED: Final = """\
# The top.

search: # of recall
    # Half and half.
    alpha: 0.5   # alpha
    #min_score: 0.1

    # A gap above.
    without: ''  # nothing
      # indented further
# Before the next section.
memory:
    decay_rate: 0.9 # slow

    pipelineV2: # old name
        graph: # of entities
            enabled: true
# The end.
"""
_FLOW: Final = """\
search: {alpha: 0.5, min_score: 0.2} # flow
memory: {pipelineV2: {graph: {enabled: true}}}
empty: {}
spaced: { }
multi: {
  one: 1, # first
  two: 2
}
trailing: {one: 1,}
"""
_QUOTED: Final = """\
"search":
  "alpha": "0.5"
  'without': 'it''s'
"embedding": {"model": "a", 'base_url': "b"}
"""
_BLOCKS: Final = """\
literal: |
  # not a comment
  key: not a key

folded: >-  # header
  some
  words

kept: |+
  end

plain: some words
  go on
double: "some \\
  words"
nested:
  last: |
    text
after: 1
"""
_DOCUMENT: Final = """\
%YAML 1.1
---
# Below the marker.
search:
  alpha: 0.5
...
"""
_ANCHORS: Final = """\
base: &base
  one: 1
other: &unused
  two: 2
lone: &lone 3
copy: *base
list: [*lone, 4]
search:
  alpha: 0.5
"""
_UNICODE: Final = """\
# Größe: 日本語 🎉
entwürfe:
  größe: 'ß' # 日本
search:
  alpha: 0.5 # → 🎉
"""
_TABS: Final = "search:\n  alpha:\t0.5\t# tab\n  list: [1,\t2]\n"
_DEEP: Final = (
    "".join(f"{'  ' * depth}k{depth}:\n" for depth in range(30)) + f"{'  ' * 30}last: 1\n"
)
_LISTS: Final = """\
agents:
  roster:
  - id: one
    search:
      alpha: 1
  - two
harnesses: [a, b]
search:
- not
- this
hooks:
  sessionStart:
    recallLimit: 5
"""
_ODD_KEYS: Final = """\
1: one
true: yes
null: nothing
? explicit
: value
[a, b]: list
? {c: d}
: map
search.alpha: dotted
search:
  alpha: 0.5
  y: 1
"""
_INDENTS: Final = "one:\n   a: 1\n   b:\n     c: 2\ntwo:\n a: 1\n"
_MOVED: Final = "pipelineV2:\n  graph:\n    enabled: true\nmemory:\n  decay_rate: 0.9\n"

CHANGED: Final = (
    # Comments everywhere.
    _(_COMMENTED, "search.alpha", 0.25, "    alpha: 0.5   # alpha", "    alpha: 0.25   # alpha"),
    _(
        _COMMENTED,
        "search.without",
        "x",
        "    without: ''  # nothing",
        "    without: 'x'  # nothing",
    ),
    _(_COMMENTED, "search.min_score", 0.1, "", "    min_score: 0.1"),
    _(_COMMENTED, "memory.decay_rate", 1, "    decay_rate: 0.9 # slow", "    decay_rate: 1 # slow"),
    _(
        _COMMENTED,
        "memory.pipelineV2.graph.enabled",
        False,
        "            enabled: true",
        "            enabled: false",
    ),
    _(_COMMENTED, "memory.pipelineV2.graph.more", 3, "", "            more: 3"),
    _(_COMMENTED, "memory.pipelineV2.new.one", 3, "", "        new:\n            one: 3"),
    _(_COMMENTED, "backup.keep", 3, "", "backup:\n    keep: 3"),
    _(_COMMENTED, "search.alpha", None, "    alpha: 0.5   # alpha"),
    _(_COMMENTED, "memory.pipelineV2.graph.enabled", None, "            enabled: true"),
    _(_COMMENTED, "search.none", None),
    # Flow style.
    _(
        _FLOW,
        "search.alpha",
        0.25,
        "search: {alpha: 0.5, min_score: 0.2} # flow",
        "search: {alpha: 0.25, min_score: 0.2} # flow",
    ),
    _(
        _FLOW,
        "search.new",
        "a, b",
        "search: {alpha: 0.5, min_score: 0.2} # flow",
        'search: {alpha: 0.5, min_score: 0.2, new: "a, b"} # flow',
    ),
    _(
        _FLOW,
        "search.alpha",
        None,
        "search: {alpha: 0.5, min_score: 0.2} # flow",
        "search: {min_score: 0.2} # flow",
    ),
    _(
        _FLOW,
        "search.min_score",
        None,
        "search: {alpha: 0.5, min_score: 0.2} # flow",
        "search: {alpha: 0.5} # flow",
    ),
    _(
        _FLOW,
        "memory.pipelineV2.graph.enabled",
        False,
        "memory: {pipelineV2: {graph: {enabled: true}}}",
        "memory: {pipelineV2: {graph: {enabled: false}}}",
    ),
    _(
        _FLOW,
        "memory.pipelineV2.graph.enabled",
        None,
        "memory: {pipelineV2: {graph: {enabled: true}}}",
        "memory: {pipelineV2: {graph: {}}}",
    ),
    _(
        _FLOW,
        "memory.pipelineV2.a.b",
        1,
        "memory: {pipelineV2: {graph: {enabled: true}}}",
        "memory: {pipelineV2: {graph: {enabled: true}, a: {b: 1}}}",
    ),
    _(_FLOW, "empty.a.b", 1, "empty: {}", "empty: {a: {b: 1}}"),
    _(_FLOW, "spaced.a", 1, "spaced: { }", "spaced: {a: 1 }"),
    _(_FLOW, "multi.one", 5, "  one: 1, # first", "  one: 5, # first"),
    _(_FLOW, "multi.three", 3, "  two: 2", "  two: 2, three: 3"),
    _(_FLOW, "multi.two", None, "  two: 2"),
    _(_FLOW, "multi.one", None, "  one: 1, # first", "  # first"),
    _(_FLOW, "trailing.two", 2, "trailing: {one: 1,}", "trailing: {one: 1, two: 2,}"),
    _(_FLOW, "trailing.one", None, "trailing: {one: 1,}", "trailing: {}"),
    _('{"a": {"b": 1}}\n', "a.c", "x", '{"a": {"b": 1}}', '{"a": {"b": 1, "c": x}}'),
    _("{a: 1\n, b: 2}\n", "b", 3, ", b: 2}", ", b: 3}"),
    _("--- {a: 1}\n", "b", 2, "--- {a: 1}", "--- {a: 1, b: 2}"),
    # Quotes.
    _(_QUOTED, "search.alpha", 0.25, '  "alpha": "0.5"', '  "alpha": 0.25'),
    _(_QUOTED, "search.alpha", "off", '  "alpha": "0.5"', '  "alpha": "off"'),
    _(_QUOTED, "search.without", "don't", "  'without': 'it''s'", "  'without': 'don''t'"),
    _(_QUOTED, "search.new", 1, "", '  "new": 1'),
    _(
        _QUOTED,
        "embedding.model",
        'say "b"',
        '"embedding": {"model": "a", \'base_url\': "b"}',
        '"embedding": {"model": "say \\"b\\"", \'base_url\': "b"}',
    ),
    _(_QUOTED, "new.key", 1, "", '"new":\n  "key": 1'),
    # Types never change.
    _("a: x\n", "a", "off", "a: x", 'a: "off"'),
    _("a: x\n", "a", "on", "a: x", 'a: "on"'),
    _("a: x\n", "a", "NO", "a: x", 'a: "NO"'),
    _("a: x\n", "a", "y", "a: x", 'a: "y"'),
    _("a: x\n", "a", "null", "a: x", 'a: "null"'),
    _("a: x\n", "a", "~", "a: x", 'a: "~"'),
    _("a: x\n", "a", "", "a: x", 'a: ""'),
    _("a: x\n", "a", "7", "a: x", 'a: "7"'),
    _("a: x\n", "a", "1_000", "a: x", 'a: "1_000"'),
    _("a: x\n", "a", "0x1f", "a: x", 'a: "0x1f"'),
    _("a: x\n", "a", "1e3", "a: x", 'a: "1e3"'),
    _("a: x\n", "a", ".5", "a: x", 'a: ".5"'),
    _("a: x\n", "a", ".inf", "a: x", 'a: ".inf"'),
    _("a: x\n", "a", "12:30", "a: x", 'a: "12:30"'),
    _("a: x\n", "a", "2026-01-31", "a: x", 'a: "2026-01-31"'),
    _("a: x\n", "a", "=", "a: x", 'a: "="'),
    _("a: x\n", "a", "<<", "a: x", 'a: "<<"'),
    _("a: x\n", "a", "- b", "a: x", 'a: "- b"'),
    _("a: x\n", "a", "b: c", "a: x", 'a: "b: c"'),
    _("a: x\n", "a", "b #c", "a: x", 'a: "b #c"'),
    _("a: x\n", "a", "&b", "a: x", 'a: "&b"'),
    _("a: x\n", "a", "*b", "a: x", 'a: "*b"'),
    _("a: x\n", "a", "!b", "a: x", 'a: "!b"'),
    _("a: x\n", "a", "@b", "a: x", 'a: "@b"'),
    _("a: x\n", "a", "%b", "a: x", 'a: "%b"'),
    _("a: x\n", "a", "---", "a: x", 'a: "---"'),
    _("a: x\n", "a", " b ", "a: x", 'a: " b "'),
    _("a: x\n", "a", "b\nc: d", "a: x", 'a: "b\\nc: d"'),
    _("a: x\n", "a", "b\u2028c\x85d\x07", "a: x", 'a: "b\\u2028c\\u0085d\\u0007"'),
    _("a: x\n", "a", "C:\\new", "a: x", 'a: "C:\\\\new"'),
    _("a: x\n", "a", "http://127.0.0.1:11434/v1?x=1", "a: x", 'a: "http://127.0.0.1:11434/v1?x=1"'),
    _("a: x\n", "a", "http://127.0.0.1:11434", "a: x", "a: http://127.0.0.1:11434"),
    _("a: x\n", "a", "nomic-embed-text:v1.5", "a: x", "a: nomic-embed-text:v1.5"),
    _("a: x\n", "a", "größer 日本", "a: x", "a: größer 日本"),
    _("a: x\n", "a", "🎉", "a: x", 'a: "🎉"'),
    _("a: x\n", "a", 1e-7, "a: x", "a: 1.0e-07"),
    _("a: x\n", "a", 1e22, "a: x", "a: 1.0e+22"),
    _("a: x\n", "a", 3.0, "a: x", "a: 3.0"),
    _("a: x\n", "a", -0.5, "a: x", "a: -0.5"),
    _("a: x\n", "a", True, "a: x", "a: true"),
    _("a: yes\n", "a", False, "a: yes", "a: false"),
    # Blocks and values over several lines.
    _(_BLOCKS, "literal", "x", "literal: |\n  # not a comment\n  key: not a key", "literal: x"),
    _(_BLOCKS, "folded", 1, "folded: >-  # header\n  some\n  words", "folded: 1  # header"),
    _(_BLOCKS, "plain", "x", "plain: some words\n  go on", "plain: x"),
    _(_BLOCKS, "double", "x", 'double: "some \\\n  words"', 'double: "x"'),
    _(_BLOCKS, "nested.more", 1, "", "  more: 1"),
    _(_BLOCKS, "nested.last", None, "nested:\n  last: |\n    text"),
    _(_BLOCKS, "literal", None, "literal: |\n  # not a comment\n  key: not a key"),
    _(_BLOCKS, "after", 2, "after: 1", "after: 2"),
    _("a: |+\n  x\n\n", "b", 1, "", "b: 1"),
    _("a: >\n  x\n\n", "b", 1, "", "b: 1"),
    # Markers.
    _(_DOCUMENT, "search.alpha", 1, "  alpha: 0.5", "  alpha: 1"),
    _(_DOCUMENT, "search.new", 1, "", "  new: 1"),
    _(_DOCUMENT, "new.key", 1, "", "new:\n  key: 1"),
    _(_DOCUMENT, "search.alpha", None, "search:\n  alpha: 0.5"),
    _("---\n", "a.b", 1, "", "a:\n  b: 1"),
    _("--- # here\n", "a.b", 1, "", "a:\n  b: 1"),
    # Anchors that stand elsewhere, or that nothing refers to.
    _(_ANCHORS, "search.alpha", 1, "  alpha: 0.5", "  alpha: 1"),
    _(_ANCHORS, "other.two", 3, "  two: 2", "  two: 3"),
    _(_ANCHORS, "new", 3, "", "new: 3"),
    _("a: &x 1\n", "a", 2, "a: &x 1", "a: &x 2"),
    _("a: !!str 1\n", "a", "2", "a: !!str 1", 'a: "2"'),
    # Other alphabets, tabs between tokens, depth, indentation.
    _(_UNICODE, "search.alpha", 1, "  alpha: 0.5 # → 🎉", "  alpha: 1 # → 🎉"),
    _(_UNICODE, "entwürfe.größe", "é", "  größe: 'ß' # 日本", "  größe: 'é' # 日本"),
    _(_UNICODE, "entwürfe.höhe", 1, "", "  höhe: 1"),
    _(_TABS, "search.alpha", 1, "  alpha:\t0.5\t# tab", "  alpha:\t1\t# tab"),
    _(_TABS, "search.new", 1, "", "  new: 1"),
    _(
        _DEEP,
        ".".join(f"k{depth}" for depth in range(30)) + ".last",
        2,
        f"{'  ' * 30}last: 1",
        f"{'  ' * 30}last: 2",
    ),
    _(_DEEP, "k0.k1.new", 2, "", "    new: 2"),
    _(_INDENTS, "one.new.deep", 1, "", "   new:\n      deep: 1"),
    _(_INDENTS, "two.new", 1, "", " new: 1"),
    _(_INDENTS, "one.b.new", 1, "", "     new: 1"),
    # Lists beside the path.
    _(_LISTS, "hooks.sessionStart.recallLimit", 7, "    recallLimit: 5", "    recallLimit: 7"),
    _(_LISTS, "agents.new", 7, "", "  new: 7"),
    _(_LISTS, "harnesses", None, "harnesses: [a, b]"),
    _(_LISTS, "new.key", 7, "", "new:\n  key: 7"),
    # Keys that aren't text, and headings without anything.
    _(_ODD_KEYS, "search.alpha", 1, "  alpha: 0.5", "  alpha: 1"),
    _(_ODD_KEYS, "search.y", 2, "  y: 1", "  y: 2"),
    _(_ODD_KEYS, "explicit", "x", ": value", ": x"),
    _("search:\nmemory: 1\n", "search.alpha", 1, "", "  alpha: 1"),
    _("search: # of recall\n  # alpha: 1\nmemory: 1\n", "search.alpha", 1, "", "  alpha: 1"),
    _("a:\n    b:\n        c: 1\nsearch:\n", "search.alpha", 1, "", "    alpha: 1"),
    _("search: ~ # none\n", "search.alpha", 1, "search: ~ # none", "search: {alpha: 1} # none"),
    _("search: null\n", "search.a.b", 1, "search: null", "search: {a: {b: 1}}"),
    _("search:\n  alpha:\n  b: 1\n", "search.alpha", 1, "  alpha:", "  alpha: 1"),
    _("search:\n  alpha: # none\n", "search.alpha", 1, "  alpha: # none", "  alpha: 1 # none"),
    _("a: {b: , c}\n", "a.b", 1, "a: {b: , c}", "a: {b: 1, c}"),
    _("a: {b: , c}\n", "a.c", 1, "a: {b: , c}", "a: {b: , c: 1}"),
    # The section at the top, as some files of Signet have it.
    _(_MOVED, "pipelineV2.graph.enabled", False, "    enabled: true", "    enabled: false"),
    _(_MOVED, "pipelineV2.graph.enabled", None, "pipelineV2:\n  graph:\n    enabled: true"),
    _(_MOVED, "memory.decay_rate", None, "memory:\n  decay_rate: 0.9"),
    # Next to nothing.
    _("", "a", 1, "", "a: 1"),
    _("", "a.b.c", 1, "", "a:\n  b:\n    c: 1"),
    _("\n\n", "a", 1, "", "a: 1"),
    _("# only\n\n# comments\n", "a.b", 1, "", "a:\n  b: 1"),
    _("~\n", "a", 1, "~", "{a: 1}"),
    _("{}\n", "a.b", 1, "{}", "{a: {b: 1}}"),
    _("a: 1\n", "a", None, "a: 1"),
    _("# top\na:\n  b:\n    c: 1\n# end\n", "a.b.c", None, "a:\n  b:\n    c: 1"),
    _("a:\n  # why\n  b: 1\nc: 2\n", "a.b", None, "  b: 1"),
    _("a:\n  b: 1\n  # more\nc: 2\n", "a.b", None, "  b: 1"),
    # Duplicate keys beside the path.
    _("a: 1\na: 2\nb: 3\n", "b", 4, "b: 3", "b: 4"),
    _("a: 1\na: 2\n", "c", 4, "", "c: 4"),
)

_BIG: Final = "".join(f"key{number}:\n  value: {number} # {number}\n" for number in range(30_000))

REFUSED: Final = (
    # Broken.
    _not("a: [1\nb: 2\n", "b", 3, "isn't YAML|did not find|expected", 2),
    _not("a: 1\n b: 2\n", "b", 3, "mapping values|not allowed", 2),
    _not("a: 'open\n", "a", 3, "end of stream", None),
    _not("a: {b: 1\n", "a.b", 3, "did not find|expected", None),
    _not("a:\n\tb: 1\n", "a.b", 3, "spaces, not tabs", 2),
    _not("\ta: 1\n", "a", 3, "spaces, not tabs", 1),
    _not("a:\n  b: 1\n\tc: 2\n", "a.b", 3, "spaces, not tabs", 3),
    _not("a: *gone\n", "b", 3, "undefined alias", 1),
    _not("a: @x\n", "a", 3, "cannot start any token", 1),
    _not("a: `x`\n", "a", 3, "cannot start any token", 1),
    _not("a: %x\n", "a", 3, "cannot start any token", 1),
    _not("a: 1\nb\n", "a", 3, "could not find expected ':'", 3),
    _not("%YAML 9.9\n---\na: 1\n", "a", 3, "incompatible", 1),
    _not("a: 1\x07\n", "a", 3, "control character '\\\\x07'", 1),
    _not("a: 1\x00\n", "a", 3, "control character '\\\\x00'", 1),
    _not("a: 1\nb: \ufeff2\n".replace("\ufeff", "\ufffe"), "a", 3, "control character", 2),
    _not(b"a: 1\nb: caf\xe9\n", "a", 2, "isn't UTF-8", 2),
    _not(b"\xff\xfea\x00:\x00 \x001\x00", "a", 2, "isn't UTF-8", 1),
    _not(b"a: \xed\xa0\x80\n", "a", 2, "isn't UTF-8", 1),
    _not(_BIG + "# " + "x" * 300_000, "key1.value", 2, "larger than 1 MB", None),
    _not("a: 1\n---\nb: 2\n", "a", 2, "more than one document", 3),
    _not("--- {a: 1}\n--- {b: 2}\n", "a", 2, "more than one document", 2),
    _not("[" * 100, "a", 2, "nested more than 64 levels", 1),
    _not("{a: " * 20_000, "a", 2, "nested more than 64 levels", 1),
    # No keys and values.
    _not("- 1\n- 2\n", "a", 3, "must contain keys and values", 1),
    _not("just text\n", "a", 3, "must contain keys and values", 1),
    _not("[]\n", "a", 3, "must contain keys and values", 1),
    _not("42\n", "a", 3, "must contain keys and values", 1),
    # Keys that stand for more than one thing.
    _not("a: 1\na: 2\n", "a", 3, "a is there twice", 2),
    _not("a:\n  b: 1\nc: 1\na:\n  b: 2\n", "a.b", 3, "a is there twice", 4),
    _not("a: {b: 1, c: 2, b: 3}\n", "a.b", 4, "a.b is there twice", 1),
    _not('a: 1\n"a": 2\n', "a", None, "a is there twice", 2),
    _not(_ANCHORS, "base.one", 2, "anchor .&base. that other values use", 1),
    _not(_ANCHORS, "lone", 2, "anchor .&lone. that other values use", 5),
    _not(_ANCHORS, "copy.one", 2, "alias .\\*base.", 6),
    _not(_ANCHORS, "copy", 2, "alias .\\*base.", 6),
    _not("x: &x {b: 1}\na:\n  <<: *x\n  c: 2\n", "a.b", 2, "merge key", 3),
    _not("x: &x {b: 1}\na:\n  <<: *x\n  c: 2\n", "a.c", 2, "merge key", 3),
    _not("x: &x {b: 1}\n<<: *x\n", "a.c", 2, "merge key", 2),
    # Other things than values on the path.
    _not("a: 1\n", "a.b", 2, "a is a single value", 1),
    _not("a: [1]\n", "a.b", 2, "a is a list", 1),
    _not(_LISTS, "search.alpha", 2, "search is a list", 9),
    _not("a:\n  b: 1\n", "a", 2, "a section", 2),
    _not("a:\n  b: 1\n", "a", None, "a is a section", 1),
    _not("a: [1, 2]\n", "a", 2, "a list", 1),
    # Nothing can be added or taken out without touching more.
    _not("? a\n: 1\n", "a", None, "can't be changed here", 2),
    _not("? a\n: 1\n", "b", 2, "can't be changed here", 1),
)
