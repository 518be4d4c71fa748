"""`intaglio import`: what there is, what would be kept, the import itself, and its end."""

import json
import re
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from fakes.daemon import NO_MODEL, write_settings
from fakes.exports import Said, chatgpt_conversation, zipped
from fakes.past_history import PastHistory
from fakes.shell import Shell, shell_of

SURE: Final = "We decided to use Postgres for the billing worker from now on."
RULE: Final = "From now on always run the linter before pushing."


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    with shell_of(tmp_path_factory.mktemp("imports")) as found:
        write_settings(found.home, "backup: {enabled: false}\n" + NO_MODEL)
        found.start()
        yield found


def export(folder: Path, conversation: str, *said: str) -> Path:
    lines: list[Said] = [("user", text) for text in said]
    file = folder / f"{conversation}.zip"
    file.write_bytes(zipped({"conversations.json": [chatgpt_conversation(conversation, lines)]}))
    return file


def uploads(shell: Shell) -> list[str]:
    folder = shell.home / "state" / "uploads"
    return [each.name for each in folder.iterdir()] if folder.exists() else []


def test_sessions_of_agents_are_listed_previewed_and_imported(shell: Shell) -> None:
    nothing = shell("import")
    assert (nothing.returncode, nothing.stdout) == (0, "There is nothing to import.\n")
    assert shell("import", "--list").stdout.startswith("There are no sessions to import.\n")
    began = datetime.now(UTC) - timedelta(days=3)
    history = PastHistory(shell.home, shell.home / "work", per_prompt=2_000)
    history.claude_code(began, prompts=1, said=(SURE,))
    listed = shell("import", "--list").stdout
    assert listed.startswith("Claude Code  1 session, ")
    # Nobody can be asked: it says how to go on, and nothing is imported.
    asked = shell("import")
    assert asked.returncode == 1
    assert "(estimated from 1 of 1 session)" in asked.stdout
    assert "Postgres" in asked.stdout
    assert asked.stderr.splitlines()[-1] == "Add --yes to start the import."
    assert "Postgres" not in shell("list").stdout
    done = shell("import", "--yes")
    assert done.returncode == 0, done.stderr
    assert "Imported 1 session: " in done.stdout
    assert "intaglio take-back import " in done.stdout
    assert re.search(r"\(Import of 20\d\d-\d\d-\d\d, 1 session\)", shell("take-back").stdout)
    again = shell("import", "--yes")
    assert again.stdout.splitlines()[-1] == "There is nothing to import."
    assert "Done" in shell("import", "--list").stdout


def test_an_export_is_uploaded_imported_and_deleted(shell: Shell, tmp_path: Path) -> None:
    file = export(tmp_path, "anvil", RULE)
    done = shell("import", str(file), "--yes", "--json", "--project", "/work/anvil")
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)
    assert (run["state"], run["sessions"], run["kept"] + run["suggested"]) == ("done", 1, 1)
    assert uploads(shell) == []
    again = shell("import", str(file), "--yes")
    assert again.stdout.splitlines()[-1] == "There is nothing to import."
    assert uploads(shell) == []


def test_a_preview_of_an_export_that_nobody_confirms_leaves_nothing(
    shell: Shell, tmp_path: Path
) -> None:
    file = str(export(tmp_path, "lantern", "Never use tabs in lantern."))
    # With a project it previews what the import would do, which is to keep it.
    placed = shell("import", file, "--project", "/work/lantern")
    assert placed.stdout.splitlines()[-1].split()[0] == "kept"
    done = shell("import", file)
    assert done.returncode == 1
    assert done.stdout.startswith("ChatGPT  1 session, 2026-01-01, 0.0 MB, lantern.zip\n")
    assert uploads(shell) == []


def test_a_file_that_is_no_export_is_refused_with_the_reason(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "notes.zip"
    file.write_bytes(zipped({"notes.txt": b"x"}))
    good = export(tmp_path, "quarry", "Never use tabs in quarry.")
    done = shell("import", str(good), str(file), "--yes")
    assert done.returncode == 1
    assert "Can't import notes.zip. The archive has no conversations.json." in done.stderr
    assert uploads(shell) == []


@pytest.mark.parametrize(
    ("args", "code", "text"),
    [
        (("--cancel",), 1, "No import is running."),
        (("--source", "nothing"), 1, "There is no source 'nothing'."),
        (("--list", "--yes"), 2, "Use --list by itself."),
        (("--cancel", "--list"), 2, "Use --list by itself."),
        (("--project", " "), 2, "--project needs a path or a name."),
        (("missing.zip",), 2, "'missing.zip' does not exist"),
    ],
)
def test_what_cannot_be_says_why(shell: Shell, args: tuple[str, ...], code: int, text: str) -> None:
    done = shell("import", *args)
    assert done.returncode == code
    assert text in done.stderr
