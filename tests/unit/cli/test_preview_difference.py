"""How a preview with other settings is compared with what is told now."""

from collections.abc import Sequence

import click
import pytest

from intaglio.cli.preview_difference import (
    change_of,
    difference_lines,
    marked_lines,
    setting_value,
)
from intaglio.wire.sessions import ContextPreview, PreviewReply, SettingWithoutEffect


def context(tokens: int, *lines: str) -> ContextPreview:
    text = "\n".join(
        ('<intaglio-memory source="x">', "Notes from before.", *lines, "</intaglio-memory>")
    )
    return ContextPreview(
        text=text if lines else "", tokens=tokens, budget=600, characters=0, max_characters=0,
        sessions=[], commits=[], lines=[], left_out=[], held_back=0,
    )  # fmt: skip


def reply(
    start: ContextPreview, prompt: ContextPreview | None = None, ignored: Sequence[str] = ()
) -> PreviewReply:
    return PreviewReply(
        project=None, agent="default", harness="claude-code", harness_label="Claude Code",
        focal=[], start=start, prompt=prompt,
        without_effect=[SettingWithoutEffect(key=key, reason="Why not.") for key in ignored],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("300", 300), ("0.5", 0.5), ("off", "off"), ("default", None), ("", "")],
)
def test_a_typed_value_is_read(text: str, value: object) -> None:
    assert setting_value(text) == value


@pytest.mark.parametrize(
    ("now", "tried", "tokens", "said"),
    [
        ((), (), 0, "nothing changes"),
        (("- a", "- b"), ("- a",), -10, "1 fewer line, 10 fewer tokens"),
        (("- a",), ("Decided", "- a", "- b", "- c"), 1, "2 more lines, 1 more token"),
        (("- a",), ("- b",), 0, "1 more line, 1 fewer line"),
    ],
)
def test_what_changes_is_said_in_a_sentence(
    now: Sequence[str], tried: Sequence[str], tokens: int, said: str
) -> None:
    assert change_of(marked_lines(now, tried), tokens) == said


def test_lines_are_marked_as_they_are_told() -> None:
    now = reply(context(90, "Decided", "- Use make.", "- Use SQLite."), context(0))
    tried = reply(context(60, "Decided", "- Use SQLite."), context(20, "- Port 8081."), ["a.b"])
    lines = difference_lines(now, tried, {"a.b": True, "c": None})
    assert [click.unstyle(line) for line in lines] == [
        "With a.b = true, c = default:",
        "a.b has no effect here. Why not.",
        "",
        "The next session: 1 fewer line, 30 fewer tokens (90 → 60 of at most 600 tokens)",
        "  Decided",
        "-   Use make.",
        "    Use SQLite.",
        "",
        "The prompt: 1 more line, 20 more tokens (0 → 20 of at most 600 tokens)",
        "+   Port 8081.",
    ]
