"""Adds values at paths of a JSON5 text and removes them; all else keeps its bytes."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from intaglio.connect.json_edit import (
    FIX_BY_HAND,
    EditedText,
    Insertion,
    Style,
    fill,
    line_indent,
    render,
    starts_line,
    style_of,
)
from intaglio.connect.json_scanner import JSON5, JsonValue, MalformedJson, scan, value_of
from intaglio.connect.values import ConnectionRefused

_INCLUDE: Final = "$include"
_BLANKS: Final = re.compile(r"[ \t]*")
_COMMENT: Final = re.compile(r"[ \t]*//[^\n\r]*")


@dataclass(frozen=True, slots=True)
class Placement:
    """A value to have at a path of keys; with ``item``, in the list there, which must exist."""

    path: tuple[str, ...]
    value: object
    item: bool = False

    @property
    def item_path(self) -> str:
        """What records that the item was added."""
        return "/".join((*self.path, str(self.value)))


def value_at(text: str, path: Sequence[str]) -> object:
    """Return the value at a path; None if there is none, or the text can't be read."""
    root = scan(text, JSON5)
    found = _at(root, path) if isinstance(root, JsonValue) else None
    return None if found is None else value_of(text, found, JSON5)


def is_placed(text: str, placement: Placement) -> bool:
    """Whether a value is where it is wanted; an object may have more members than wanted."""
    found = value_at(text, placement.path)
    if placement.item:
        return isinstance(found, list) and placement.value in cast("list[object]", found)
    return _has(found, placement.value)


def check(text: str, placements: Sequence[Placement]) -> ConnectionRefused | None:
    """Return why the values can't be placed; None if they can."""
    root = scan(text, JSON5) if text.strip() else None
    if root is None:
        return None
    if isinstance(root, MalformedJson):
        return ConnectionRefused(
            f"The settings aren't valid JSON5: line {root.line}: {root.message}.", FIX_BY_HAND
        )
    for placement in placements:
        refused = _check_path(root, placement)
        if refused:
            return refused
    return None


def add(text: str, placements: Sequence[Placement]) -> EditedText:
    """Place the values in a text that `check` accepts and that has none of them."""
    if not text.strip():
        made: dict[str, object] = {}
        for placement in placements:
            _put(made, placement)
        fragment = render(made, Style()) + "\n"
        return EditedText(text + fragment, (fragment,), _containers(placements, ()))
    fragments: list[str] = []
    containers: list[str] = []
    for placement in placements:
        text, fragment, created = _added(text, placement)
        fragments.append(fragment)
        containers += created
    return EditedText(text, tuple(fragments), tuple(dict.fromkeys(containers)))


def remove(text: str, placements: Sequence[Placement], made: Collection[str]) -> str:
    """Remove the values, and objects in ``made`` that become empty.

    An item goes only if ``made`` says that it was added, a text only if it is still the same.
    """
    for placement in reversed(placements):
        found = _at(_root(text), placement.path)
        if found is None:
            continue
        if placement.item:
            values = cast("list[object]", value_of(text, found, JSON5))
            if placement.item_path in made and placement.value in values:
                text = _cut(text, found, values.index(placement.value))
        elif isinstance(placement.value, dict) or is_placed(text, placement):
            text = _without_member(text, placement.path)
    for path in sorted(made, key=lambda path: -path.count("/")):
        keys = tuple(path.split("/"))
        if value_at(text, keys) == {}:
            text = _without_member(text, keys)
    return text


def without_fragments(text: str, plain: str, fragments: Sequence[str]) -> str:
    """Remove inserted fragments if that leaves the same values as ``plain``, else return that.

    It restores each byte of a text that nobody has rewritten since.
    """
    exact = text
    for fragment in reversed(fragments):
        if exact.count(fragment) != 1:
            return plain
        exact = exact.replace(fragment, "")
    left: object = value_at(exact, ()) if exact.strip() else {}
    return exact if fragments and left == value_at(plain, ()) else plain


def _root(text: str) -> JsonValue:
    root = scan(text, JSON5)
    if isinstance(root, MalformedJson):
        raise TypeError(root.message)  # `check` has accepted the text
    return root


def _at(value: JsonValue, path: Sequence[str]) -> JsonValue | None:
    for key in path:
        found = value.members_named(key)
        if not found:
            return None
        value = found[-1].value
    return value


def _has(found: object, wanted: object) -> bool:
    if isinstance(wanted, dict) and isinstance(found, dict):
        own = cast("dict[str, object]", found)
        items = cast("dict[str, object]", wanted).items()
        return all(key in own and _has(own[key], value) for key, value in items)
    return found == wanted


def _check_path(root: JsonValue, placement: Placement) -> ConnectionRefused | None:
    value = root
    for depth, key in enumerate((*placement.path, "")):
        shown = ".".join(placement.path[:depth])
        is_last = depth == len(placement.path)
        if value.kind != "object" and not is_last:
            name = f"{shown} in the settings" if shown else "The settings"
            return ConnectionRefused(f"{name} isn't an object.", FIX_BY_HAND)
        if is_last and placement.item and value.kind != "array":
            return ConnectionRefused(f"{shown} in the settings isn't a list.", FIX_BY_HAND)
        if value.members_named(_INCLUDE):
            return ConnectionRefused(
                f"{shown or 'The settings file'} includes another, which Intaglio doesn't edit.",
                f"Move {placement.path[0]} into this file, then connect again.",
            )
        found = value.members_named(key) if not is_last else ()
        if len(found) > 1:
            return ConnectionRefused(
                f"The settings contain the key {json.dumps(key)} twice.", FIX_BY_HAND
            )
        if not found:
            break
        value = found[0].value
    return None


def _put(made: dict[str, object], placement: Placement) -> None:
    inner = made
    for key in placement.path[:-1]:
        inner = cast("dict[str, object]", inner.setdefault(key, {}))
    inner[placement.path[-1]] = placement.value


def _containers(placements: Sequence[Placement], existing: Collection[str]) -> tuple[str, ...]:
    paths = [
        "/".join(placement.path[:length])
        for placement in placements
        for length in range(1, len(placement.path))
    ]
    return tuple(path for path in dict.fromkeys(paths) if path not in existing)


def _added(text: str, placement: Placement) -> tuple[str, str, tuple[str, ...]]:
    """Return the text with a value added, the fragment, and the paths that were created."""
    root = _root(text)
    style = replace(style_of(text, root), spaced=True)
    if placement.item:
        container = cast("JsonValue", _at(root, placement.path))
        insertion = _append(text, container, "", placement.value, style)
        return insertion.into(text), insertion.fragment, (placement.item_path,)
    depth = 0
    while depth < len(placement.path) - 1 and _at(root, placement.path[: depth + 1]):
        depth += 1
    container = cast("JsonValue", _at(root, placement.path[:depth]))
    value: object = placement.value
    for key in reversed(placement.path[depth + 1 :]):
        value = {key: value}
    head = json.dumps(placement.path[depth]) + ": "
    insertion = _append(text, container, head, value, style)
    existing = ["/".join(placement.path[:length]) for length in range(1, depth + 1)]
    return insertion.into(text), insertion.fragment, _containers((placement,), existing)


def _append(text: str, container: JsonValue, head: str, value: object, style: Style) -> Insertion:
    """Append to an object or list; a comment behind the last entry stays there."""
    parts = container.parts()
    if not parts:
        return fill(text, container, head, value, style)
    end = parts[-1][1]
    after = JSON5.skip(text, end)
    has_comma = text.startswith(",", after)
    at = after + 1 if has_comma else end
    comment = _COMMENT.match(text, at)
    at = comment.end() if comment else at
    comma = "" if has_comma else ","
    if not starts_line(text, parts[0][0]) and not comment:
        body = head + render(value, style, inline=True)
        return Insertion(at, f"{comma} {body}")
    indent = line_indent(text, parts[0][0])
    body = head + render(value, style, indent)
    if comment and comma:
        return Insertion(at, f"{style.newline}{indent}, {body}")
    return Insertion(at, f"{comma}{style.newline}{indent}{body}")


def _without_member(text: str, path: Sequence[str]) -> str:
    container = _at(_root(text), path[:-1])
    keys = [member.key for member in container.members] if container else []
    if container is None or path[-1] not in keys:
        return text
    return _cut(text, container, keys.index(path[-1]))


def _cut(text: str, container: JsonValue, index: int) -> str:
    """Remove an entry with one comma and, if it is alone on its line, that line's indentation."""
    start, end = container.parts()[index]
    after = JSON5.skip(text, end)
    if text.startswith(",", after):
        end = after + 1
    elif index:
        start = JSON5.skip(text, container.parts()[index - 1][1])
    if starts_line(text, start):
        start = text.rfind("\n", 0, start)
        start -= text.startswith("\r", start - 1)
    return text[:start] + text[end:]
