"""Compares two versions of a document: whether they differ in one key only."""

from collections.abc import Sequence

from intaglio.base.agent_yaml.document import TEXT, Node
from intaglio.base.agent_yaml.scalars import ScalarValue

_FLOAT = "tag:yaml.org,2002:float"
_INT = "tag:yaml.org,2002:int"
_BOOL = "tag:yaml.org,2002:bool"


def differs_only_at(
    old: Node | None, new: Node | None, path: Sequence[str], value: ScalarValue | None
) -> bool:
    """Whether ``new`` is ``old`` with this value at a path of keys, and nothing else.

    A ``value`` of None means that the key is gone, perhaps with the sections that held only it.
    """
    if not path:
        return value is not None and new is not None and _has_value(new, value)
    if old is None or old.is_null:
        # A null has nothing below it, so the rest of the path is new.
        return value is not None and _is_chain(new, path, value, _anchor(old))
    if old.kind != "mapping":
        return False
    if new is None or new.is_null:
        return value is None and _holds_only(old, path) and not old.anchor
    if new.kind != "mapping" or (new.anchor, new.tag) != (old.anchor, old.tag):
        return False
    return _pairs_differ_only_at(old, new, path, value)


def _pairs_differ_only_at(
    old: Node, new: Node, path: Sequence[str], value: ScalarValue | None
) -> bool:
    olds, news = [*old.pairs], [*new.pairs]
    own_old = [pair for pair in olds if _is_named(pair[0], path[0])]
    own_new = [pair for pair in news if _is_named(pair[0], path[0])]
    others_old = [pair for pair in olds if not _is_named(pair[0], path[0])]
    others_new = [pair for pair in news if not _is_named(pair[0], path[0])]
    if len(others_old) != len(others_new) or not all(
        same(one[0], two[0]) and same(one[1], two[1])
        for one, two in zip(others_old, others_new, strict=True)
    ):
        return False
    if len(own_old) > 1 or len(own_new) > 1:
        return False
    if not own_new:
        return value is None and bool(own_old) and _is_gone(own_old[0][1], path[1:])
    if not own_old:
        return value is not None and _is_chain(own_new[0][1], path[1:], value, "")
    (old_key, old_value), (new_key, new_value) = own_old[0], own_new[0]
    return same(old_key, new_key) and differs_only_at(old_value, new_value, path[1:], value)


def _is_named(node: Node, name: str) -> bool:
    return node.kind == "scalar" and node.tag == TEXT and node.text == name


def _anchor(node: Node | None) -> str:
    return "" if node is None else node.anchor


def _is_gone(old: Node, rest: Sequence[str]) -> bool:
    """Whether what went with the key is no more than the key."""
    return not rest or _holds_only(old, rest)


def _holds_only(node: Node, path: Sequence[str]) -> bool:
    for part in path:
        pairs = [*node.pairs] if node.kind == "mapping" else []
        if len(pairs) != 1 or not _is_named(pairs[0][0], part):
            return False
        node = pairs[0][1]
    return True


def _is_chain(node: Node | None, path: Sequence[str], value: ScalarValue, anchor: str) -> bool:
    """Whether a node consists of this value below these keys."""
    for depth, part in enumerate(path):
        if node is None or node.kind != "mapping" or node.anchor != ("" if depth else anchor):
            return False
        pairs = [*node.pairs]
        if len(pairs) != 1 or not _is_named(pairs[0][0], part):
            return False
        node = pairs[0][1]
    return node is not None and _has_value(node, value)


def _has_value(node: Node, value: ScalarValue) -> bool:
    if node.kind != "scalar":
        return False
    match value:
        case bool():
            return node.tag == _BOOL and node.text == ("true" if value else "false")
        case int():
            return node.tag == _INT and node.text == str(value)
        case float():
            return node.tag == _FLOAT and float(node.text) == value
        case str():
            return node.tag == TEXT and node.text == value


def same(one: Node, other: Node) -> bool:
    """Whether two nodes say the same, with the same anchors and aliases, in the same order."""
    waiting = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        if (left.kind, left.tag, left.text, left.anchor, len(left.children)) != (
            *(right.kind, right.tag, right.text, right.anchor, len(right.children)),
        ):
            return False
        waiting.extend(zip(left.children, right.children, strict=True))
    return True
