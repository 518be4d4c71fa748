"""Hides the secrets of a YAML text that is shown, and puts them back into one that comes back."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias, TypeVar

from intaglio.base.agent_yaml.document import BOM, Node, content_end, parse
from intaglio.base.agent_yaml.problems import BrokenFileError
from intaglio.base.errors import InvalidInputError
from intaglio.redaction.shown_text import MARK, PASSWORD, without_secrets

T = TypeVar("T")

HIDDEN: Final = "(hidden)"
_SECRET: Final = re.compile(r"(?:key|token|secret|password|passphrase)s?$", re.IGNORECASE)
# A line that gives a secret, wherever it stands in a text that can't be parsed.
_SECRET_LINE: Final = re.compile(
    r"((?:key|token|secret|password|passphrase)s?[\"']?[ \t]*:)[^\r\n]+", re.IGNORECASE
)
# A setting that is switched off by a mark of comment, with its value.
_IN_COMMENT: Final = re.compile(
    r"((?:key|token|secret|password|passphrase)s?[\"']?[ \t]*[:=])[ \t]*[^ \t\r\n][^\r\n]*",
    re.IGNORECASE,
)
_Path: TypeAlias = tuple[str | int, ...]


def hide(text: str) -> str:
    """Return the text with each value of a key that names a secret replaced.

    In comments, and in a text that isn't YAML, what follows such a key in its line is. So is all
    else that looks like a secret, wherever it stands.
    """
    return without_secrets("\n".join(map(_without_comment, _values_hidden(text).split("\n"))))


def _without_comment(line: str) -> str:
    """Return a line without what a key in its comment is given."""
    before, mark, comment = line.partition("#")
    return before + mark + _IN_COMMENT.sub(rf"\1 {PASSWORD}", comment) if mark else line


def _values_hidden(text: str) -> str:
    try:
        root = parse(text.removeprefix(BOM)).root
    except BrokenFileError:
        return _SECRET_LINE.sub(rf"\1 {HIDDEN}", text)
    body = text.removeprefix(BOM)
    found = [*_scalars(root)]
    shared = {node.text for path, node in found if node.kind == "alias" and _is_secret(path)}
    for path, node in reversed(found):
        if node.kind != "scalar" or not node.text:
            continue
        if _is_secret(path) or node.anchor in shared:
            anchor = f"&{node.anchor} " if node.anchor else ""
            body = f"{body[: node.start]}{anchor}{HIDDEN}{body[content_end(body, node) :]}"
    return text[: len(text) - len(text.removeprefix(BOM))] + body


def put_back_lines(text: str, former: str) -> str:
    """Return the text with the lines of the former one in which `hide` has taken something out.

    Raises InvalidInputError for such a line that has changed, or if it can't be told which it was.
    """
    lines = text.split("\n")
    came = _by_hidden_line([(line, number) for number, line in enumerate(lines)])
    if not came:
        return text
    was, shown = former.split("\n"), hide(former).split("\n")
    # Of a secret of several lines, it can't be told which they were.
    known = _by_hidden_line(zip(shown, was, strict=True)) if len(was) == len(shown) else {}
    for hidden, numbers in came.items():
        whole = known.get(hidden, [])
        if len({*whole}) == 1:
            whole = whole[:1] * len(numbers)
        if len(whole) != len(numbers):
            raise InvalidInputError(
                f"Line {numbers[0] + 1} has a secret that is hidden",
                hint="Leave the line as it was, or write all of it yourself.",
                line=numbers[0] + 1,
            )
        for number, line in zip(numbers, whole, strict=True):
            lines[number] = line
    return "\n".join(lines)


def _by_hidden_line(lines: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """Group what belongs to lines in which something is hidden by the line, in order."""
    found: dict[str, list[T]] = {}
    for line, of_line in lines:
        if MARK in line:
            found.setdefault(line, []).append(of_line)
    return found


def put_back(text: str, former: str) -> str:
    """Return the text with the values that `hide` has hidden of the former one.

    Raises BrokenFileError if the text isn't YAML, and InvalidInputError if there is nothing to put
    back.
    """
    bom, body = text[: len(text) - len(text.removeprefix(BOM))], text.removeprefix(BOM)
    hidden = [(path, node) for path, node in _scalars(parse(body).root) if node.text == HIDDEN]
    if not hidden:
        return text
    was = former.removeprefix(BOM)
    try:
        nodes = [*_scalars(parse(was).root)]
    except BrokenFileError:
        # Where its values are can't be told.
        nodes = []
    known = {path: was[node.start : content_end(was, node)] for path, node in nodes}
    for path, node in reversed(hidden):
        if path not in known:
            raise InvalidInputError(
                f"The value of {'.'.join(map(str, path))} is hidden",
                hint="Send the value itself, or leave the line where it was.",
            )
        body = body[: node.start] + known[path] + body[node.end :]
    return bom + body


def _is_secret(path: _Path) -> bool:
    return any(isinstance(part, str) and _SECRET.search(part) for part in path)


def _scalars(node: Node | None, path: _Path = ()) -> Iterator[tuple[_Path, Node]]:
    """Yield every scalar or alias that is a value, in the order of the text, with its path."""
    match node:
        case None:
            return
        case Node(kind="mapping"):
            for key, value in node.pairs:
                yield from _scalars(value, (*path, key.text))
        case Node(kind="sequence"):
            for number, item in enumerate(node.children):
                yield from _scalars(item, (*path, number))
        case Node(kind="scalar" | "alias"):
            yield path, node
        case _:
            return
