"""Inserts values into JSON text and removes them, preserving its style and everything else."""

import json
import re
from collections import Counter
from dataclasses import dataclass

from intaglio.connect.json_scanner import JsonValue, MalformedJson, scan
from intaglio.connect.values import ConnectionRefused

FIX_BY_HAND = "Fix the file first; until then, Intaglio doesn't write to it."
_LEADING = re.compile(r"[ \t]*")
_DEFAULT_UNIT = "  "


@dataclass(frozen=True, slots=True)
class Style:
    """A file's style: line break, indentation unit, all on one line, a space after colons."""

    newline: str = "\n"
    unit: str = _DEFAULT_UNIT
    inline: bool = False
    spaced: bool = True


@dataclass(frozen=True, slots=True)
class Insertion:
    """A text to insert at a position."""

    position: int
    fragment: str

    def into(self, text: str) -> str:
        """Return the text with the fragment inserted."""
        return text[: self.position] + self.fragment + text[self.position :]


@dataclass(frozen=True, slots=True)
class EditedText:
    """The text after insertions, the inserted fragments in order, and the containers created."""

    text: str
    fragments: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()


def root_object(text: str) -> JsonValue | ConnectionRefused | None:
    """Return a settings file's root object, None for an empty file, or the refusal to edit it."""
    if not text.strip():
        return None
    root = scan(text)
    if isinstance(root, MalformedJson):
        return ConnectionRefused(
            f"The settings aren't valid JSON: line {root.line}: {root.message}.", FIX_BY_HAND
        )
    if root.kind != "object":
        return ConnectionRefused("The settings aren't a JSON object.", FIX_BY_HAND)
    return root


def without_fragments(text: str, plain: str, fragments: tuple[str, ...]) -> str:
    """Remove inserted fragments if that leaves the same JSON as ``plain``, else return ``plain``.

    It restores each byte of a text that nobody has rewritten since.
    """
    exact = text
    # A long one may contain a short one, such as the same hook of two events.
    counts = Counter(fragments)
    for fragment in sorted(counts, key=len, reverse=True):
        if exact.count(fragment) != counts[fragment]:
            return plain
        exact = exact.replace(fragment, "")
    return exact if fragments and _same(exact, plain) else plain


def _same(exact: str, plain: str) -> bool:
    """Whether both texts are equivalent JSON; an empty file equals ``{}``."""
    if not exact.strip():
        return bool(json.loads(plain) == {})
    return isinstance(scan(exact), JsonValue) and bool(json.loads(exact) == json.loads(plain))


def style_of(text: str, root: JsonValue) -> Style:
    """Detect the style from the root object's first member."""
    newline = "\r\n" if "\r\n" in text else "\n"
    spaced = '":' not in text or '": ' in text
    parts = root.parts()
    if not parts:
        return Style(newline, spaced=spaced)
    if not starts_line(text, parts[0][0]):
        return Style(newline, inline=True, spaced=spaced)
    unit = line_indent(text, parts[0][0]).removeprefix(line_indent(text, root.start))
    return Style(newline, unit=unit, spaced=spaced)


def render(value: object, style: Style, indent: str = "", *, inline: bool = False) -> str:
    """Render a value in the style; all lines but the first are indented by ``indent``."""
    if inline or style.inline:
        separators = (", ", ": ") if style.spaced else (",", ":")
        return json.dumps(value, ensure_ascii=False, separators=separators)
    colon = ": " if style.spaced else ":"
    text = json.dumps(value, ensure_ascii=False, indent=style.unit, separators=(",", colon))
    return text.replace("\n", style.newline + indent)


def add_member(text: str, container: JsonValue, key: str, value: object, style: Style) -> Insertion:
    """Append a member to an object."""
    colon = ": " if style.spaced else ":"
    return _append(text, container, json.dumps(key) + colon, value, style)


def add_item(text: str, container: JsonValue, value: object, style: Style) -> Insertion:
    """Append an item to an array."""
    return _append(text, container, "", value, style)


def _append(text: str, container: JsonValue, head: str, value: object, style: Style) -> Insertion:
    parts = container.parts()
    if not parts:
        return fill(text, container, head, value, style)
    end = parts[-1][1]
    if starts_line(text, parts[0][0]):
        indent = line_indent(text, parts[0][0])
        body = render(value, style, indent)
        return Insertion(end, f",{style.newline}{indent}{head}{body}")
    comma = ", " if style.spaced else ","
    return Insertion(end, comma + head + render(value, style, inline=True))


def fill(text: str, container: JsonValue, head: str, value: object, style: Style) -> Insertion:
    """Put the first member or item into an empty container; ``head`` is its key with the colon."""
    start = container.start + 1
    if style.inline:
        return Insertion(start, head + render(value, style))
    outer = line_indent(text, container.start)
    indent = outer + style.unit
    body = render(value, style, indent)
    closing = "" if "\n" in text[start : container.end - 1] else style.newline + outer
    return Insertion(start, f"{style.newline}{indent}{head}{body}{closing}")


def cut(text: str, container: JsonValue, index: int) -> str:
    """Remove the member or item at ``index`` with its comma."""
    parts = container.parts()
    start, end = parts[index]
    if len(parts) == 1:
        start, end = container.start + 1, container.end - 1
    elif index:
        start = parts[index - 1][1]
    else:
        end = parts[1][0]
    return text[:start] + text[end:]


def starts_line(text: str, position: int) -> bool:
    """Whether nothing but blanks is before a position on its line, which isn't the first."""
    line = text.rfind("\n", 0, position) + 1
    return line > 0 and not text[line:position].strip(" \t")


def line_indent(text: str, position: int) -> str:
    """Return the blanks that the line of a position begins with."""
    match = _LEADING.match(text, text.rfind("\n", 0, position) + 1)
    return match.group() if match else ""
