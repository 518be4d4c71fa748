"""How options of commands are read."""

from pathlib import Path

import pytest

from intaglio.cli.options import project_of


@pytest.mark.parametrize("given", [".", "./shop", "work/shop"])
def test_a_relative_path_to_a_folder_names_that_folder(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "work" / "shop").mkdir(parents=True)
    assert project_of(given, here=False) == str(tmp_path / given)


@pytest.mark.parametrize("given", ["shop", "work/none", "/work/shop"])
def test_other_words_name_a_project_as_they_are(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop").mkdir()
    assert project_of(given, here=False) == given
