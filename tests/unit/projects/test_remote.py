"""One remote is one key on every machine, whichever way it is reached."""

from pathlib import Path

import pytest

from intaglio.git.finder import normal_remote
from intaglio.projects.resolver import resolve_project


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/ann/tea.git",
        "https://example.org/ann/tea",
        "https://example.org/ann/tea/",
        "https://ann:secret@example.org/ann/tea.git",
        "https://token@Example.ORG:443/ann/tea.git",
        "ssh://git@example.org/ann/tea.git",
        "ssh://git@example.org:22/ann/tea.git",
        "git@example.org:ann/tea.git",
        "git@example.org:/ann/tea.git",
        "example.org:ann/tea",
        "git://example.org/ann/tea.git",
        "http://example.org/ann/tea.git",
    ],
)
def test_every_form_of_a_remote_has_the_same_key(url: str) -> None:
    assert normal_remote(url) == "example.org/ann/tea"


def test_another_port_or_case_of_the_path_is_another_remote() -> None:
    assert normal_remote("https://example.org:8443/ann/tea.git") == "example.org:8443/ann/tea"
    assert normal_remote("https://example.org/Ann/Tea") == "example.org/Ann/Tea"


@pytest.mark.parametrize(
    "url",
    ["", "/srv/git/tea.git", "../tea", "file:///srv/tea.git", "C:/work/tea", "https://", "x://"],
)
def test_a_local_remote_has_no_key(url: str) -> None:
    assert normal_remote(url) is None


def _repository(folder: Path, config: str) -> Path:
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (folder / ".git" / "config").write_text(config, encoding="utf-8")
    return folder


ORIGIN = '[remote "origin"]\n\turl = git@example.org:ann/tea.git\n\tfetch = +refs/*:refs/*\n'
OTHER = '[remote "fork"]\n\tfetch = +refs/*:refs/*\n\turl = https://x:y@example.org/bob/tea\n'


@pytest.mark.parametrize(
    ("config", "key"),
    [
        ("", None),
        ("[core]\n\tbare = false\n" + ORIGIN, "example.org/ann/tea"),
        (OTHER, "example.org/bob/tea"),
        (OTHER + ORIGIN, "example.org/ann/tea"),
        (OTHER + OTHER.replace("fork", "third"), None),
    ],
)
def test_a_project_carries_the_key_of_its_remote(
    tmp_path: Path, config: str, key: str | None
) -> None:
    project = resolve_project(str(_repository(tmp_path / "tea", config) / "deep"))
    assert project is not None
    assert project.shared_key == key
