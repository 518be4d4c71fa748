"""What a harness tells its model by itself isn't told again, at a start or with a prompt."""

from pathlib import Path

from fakes.sessions import House, session
from intaglio.domain.told_files import SessionPlace, ToldFile, ToldFiles
from intaglio.memory.values import Source
from intaglio.sessions.project_notes import InstructionFiles, InstructionPlaces
from intaglio.sessions.values import InjectedContext

DATABASE = "We decided to use PostgreSQL 16 for the billing service."
QUESTION = "Which database does the billing service use?"


def tells(house: House, *files: ToldFile, own: tuple[Path, ...] = ()) -> None:
    """Let the harness tell these files, and keep its own memory in those folders."""

    def find(_: str, __: SessionPlace) -> ToldFiles:
        return ToldFiles(files, own)

    house.instructions = InstructionFiles(lambda: InstructionPlaces(find))


def reasons(shown: InjectedContext) -> list[str]:
    return [entry.left_out for entry in shown.entries if entry.left_out]


async def test_a_start_leaves_out_what_a_file_of_the_harness_says(
    house: House, tmp_path: Path
) -> None:
    await house.remember(DATABASE, type="decision")
    file = tmp_path / "CLAUDE.md"
    file.write_text(f"# Mine\n\n- {DATABASE}\n")
    tells(house, ToldFile(file, "~/.claude/CLAUDE.md"))
    shown = await house.start(session())
    assert shown.text == ""
    assert reasons(shown) == ["already in ~/.claude/CLAUDE.md"]
    [row] = await house.rows("SELECT injected, reason FROM session_memories")
    assert row == (0, "already in ~/.claude/CLAUDE.md")


async def test_a_prompt_leaves_out_what_a_file_of_the_harness_says(
    house: House, tmp_path: Path
) -> None:
    await house.remember(DATABASE, type="decision")
    file = tmp_path / "CLAUDE.md"
    file.write_text(f"# Mine\n\n- {DATABASE}\n")
    tells(house, ToldFile(file, "CLAUDE.md"))
    shown = await house.prompt(session(), QUESTION)
    assert (shown.text, reasons(shown)) == ("", ["already in CLAUDE.md"])
    file.write_text("Nothing about databases.\n")
    assert DATABASE in (await house.prompt(session(), QUESTION)).text


async def test_what_stands_behind_the_lines_that_are_told_is_told(
    house: House, tmp_path: Path
) -> None:
    await house.remember(DATABASE, type="decision")
    file = tmp_path / "MEMORY.md"
    file.write_text("\n" * 200 + DATABASE)
    tells(house, ToldFile(file, "MEMORY.md", lines=200))
    assert DATABASE in (await house.prompt(session(), QUESTION)).text


async def test_a_harness_is_not_told_what_was_read_in_its_own_memory(
    house: House, tmp_path: Path
) -> None:
    read = Source("file", "line", str(tmp_path / "memory" / "billing.md"))
    await house.remember(DATABASE, source=read)
    tells(house, own=(tmp_path / "memory",))
    shown = await house.prompt(session(), QUESTION)
    assert (shown.text, reasons(shown)) == ("", ["already in billing.md"])
    tells(house, own=(tmp_path / "another",))
    assert DATABASE in (await house.prompt(session(), QUESTION)).text


async def test_what_was_read_in_a_file_is_told_as_an_answer_only(house: House) -> None:
    await house.remember(DATABASE, type="fact", source=Source("file", "line", "/m/db.md"))
    assert (await house.start(session())).text == ""
    assert f"{DATABASE} (read in a file" in (await house.prompt(session(), QUESTION)).text


async def test_a_failure_leaves_nothing_out(house: House) -> None:
    await house.remember(DATABASE, type="decision")

    def fail(_: str, __: SessionPlace) -> ToldFiles:
        raise OSError("the disk is gone")

    house.instructions = InstructionFiles(lambda: InstructionPlaces(fail))
    assert DATABASE in (await house.start(session())).text
