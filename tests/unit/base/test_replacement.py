"""Replacing a file of the user: nothing is lost, whoever else saves it meanwhile."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from intaglio.base.files.replacement import (
    BusyFileError,
    ReplacedFile,
    UnwritableFileError,
    is_writable,
    replace_file,
)

EXCHANGES = [
    pytest.param(
        True, marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges files")
    ),
    False,
]
Save = Callable[[Path, bytes], None]


def save_by_rename(file: Path, content: bytes) -> None:
    part = file.with_name("editor.part")
    part.write_bytes(content)
    part.replace(file)


def save_in_place(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def save_like_vim(file: Path, content: bytes) -> None:
    file.replace(file.with_name("agent.yaml~"))
    file.write_bytes(content)


def appending(line: bytes, meanwhile: Callable[[], None] | None = None) -> Callable[..., bytes]:
    """Return an edit that appends a line; ``meanwhile`` happens once, after the file was read."""
    left = [meanwhile] if meanwhile is not None else []

    def edit(content: bytes | None) -> bytes:
        while left:
            left.pop()()
        return (content or b"") + line

    return edit


@pytest.fixture
def file(tmp_path: Path) -> Path:
    one = tmp_path / "home" / "agent.yaml"
    one.parent.mkdir()
    one.write_bytes(b"first\n")
    return one


def left_over(file: Path) -> list[str]:
    return sorted(each.name for each in file.parent.iterdir() if each.name.endswith(".part"))


@pytest.mark.parametrize("exchanges", EXCHANGES)
@pytest.mark.parametrize("save", [save_by_rename, save_in_place, save_like_vim])
def test_what_an_editor_saves_between_reading_and_replacing_is_kept(
    file: Path, save: Save, *, exchanges: bool
) -> None:
    edit = appending(b"ours\n", lambda: save(file, b"first\ntheirs\n"))
    done = replace_file(file, edit, exchanges=exchanges)
    assert file.read_bytes() == b"first\ntheirs\nours\n"
    assert done == ReplacedFile(b"first\ntheirs\n", b"first\ntheirs\nours\n")
    assert not left_over(file)


@pytest.mark.parametrize("exchanges", EXCHANGES)
@pytest.mark.parametrize("save", [save_by_rename, save_in_place])
def test_several_saves_in_a_row_are_kept(file: Path, save: Save, *, exchanges: bool) -> None:
    saves = [b"one\n", b"two\n", b"three\n"]

    def edit(content: bytes | None) -> bytes:
        if saves:
            save(file, saves.pop(0))
        return (content or b"") + b"ours\n"

    replace_file(file, edit, exchanges=exchanges)
    # What was in place when the last one was saved may have been ours, made from an older one.
    assert file.read_bytes() == b"three\nours\n"
    assert not left_over(file)


@pytest.mark.parametrize("exchanges", EXCHANGES)
def test_a_save_that_breaks_the_file_stays_and_is_reported(file: Path, *, exchanges: bool) -> None:
    def edit(content: bytes | None) -> bytes:
        if content == b"broken\n":
            raise ValueError("broken")
        save_by_rename(file, b"broken\n")
        return b"ours\n"

    with pytest.raises(ValueError, match="broken"):
        replace_file(file, edit, exchanges=exchanges)
    assert file.read_bytes() == b"broken\n"
    assert not left_over(file)


@pytest.mark.parametrize("exchanges", EXCHANGES)
def test_a_save_that_says_the_same_is_no_reason_to_write(file: Path, *, exchanges: bool) -> None:
    save_by_rename(file, b"wanted\n")
    before = file.stat()
    replace_file(file, lambda _: b"wanted\n", exchanges=exchanges)
    assert file.stat() == before


@pytest.mark.parametrize("exchanges", EXCHANGES)
def test_a_file_that_is_deleted_meanwhile_is_written_anew(file: Path, *, exchanges: bool) -> None:
    replace_file(file, appending(b"ours\n", file.unlink), exchanges=exchanges)
    assert file.read_bytes() == b"ours\n"


def test_a_missing_file_is_created_for_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "new" / "agent.yaml"
    done = replace_file(file, lambda content: b"ours\n" if content is None else b"")
    assert done == ReplacedFile(None, b"ours\n")
    assert file.read_bytes() == b"ours\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not left_over(file)


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    edit = appending(b"ours\n", lambda: save_by_rename(file, b"theirs\n"))
    replace_file(file, edit)
    assert file.read_bytes() == b"theirs\nours\n"


def test_nothing_is_written_for_a_missing_file_that_needs_nothing(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    assert replace_file(file, lambda _: None) == ReplacedFile(None, None)
    assert not file.exists()


@pytest.mark.parametrize("exchanges", EXCHANGES)
def test_mode_and_owner_stay(file: Path, *, exchanges: bool) -> None:
    file.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(file, 1234, 2345)
    before = file.stat()
    replace_file(file, appending(b"ours\n"), exchanges=exchanges)
    after = file.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        *(before.st_mode, before.st_uid, before.st_gid),
    )


@pytest.mark.parametrize("exchanges", EXCHANGES)
def test_a_link_stays_and_its_target_is_replaced(file: Path, *, exchanges: bool) -> None:
    target = file.parent / "dotfiles" / "agent.yaml"
    target.parent.mkdir()
    file.rename(target)
    file.symlink_to("dotfiles/agent.yaml")
    replace_file(file, appending(b"ours\n"), exchanges=exchanges)
    assert file.is_symlink()
    assert target.read_bytes() == b"first\nours\n"


def test_a_read_only_file_is_left_alone(file: Path) -> None:
    file.chmod(0o400)
    assert not is_writable(file)
    with pytest.raises(UnwritableFileError, match="read-only"):
        replace_file(file, appending(b"ours\n"))
    assert file.read_bytes() == b"first\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions don't bind root")
def test_a_file_in_a_read_only_folder_is_left_alone(file: Path) -> None:
    file.parent.chmod(0o500)
    try:
        assert not is_writable(file)
        with pytest.raises(UnwritableFileError, match="read-only"):
            replace_file(file, appending(b"ours\n"))
    finally:
        file.parent.chmod(0o700)
    assert file.read_bytes() == b"first\n"


def test_a_file_that_never_rests_is_given_up_with_what_was_saved(file: Path) -> None:
    saves = 0

    def edit(content: bytes | None) -> bytes:
        nonlocal saves
        saves += 1
        save_by_rename(file, b"%d\n" % saves)
        return (content or b"") + b"ours\n"

    with pytest.raises(BusyFileError):
        replace_file(file, edit, exchanges=False)
    assert file.read_bytes() == b"%d\n" % saves


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who writes a file")
def test_a_program_that_is_writing_in_place_is_waited_for(file: Path) -> None:
    script = (
        "import sys; stream = open(sys.argv[1], 'ab'); print(flush=True); sys.stdin.read(); "
        "stream.write(b'theirs\\n'); stream.close()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdout.readline()

        def edit(content: bytes | None) -> bytes:
            return (content or b"") + b"ours\n"

        with pytest.raises(BusyFileError):
            replace_file(file, edit)
        assert file.read_bytes() == b"first\n"
        writer.stdin.close()
    replace_file(file, edit)
    assert file.read_bytes() == b"first\ntheirs\nours\n"


ROUNDS = 50
WRITER = """
import sys
from pathlib import Path
from intaglio.base.agent_yaml.editor import set_value
from intaglio.base.clock import system_clock
from intaglio.base.settings.catalogue import SettingsCatalogue
from intaglio.base.settings.settings_file import SettingsFile
file, name, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
writer = SettingsFile(lambda: file, file.with_name("lock"), system_clock, SettingsCatalogue((), ()))
for number in range(rounds):
    key = [name, f"k{number}"]
    writer.replace(file, lambda data: set_value((data or b"").decode(), key, number).encode())
    print(number, flush=True)
"""
EDITOR = """
import sys, time
from pathlib import Path
file, rounds = Path(sys.argv[1]), int(sys.argv[2])
log, part = file.with_name("saved"), file.with_name(".agent.yaml.swp")
log.mkdir()
for number in range(rounds):
    # What it saved is out of its place for the moment in which a writer takes its change back.
    for _ in range(1_000):
        text = file.read_text()
        missing = [n for n in range(number) if f"# saved {n}.\\n" not in text]
        if not missing:
            break
        time.sleep(0.01)
    assert not missing, (number, missing, text)
    part.write_text(text + f"# saved {number}.\\n")
    (log / f"{number:03}").write_text(part.read_text())
    part.replace(file)
    print(number, flush=True)
text = file.read_text()
assert all(f"# saved {n}.\\n" in text for n in range(rounds)), text
"""


def start(script: str, *args: object) -> "subprocess.Popen[str]":
    words = [sys.executable, "-c", script, *map(str, args)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(*processes: "subprocess.Popen[str]") -> None:
    for process in processes:
        out, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        assert len(out.split()) == ROUNDS


def keys_in(text: str) -> set[str]:
    names: set[str] = set()
    section = ""
    for line in text.splitlines():
        if line and not line.startswith((" ", "#")):
            section = line.rstrip(":")
        elif line.startswith("  k"):
            names.add(f"{section}.{line.split(':')[0].strip()}")
    return names


def test_two_programs_lose_nothing_of_each_other(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text("# mine\n", encoding="utf-8")
    ended(*(start(WRITER, file, name, ROUNDS) for name in ("one", "two")))
    wanted = {f"{name}.k{number}" for name in ("one", "two") for number in range(ROUNDS)}
    assert keys_in(file.read_text()) == wanted
    assert file.read_text().startswith("# mine\n")


def test_two_programs_and_an_editor_that_saves_by_rename_lose_nothing(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text("# mine\n", encoding="utf-8")
    writers = [start(WRITER, file, name, ROUNDS) for name in ("one", "two")]
    # It checks itself that whatever it saved is still there.
    ended(start(EDITOR, file, ROUNDS), *writers)
    # A key can only be missing if the editor saved a text that it had read before the key came.
    saved = [keys_in(each.read_text()) for each in (tmp_path / "saved").iterdir()]
    wanted = {f"{name}.k{number}" for name in ("one", "two") for number in range(ROUNDS)}
    lost = wanted - keys_in(file.read_text())
    assert all(any(key not in keys for keys in saved) for key in lost)
    # After the editor's last save, nothing is missing.
    ended(*(start(WRITER, file, name, ROUNDS) for name in ("one", "two")))
    assert keys_in(file.read_text()) == wanted
