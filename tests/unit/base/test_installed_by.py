"""How a copy of Intaglio was installed is read from what its installer left."""

from pathlib import Path

import pytest

from intaglio.base.installed_by import installed_by


@pytest.mark.parametrize(
    ("file", "kind"),
    [("pipx_metadata.json", "pipx"), ("uv-receipt.toml", "uv"), ("something-else", "pip")],
)
def test_an_environment_is_known_by_the_file_of_the_program_that_made_it(
    tmp_path: Path, file: str, kind: str
) -> None:
    (tmp_path / file).touch()
    assert installed_by(tmp_path / "lib" / "intaglio", tmp_path) == kind


def test_a_package_says_itself_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "pipx_metadata.json").touch()
    note = tmp_path / "intaglio" / "_built" / "installed-by.txt"
    note.parent.mkdir(parents=True)
    note.write_text("deb\n")
    assert installed_by(tmp_path / "intaglio", tmp_path) == "deb"


def test_an_unknown_note_is_ignored(tmp_path: Path) -> None:
    note = tmp_path / "intaglio" / "_built" / "installed-by.txt"
    note.parent.mkdir(parents=True)
    note.write_bytes(b"\xff\xfe")
    assert installed_by(tmp_path / "intaglio", tmp_path) == "pip"


def test_a_clone_has_its_project_file_above_the_package() -> None:
    assert installed_by() == "clone"
