"""Adds an entry to an object of JSON settings and removes it; accesses no files."""

import json
from collections.abc import Collection, Mapping
from typing import Any, cast

from intaglio.connect.json_edit import (
    FIX_BY_HAND,
    EditedText,
    Style,
    add_member,
    cut,
    render,
    root_object,
    style_of,
)
from intaglio.connect.json_scanner import JsonValue
from intaglio.connect.values import ConnectionRefused


def find_entry(text: str, key: str, name: str) -> object:
    """Return the entry of that name; None if there is none, or the text can't be read."""
    try:
        root = json.loads(text)
    except (ValueError, RecursionError):
        return None
    servers = cast("dict[str, object]", root).get(key) if isinstance(root, dict) else None
    return cast("dict[str, object]", servers).get(name) if isinstance(servers, dict) else None


def check_entries(text: str, key: str, name: str) -> ConnectionRefused | None:
    """Return why the object can't be edited; None if it can."""
    root = root_object(text)
    if not isinstance(root, JsonValue):
        return root
    found = root.members_named(key)
    shown = json.dumps(key)
    if len(found) > 1:
        return ConnectionRefused(f"The settings contain the key {shown} twice.", FIX_BY_HAND)
    if found and found[0].value.kind != "object":
        return ConnectionRefused(f"In the settings, {shown} isn't an object.", FIX_BY_HAND)
    if found and len(found[0].value.members_named(name)) > 1:
        return ConnectionRefused(
            f"In the settings, {shown} contains {json.dumps(name)} twice.", FIX_BY_HAND
        )
    return None


def add_entry(text: str, key: str, name: str, entry: Mapping[str, Any]) -> EditedText:
    """Add an entry to settings that `check_entries` accepts and that have none of that name."""
    root = root_object(text)
    if not isinstance(root, JsonValue):
        fragment = render({key: {name: entry}}, Style()) + "\n"
        return EditedText(text + fragment, (fragment,), (key,))
    style = style_of(text, root)
    found = root.members_named(key)
    if found:
        added = add_member(text, found[0].value, name, entry, style)
        return EditedText(added.into(text), (added.fragment,))
    added = add_member(text, root, key, {name: entry}, style)
    return EditedText(added.into(text), (added.fragment,), (key,))


def remove_entry(text: str, key: str, name: str, made: Collection[str]) -> str:
    """Remove the entry, and the object if it becomes empty and is in ``made``."""
    root = root_object(text)
    if not isinstance(root, JsonValue):
        return text
    index, servers = next(
        (at, member.value) for at, member in enumerate(root.members) if member.key == key
    )
    if len(servers.members) == 1 and key in made:
        return cut(text, root, index)
    return cut(text, servers, [member.key for member in servers.members].index(name))
