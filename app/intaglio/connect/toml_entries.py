"""Adds an entry to a table of TOML settings and removes it; accesses no files.

Comments, order and layout stay as they are.
"""

import tomllib
from collections.abc import Collection, Mapping, MutableMapping
from typing import Any, cast

from intaglio.connect.json_edit import FIX_BY_HAND, EditedText
from intaglio.connect.values import ConnectionRefused


def find_entry(text: str, key: str, name: str) -> object:
    """Return the entry of that name; None if there is none, or the text can't be read."""
    table = (_parsed(text) or {}).get(key)
    return cast("dict[str, object]", table).get(name) if isinstance(table, dict) else None


def check_entries(text: str, key: str, name: str) -> ConnectionRefused | None:
    """Return why the table can't be edited; None if it can."""
    del name  # TOML allows no name twice
    try:
        found = tomllib.loads(text).get(key, {})
    except (ValueError, RecursionError) as error:
        return ConnectionRefused(f"The settings aren't valid TOML: {error}.", FIX_BY_HAND)
    if not isinstance(found, dict):
        return ConnectionRefused(f"In the settings, {key} isn't a table.", FIX_BY_HAND)
    return None


def add_entry(text: str, key: str, name: str, entry: Mapping[str, Any]) -> EditedText:
    """Add an entry to settings that `check_entries` accepts and that have none of that name."""
    # Only what edits TOML needs it, and it takes as long to load as the rest of the command line.
    import tomlkit  # noqa: PLC0415 - see above

    newline = "\r\n" if "\r\n" in text else "\n"
    before = _parsed(text) or {}
    made = () if key in before else (key,)
    wanted = {**before, key: {**before.get(key, {}), name: dict(entry)}}
    table = tomlkit.table(is_super_table=True)
    table.add(name, tomlkit.item(dict(entry)))
    body = tomlkit.dumps({key: table}).replace("\n", newline)
    gap = newline * (0 if not text.strip() else 1 if text.endswith("\n") else 2)
    if _parsed(text + gap + body) == wanted:
        return EditedText(text + gap + body, (gap + body,), made)
    # Written as an inline table, to which no section can be added.
    document = tomlkit.parse(text)
    inline = tomlkit.inline_table()
    for part, value in entry.items():
        inline.append(part, value)
    cast("MutableMapping[str, Any]", document[key])[name] = inline
    after = tomlkit.dumps(document)
    return EditedText(after, (_inserted(text, after),), made)


def remove_entry(text: str, key: str, name: str, made: Collection[str]) -> str:
    """Remove the entry, and the table if it becomes empty and is in ``made``."""
    import tomlkit  # noqa: PLC0415 - see add_entry

    document = tomlkit.parse(text)
    table = cast("MutableMapping[str, Any]", document[key])
    del table[name]
    if not table and key in made:
        del document[key]
    return tomlkit.dumps(document)


def without_fragments(text: str, plain: str, fragments: tuple[str, ...]) -> str:
    """Remove inserted fragments if that leaves the same TOML as ``plain``, else return ``plain``.

    It restores each byte of a text that nobody has rewritten since.
    """
    exact = text
    for fragment in reversed(fragments):
        if not fragment or exact.count(fragment) != 1:
            return plain
        exact = exact.replace(fragment, "")
    return exact if fragments and _parsed(exact) == _parsed(plain) else plain


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _inserted(before: str, after: str) -> str:
    """Return what was inserted; empty if it isn't one piece."""
    start = next(
        (at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new),
        len(before),
    )
    end = len(after) - (len(before) - start)
    return after[start:end] if after[:start] + after[end:] == before else ""
