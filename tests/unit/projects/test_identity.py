"""Which known project a name means."""

from pathlib import Path

import pytest

from fakes.repository import make_repository
from intaglio.projects.identity import AmbiguousProjectError, KnownProjects, names_of


def test_a_repository_has_the_names_of_its_directory_and_of_its_remote(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "infra", "https://example.org/acme/fleet.git")
    names = {"infra", "fleet", "acme/fleet", "example.org/acme/fleet"}
    assert names_of(str(root)) == names
    assert names_of("/nowhere/tea.git") == {"tea"}
    assert names_of("/nowhere/tea/.bare") == {"tea"}
    assert names_of("tea") == {"tea"}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("tea", "/src/tea"),
        ("plan", "plan"),
        ("Tea", "Tea"),
        ("src/tea", "src/tea"),
        ("api", "api"),
        ("nothing", "nothing"),
    ],
)
def test_a_name_resolves_to_the_only_directory_with_it(name: str, key: str) -> None:
    known = KnownProjects.of(["/src/tea", "tea", "plan", "/a/api", "/b/api", "api"])
    assert known.identify(name) == key


def test_an_ambiguous_name_is_refused_with_its_directories() -> None:
    known = KnownProjects.of(["/b/api", "/a/api", "/a/web"])
    with pytest.raises(AmbiguousProjectError) as refused:
        known.identify("api")
    assert refused.value.extra == {"candidates": ["/a/api", "/b/api"]}
    assert refused.value.hint.splitlines()[1:] == ["  /a/api", "  /b/api"]


def test_a_name_is_an_alias_of_the_only_directory_that_has_it() -> None:
    known = KnownProjects.of(["tea", "api", "/src/tea", "/a/api", "/b/api"])
    assert known.aliases("/src/tea") == ("tea",)
    assert known.aliases("/elsewhere/tea") == ()
    assert known.aliases("/a/api") == ()
    assert known.merged() == {"tea": "/src/tea"}
    assert KnownProjects.of(["tea"]).aliases("/new/tea") == ("tea",)
