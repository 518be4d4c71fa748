"""What the command line says of moved and merged projects."""

from typing import Literal

import pytest

from intaglio.cli.projects.output import change_line, transfer_text
from intaglio.wire.projects import ProjectChangeRow

_Kind = Literal["move", "merge"]
_WORDS: list[tuple[_Kind, str]] = [
    ("move", "Moved {} to /new"),
    ("merge", "Merged {} into /new"),
]


@pytest.mark.parametrize(("kind", "words"), _WORDS)
def test_projects_move_to_a_directory_and_merge_into_a_project(kind: _Kind, words: str) -> None:
    assert transfer_text(kind, "2 memories", "/new") == words.format("2 memories")


@pytest.mark.parametrize(("kind", "words"), _WORDS)
def test_the_list_of_changes_shows_moves_and_merges(kind: _Kind, words: str) -> None:
    line = change_line(
        ProjectChangeRow(
            id="c1",
            kind=kind,
            project="/old",
            target="/new",
            name=None,
            memories=2,
            detected=False,
            changed_by="cli",
            created_at="2026-11-25T12:00:00.000Z",
            undone_at=None,
        )
    )
    assert line.endswith(words.format("/old") + " (2 memories)")
