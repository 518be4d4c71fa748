"""Which files each harness tells its model, as its documentation says."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from intaglio.domain.told_files import SessionPlace, ToldFiles
from intaglio.harness.claude_code import own_files as claude
from intaglio.harness.registry import harnesses
from intaglio.sessions.project_notes import InstructionFiles, InstructionPlaces


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return tmp_path / "home" / "work" / "shop"


def write(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"The file {name} says this.\n")


def names(harness: str, home: Path, project: Path, env: dict[str, str] | None = None) -> list[str]:
    place = SessionPlace(project, project, project / "web")
    found = harnesses()[harness].told_files(home, env or {}, place)
    return [file.name for file in found if file.path.is_file()]


NAMES = (
    *("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", "QWEN.md", "CONTEXT.md"),
    *(".claude/rules/api.md", ".github/copilot-instructions.md", "SOUL.md", "web/AGENTS.md"),
    *("web/CLAUDE.md", "web/GEMINI.md"),
)
OWN = (
    *(".claude/CLAUDE.md", ".claude/rules/mine.md", ".codex/AGENTS.md", ".gemini/GEMINI.md"),
    *(".config/opencode/AGENTS.md", ".qwen/QWEN.md", ".copilot/copilot-instructions.md"),
    *(".codex/memories/memory_summary.md", ".codex/memories/MEMORY.md"),
)


@pytest.mark.parametrize(
    ("harness", "told"),
    [
        (
            "claude-code",
            [
                *("~/.claude/CLAUDE.md", "~/.claude/rules/mine.md", "CLAUDE.md"),
                *("CLAUDE.local.md", "web/CLAUDE.md", ".claude/rules/api.md"),
                "Claude Code's MEMORY.md",
            ],
        ),
        ("codex", ["~/.codex/AGENTS.md", "AGENTS.md", "web/AGENTS.md", "Codex's memories"]),
        ("opencode", ["~/.config/opencode/AGENTS.md", "AGENTS.md", "web/AGENTS.md"]),
        ("gemini-cli", ["~/.gemini/GEMINI.md", "GEMINI.md", "web/GEMINI.md"]),
        ("qwen-code", ["~/.qwen/QWEN.md", "QWEN.md", "AGENTS.md", "web/AGENTS.md"]),
        (
            "copilot-cli",
            [
                *("~/.copilot/copilot-instructions.md", ".github/copilot-instructions.md"),
                *("AGENTS.md", "CLAUDE.md"),
            ],
        ),
        ("cursor", ["AGENTS.md", "CLAUDE.md"]),
        ("openclaw", ["AGENTS.md", "SOUL.md"]),
    ],
)
def test_each_harness_names_its_own_files(
    home: Path, project: Path, harness: str, told: list[str]
) -> None:
    write(project, NAMES)
    write(home, OWN)
    write(claude.memory_folder(home, {}, str(project)), ["MEMORY.md"])
    assert names(harness, home, project) == told


def test_claude_code_reads_agents_md_only_without_a_claude_md(home: Path, project: Path) -> None:
    write(project, ["AGENTS.md"])
    assert names("claude-code", home, project) == ["AGENTS.md"]
    write(project, ["CLAUDE.md"])
    assert names("claude-code", home, project) == ["CLAUDE.md"]


def test_an_imported_file_is_told_too(home: Path, project: Path) -> None:
    write(project, ["AGENTS.md", "docs/api.md"])
    (project / "CLAUDE.md").write_text("Read @AGENTS.md first.\n\n`@docs/code.md` is code.\n")
    (project / "AGENTS.md").write_text("@docs/api.md\n@CLAUDE.md\n@../../../outside.md\n")
    write(home.parent, ["outside.md"])

    def find(harness: str, place: SessionPlace) -> ToldFiles:
        return ToldFiles(tuple(harnesses()[harness].told_files(home, {}, place)))

    read = InstructionFiles(lambda: InstructionPlaces(find)).read("claude-code", str(project))
    assert list(dict.fromkeys(read.files)) == ["CLAUDE.md", "AGENTS.md", "api.md"]
    assert read.file_with("The file docs/api.md says this.", exactly=False) == "api.md"


def test_a_rule_for_certain_paths_says_nothing(home: Path, project: Path) -> None:
    write(project, [".claude/rules/api.md"])
    (project / ".claude/rules/api.md").write_text("---\npaths: src/**\n---\nUse pnpm here.\n")

    def find(harness: str, place: SessionPlace) -> ToldFiles:
        return ToldFiles(tuple(harnesses()[harness].told_files(home, {}, place)))

    read = InstructionFiles(lambda: InstructionPlaces(find)).read("claude-code", str(project))
    assert read.file_with("Use pnpm here.", exactly=False) is None


def test_claude_codes_memory_is_where_its_settings_say(home: Path, project: Path) -> None:
    write(home, [".claude/settings.json"])
    settings = home / ".claude" / "settings.json"
    settings.write_text('{"autoMemoryDirectory": "~/notes", "other": 1}')
    write(home, ["notes/MEMORY.md"])
    assert names("claude-code", home, project) == ["Claude Code's MEMORY.md"]
    (folder,) = claude.memory_places(home, {}, ("/a", "/b"))
    assert (folder.folder, folder.project) == (home / "notes", None)
    off = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    assert names("claude-code", home, project, off) == []
    settings.write_text('{"autoMemoryEnabled": false}')
    write(claude.memory_folder(home, {}, str(project)), ["MEMORY.md"])
    assert names("claude-code", home, project) == []
    settings.write_text("no json")
    assert names("claude-code", home, project) == ["Claude Code's MEMORY.md"]
