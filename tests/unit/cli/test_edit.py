"""A memory's text in the user's editor."""

import sys
from pathlib import Path

import pytest

from intaglio.cli.memories.edit import edited


@pytest.mark.parametrize(
    ("editor", "text"),
    [
        ("file.write_text('Tea at six'); os.utime(file, (2e9, 2e9))", "Tea at six"),
        ("file.write_text('  '); os.utime(file, (2e9, 2e9))", "Tea at five"),
        ("pass", "Tea at five"),
    ],
)
def test_the_editors_saved_text_becomes_the_new_text(
    editor: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor.py"
    # Whether it was saved is told by its time, which is to differ by more than a tick.
    script.write_text(f"import os, sys, pathlib\nfile = pathlib.Path(sys.argv[1])\n{editor}\n")
    monkeypatch.setenv("VISUAL", f"{sys.executable} {script}")
    assert edited("Tea at five") == text
