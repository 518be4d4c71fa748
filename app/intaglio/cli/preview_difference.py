"""What other settings would change in a preview, as lines marked with + and -."""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final

import click

from intaglio.cli.output import INDENT
from intaglio.fence.characters import visible
from intaglio.fence.marks import NAME
from intaglio.wire.sessions import ContextPreview, PreviewReply
from intaglio.wire.settings import SettingValue

_FENCES: Final = (f"<{NAME}", f"</{NAME}")
_ITEM: Final = "- "
_COLOURS: Final = {"+": "green", "-": "red"}


def setting_value(text: str) -> SettingValue | None:
    """Read a value as it is typed: true, false, a number, `default`, or else text."""
    if text == "default":
        return None
    if text in {"true", "false"}:
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def difference_lines(
    now: PreviewReply, tried: PreviewReply, settings: Mapping[str, SettingValue | None]
) -> list[str]:
    """Return what is told with the settings, against what is told now."""
    named = ", ".join(f"{key} = {_shown(value)}" for key, value in settings.items())
    lines = [
        f"With {visible(named)}:",
        *(
            f"{visible(each.key)} has no effect here. {visible(each.reason)}"
            for each in tried.without_effect
        ),
        "",
        *_block("The next session", now.start, tried.start),
    ]
    if now.prompt is not None and tried.prompt is not None:
        lines += ["", *_block("The prompt", now.prompt, tried.prompt)]
    return lines


def _shown(value: SettingValue | None) -> str:
    match value:
        case None:
            return "default"
        case bool():
            return str(value).lower()
        case _:
            return str(value)


def _block(what: str, now: ContextPreview, tried: ContextPreview) -> list[str]:
    marked = marked_lines(_told(now), _told(tried))
    size = f"{now.tokens:,} → {tried.tokens:,} of at most {tried.budget:,} tokens"
    return [
        click.style(f"{what}: {change_of(marked, tried.tokens - now.tokens)} ({size})", bold=True),
        *(_line(mark, text) for mark, text in marked),
    ]


def _line(mark: str, text: str) -> str:
    # Headings stand further left than what is below them.
    shown = f"{INDENT[2:]}{text[2:]}" if text.startswith(_ITEM) else text
    line = f"{mark} {visible(shown)}".rstrip()
    return click.style(line, fg=_COLOURS[mark]) if mark in _COLOURS else line


def _told(preview: ContextPreview) -> list[str]:
    """Return the lines that are sent, without those of the fence and what introduces them."""
    lines = [line for line in preview.text.splitlines() if not line.startswith(_FENCES)]
    return lines[1:]


def marked_lines(now: Sequence[str], tried: Sequence[str]) -> list[tuple[str, str]]:
    """Return the lines of both with their mark: + only tried, - only now, a blank in both."""
    marked: list[tuple[str, str]] = []
    steps = SequenceMatcher(None, now, tried, autojunk=False).get_opcodes()
    for step, first, last, tried_first, tried_last in steps:
        if step == "equal":
            marked += [(" ", line) for line in now[first:last]]
        else:
            marked += [("-", line) for line in now[first:last]]
            marked += [("+", line) for line in tried[tried_first:tried_last]]
    return marked


def change_of(marked: Sequence[tuple[str, str]], tokens: int) -> str:
    """Say what changes, such as "3 fewer lines, 210 fewer tokens"."""
    # A heading comes and goes with its lines.
    items = [mark for mark, text in marked if text.startswith(_ITEM)]
    parts = [
        f"{count:,} {word} {'line' if count == 1 else 'lines'}"
        for count, word in ((items.count("+"), "more"), (items.count("-"), "fewer"))
        if count
    ]
    if not parts and not tokens:
        return "nothing changes"
    if tokens:
        unit = "token" if abs(tokens) == 1 else "tokens"
        parts.append(f"{abs(tokens):,} {'more' if tokens > 0 else 'fewer'} {unit}")
    return ", ".join(parts)
