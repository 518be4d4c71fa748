"""What a project's instruction files say, and which files are read."""

import os
from pathlib import Path

import pytest

from intaglio.sessions.project_notes import InstructionFiles, ProjectNotes, statements

HARNESS = "claude-code"
TEXT = """\
# Shop
Use **pnpm**, not npm. The API listens on port 8080.

- Never push to main
  without a review.
- [x] Run `ruff` before [committing](docs/commit.md)
- Don't:
  - log card numbers
- Dates are in ISO form
<!-- - Use spaces -->
~~Use yarn.~~
```sh
Use bun
```
> Use deno

## Deprecated
- Use Redis for caching

## Tests
Avoid:

- sleeping in tests

Tests run with pytest.
"""


def notes(folder: Path, text: str = TEXT, name: str = "CLAUDE.md") -> ProjectNotes:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return InstructionFiles().read(HARNESS, str(folder))


@pytest.mark.parametrize(
    "content",
    [
        "We use `pnpm`, not npm.",
        "The API listens on port 8080",
        "Never push to main without a review.",
        "Always run ruff before committing.",
        "Dates are in ISO form",
        "Run the tests with pytest",
        "Use pnpm, not npm. Tests run with pytest.",
    ],
)
def test_bullets_and_sentences_count_as_statements(tmp_path: Path, content: str) -> None:
    assert notes(tmp_path).file_with(content, exactly=False) == "CLAUDE.md"


@pytest.mark.parametrize(
    "content",
    [
        "The API listens on port 8081",
        "Use npm",
        "Push to main",
        "Log card numbers",
        "Use spaces",
        "Use yarn",
        "Use bun",
        "Use deno",
        "Use Redis for caching",
        "Sleeping in tests",
        "Use pnpm, not npm. Commit messages are in German.",
        "",
    ],
)
def test_rejected_struck_quoted_text_and_code_are_not_statements(
    tmp_path: Path, content: str
) -> None:
    assert notes(tmp_path).file_with(content, exactly=False) is None


def test_an_exact_match_has_the_same_words(tmp_path: Path) -> None:
    found = notes(tmp_path)
    assert found.file_with("use pnpm, not npm!", exactly=True) == "CLAUDE.md"
    assert found.file_with("We use pnpm, not npm.", exactly=True) is None


@pytest.mark.parametrize("exactly", [True, False])
def test_a_question_in_a_file_does_not_state_anything(tmp_path: Path, exactly: bool) -> None:
    found = notes(tmp_path, "- We use Redis?\n- Do we use pnpm?\n")
    assert found.file_with("We use Redis.", exactly=exactly) is None
    assert found.file_with("We use pnpm.", exactly=exactly) is None


@pytest.mark.parametrize("name", ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md"])
def test_every_instruction_file_is_read_and_named(tmp_path: Path, name: str) -> None:
    assert notes(tmp_path, "Use pnpm.", name).file_with("Use pnpm", exactly=False) == name


def test_a_changed_file_is_read_again_and_a_removed_one_is_dropped(tmp_path: Path) -> None:
    files, file = InstructionFiles(), tmp_path / "AGENTS.md"
    file.write_text("Use pnpm.")
    assert files.read(HARNESS, str(tmp_path)).file_with("Use pnpm", exactly=False)
    file.write_text("Use yarn now.")
    assert not files.read(HARNESS, str(tmp_path)).file_with("Use pnpm", exactly=False)
    assert files.read(HARNESS, str(tmp_path)).file_with("Use yarn now", exactly=False)
    file.unlink()
    assert files.read(HARNESS, str(tmp_path)) == ProjectNotes()


def test_pipes_folders_and_links_out_of_the_project_are_ignored(tmp_path: Path) -> None:
    project, outside = tmp_path / "shop", tmp_path / "secret.md"
    project.mkdir()
    outside.write_text("Use pnpm.")
    os.mkfifo(project / "CLAUDE.md")
    (project / "CLAUDE.local.md").mkdir()
    (project / "AGENTS.md").symlink_to(outside)
    assert InstructionFiles().read(HARNESS, str(project)) == ProjectNotes()


def test_a_link_within_the_project_is_followed(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Use pnpm.")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert InstructionFiles().read(HARNESS, str(tmp_path)).file_with("Use pnpm", exactly=False)


@pytest.mark.parametrize("project", [None, "shop", "/nowhere/at/all"])
def test_a_project_without_a_directory_has_no_instruction_files(project: str | None) -> None:
    assert InstructionFiles().read(HARNESS, project) == ProjectNotes()


def test_only_the_start_of_a_huge_file_is_read(tmp_path: Path) -> None:
    found = notes(tmp_path, "- Use pnpm.\n\n" + "x" * 2_000_000 + "\n- Use yarn.\n")
    assert found.file_with("Use pnpm", exactly=False)
    assert not found.file_with("Use yarn", exactly=False)


def test_odd_markdown_is_read_in_linear_time() -> None:
    for text in ("<!--" * 16_000, "```\n" * 16_000, "~~" * 32_000, "[" * 64_000, "# " * 32_000):
        assert len(list(statements(text))) < 40_000
