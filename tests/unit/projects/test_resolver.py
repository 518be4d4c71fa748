"""What is one project and what is not, on real directories and real git repositories."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.forged_projects import FORGERIES, own_folder
from fakes.git import git, repository
from intaglio.git.finder import worktrees_of
from intaglio.projects.resolver import (
    Project,
    is_inside,
    is_wide,
    resolve_project,
    working_root,
)


def _project(path: Path | str) -> Project:
    project = resolve_project(str(path))
    assert project is not None
    return project


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path.resolve()


def test_a_repository_resolves_to_its_root(base: Path) -> None:
    root = repository(base / "shop")
    assert _project(root) == Project(str(root), "shop", root, "git")


def test_a_nested_folder_resolves_to_the_repository(base: Path) -> None:
    root = repository(base / "shop")
    (root / "a/b/c").mkdir(parents=True)
    assert _project(root / "a/b/c").key == str(root)


def test_a_file_resolves_to_its_repository(base: Path) -> None:
    root = repository(base / "shop")
    (root / "readme").write_text("x")
    assert _project(root / "readme").key == str(root)


def test_a_missing_folder_resolves_to_its_repository(base: Path) -> None:
    root = repository(base / "shop")
    assert _project(root / "not/yet").key == str(root)


def test_the_git_folder_resolves_to_its_repository(base: Path) -> None:
    root = repository(base / "shop")
    assert _project(root / ".git/hooks").key == str(root)


def test_worktrees_are_one_project(base: Path) -> None:
    root = repository(base / "shop")
    git(root, "worktree", "add", "-q", str(base / "elsewhere/feature"))
    (base / "elsewhere/feature/src").mkdir()
    assert _project(base / "elsewhere/feature/src") == _project(root)


def test_a_worktree_has_a_root_of_its_own(base: Path) -> None:
    root, tree = repository(base / "shop"), base / "elsewhere/feature"
    git(root, "worktree", "add", "-q", str(tree))
    assert working_root(str(tree / "src/deep"), str(root)) == tree
    assert working_root(str(root / "src"), str(root)) == root
    assert working_root(str(tree), str(base / "other")) is None
    assert working_root("shop", str(root)) is None


def test_the_root_of_a_folder_without_a_repository_is_itself(base: Path) -> None:
    assert working_root(str(base), str(base)) == base


def test_a_folder_that_claims_to_be_a_worktree_has_no_root_in_the_project(base: Path) -> None:
    root, fake = repository(base / "shop"), base / "fake"
    git(root, "worktree", "add", "-q", str(base / "real"))
    fake.mkdir()
    (fake / ".git").write_text(f"gitdir: {root}/.git/worktrees/real")
    assert working_root(str(fake), str(root)) is None


def test_a_removed_worktree_keeps_its_own_path(base: Path) -> None:
    root = repository(base / "shop")
    tree = base / "trees/feature"
    git(root, "worktree", "add", "-q", str(tree))
    git(root, "worktree", "remove", str(tree))
    assert _project(tree) == Project(str(tree), "feature", tree, "directory")


def test_worktrees_of_a_bare_repository_are_one_project(base: Path) -> None:
    root = repository(base / "shop")
    git(base, "clone", "-q", "--bare", str(root), str(base / "hub/.bare"))
    (base / "hub/.git").write_text("gitdir: ./.bare\n")
    git(base / "hub/.bare", "worktree", "add", "-q", str(base / "hub/main"), "main")
    assert _project(base / "hub/main") == _project(base / "hub")
    assert _project(base / "hub").name == "hub"


def test_a_bare_repository_is_a_project(base: Path) -> None:
    root = repository(base / "shop")
    git(base, "clone", "-q", "--bare", str(root), str(base / "shop.git"))
    bare = base / "shop.git"
    assert _project(bare / "objects") == Project(str(bare), "shop", bare, "git")


def test_a_submodule_is_its_own_project(base: Path) -> None:
    inner, outer = repository(base / "inner"), repository(base / "outer")
    git(outer, "submodule", "add", "-q", str(inner), "libs/inner")
    assert _project(outer / "libs/inner").key == str(outer / "libs/inner")
    assert _project(outer / "libs").key == str(outer)


def test_a_worktree_of_a_submodule_is_the_submodule(base: Path) -> None:
    inner, outer = repository(base / "inner"), repository(base / "outer")
    git(outer, "submodule", "add", "-q", str(inner), "libs/inner")
    module = outer / "libs/inner"
    git(module, "worktree", "add", "-q", str(base / "tree"))
    assert _project(base / "tree") == _project(module)


def test_the_innermost_repository_wins(base: Path) -> None:
    outer = repository(base / "outer")
    inner = repository(outer / "vendor/inner")
    assert _project(inner / "x").key == str(inner)
    assert _project(outer / "vendor").key == str(outer)


def test_a_link_to_a_repository_resolves_to_it(base: Path) -> None:
    root = repository(base / "shop")
    (base / "link").symlink_to(root)
    assert _project(base / "link" / "src") == _project(root)


def test_an_empty_git_folder_is_not_a_repository(base: Path) -> None:
    (base / "shop/.git").mkdir(parents=True)
    assert _project(base / "shop").kind == "directory"


@pytest.mark.parametrize(
    "pointer",
    [
        "",
        "rubbish",
        "gitdir:",
        "gitdir: /nowhere",
        "gitdir: \x00",
        "gitdir: " + "a/" * 4_000,
        "\xff",
    ],
    ids=["empty", "rubbish", "nothing", "missing", "null", "long", "latin"],
)
def test_a_broken_pointer_leaves_the_folder_as_it_is(base: Path, pointer: str) -> None:
    (base / "shop").mkdir()
    (base / "shop/.git").write_bytes(pointer.encode("latin-1"))
    assert _project(base / "shop").key == str(base / "shop")


def test_a_folder_cannot_claim_to_be_a_worktree_of_another_project(base: Path) -> None:
    root = repository(base / "client")
    git(root, "worktree", "add", "-q", str(base / "real"))
    for name, target in (
        ("one", root / ".git/worktrees/real"),
        ("two", root / ".git"),
    ):
        (base / name).mkdir()
        (base / name / ".git").write_text(f"gitdir: {target}\n")
        assert _project(base / name).key == str(base / name)
    (base / "three").mkdir()
    (base / "three/.git").symlink_to(root / ".git")
    assert _project(base / "three").key == str(base / "three")


@pytest.fixture(scope="module")
def claimed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a repository ``client`` and its worktree ``real``, and ``part`` and ``tree``.

    These are a submodule's repository, as a folder whose ``.git`` is a link, and its worktree.
    """
    base = tmp_path_factory.mktemp("claimed").resolve()
    git(repository(base / "client"), "worktree", "add", "-q", str(base / "real"))
    outer = repository(base / "outer")
    git(outer, "submodule", "add", "-q", str(base / "client"), "libs/part")
    git(outer / "libs/part", "worktree", "add", "-q", str(base / "tree"))
    (base / "part").mkdir()
    (base / "part/.git").symlink_to(outer / ".git/modules/libs/part")
    return base


def test_a_claimed_repository_has_worktrees(claimed: Path) -> None:
    assert _project(claimed / "real").key == str(claimed / "client")
    assert _project(claimed / "tree").key == str(claimed / "outer/libs/part")


@pytest.mark.parametrize("name", FORGERIES)
@pytest.mark.parametrize("victim", ["client", "part"])
def test_a_folder_that_claims_another_repository_is_not_its_project(
    base: Path, claimed: Path, victim: str, name: str
) -> None:
    fake = base / "fake"
    (fake / "src").mkdir(parents=True)
    FORGERIES[name](fake, claimed / victim)
    for inside in (fake, fake / "src", fake / "missing"):
        assert Path(_project(inside).key).is_relative_to(fake)
        for root in ("client", "part", "outer/libs/part"):
            assert working_root(str(inside), str(claimed / root)) is None


def test_a_repository_lists_only_worktrees_that_point_back(base: Path) -> None:
    victim, fake = repository(base / "client"), base / "fake"
    git(victim, "worktree", "add", "-q", str(base / "real"))
    fake.mkdir()
    own_folder(fake, victim)
    record = victim / ".git/worktrees/fake"
    record.mkdir()
    (record / "gitdir").write_text(f"{fake}/.git\n")
    assert worktrees_of(victim) == (base / "real",)


def test_a_worktree_with_relative_paths_is_its_repository(base: Path) -> None:
    root, tree = repository(base / "shop"), base / "trees/feature"
    git(root, "worktree", "add", "-q", str(tree))
    record = root / ".git/worktrees/feature"
    (tree / ".git").write_text("gitdir: ../../shop/.git/worktrees/feature\n")
    (record / "gitdir").write_text("../../../../trees/feature/.git\n")
    assert _project(tree / "src") == _project(root)
    assert worktrees_of(root) == (tree,)


def test_a_worktree_below_a_linked_folder_is_its_repository(base: Path) -> None:
    root = repository(base / "shop")
    (base / "disk").mkdir()
    (base / "trees").symlink_to(base / "disk")
    git(root, "worktree", "add", "-q", str(base / "trees/feature"))
    # Written by whoever came by the link.
    record = root / ".git/worktrees/feature"
    (record / "gitdir").write_text(f"{base}/trees/feature/.git\n")
    assert _project(base / "disk/feature") == _project(root)
    assert _project(base / "trees/feature") == _project(root)


def test_a_moved_worktree_is_its_own_until_git_repairs_it(base: Path) -> None:
    root, moved = repository(base / "shop"), base / "moved"
    git(root, "worktree", "add", "-q", str(base / "feature"))
    (base / "feature").rename(moved)
    assert _project(moved).key == str(moved)
    git(moved, "worktree", "repair")
    assert _project(moved) == _project(root)


def test_a_repository_in_the_home_directory_is_only_that_directory(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(base / "me"))
    home = repository(base / "me")
    (home / "notes/recipes").mkdir(parents=True)
    (home / "list.txt").write_text("x")
    own = repository(home / "code/shop")
    assert _project(home) == Project(str(home), "me", home, "git")
    assert _project(home / "list.txt") == _project(home)
    assert _project(home / "notes/recipes").key == str(home / "notes/recipes")
    assert _project(home / "notes").kind == "directory"
    assert _project(own / "src").key == str(own)
    assert working_root(str(home / "notes"), str(home / "notes")) == home / "notes"
    assert working_root(str(home / "notes"), str(home)) is None


def test_a_linked_worktree_of_the_home_directorys_repository_is_its_project(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(base / "me"))
    home = repository(base / "me")
    git(home, "worktree", "add", "-q", str(home / "feature"))
    assert _project(home / "feature/src").key == str(home)


def test_the_home_directory_may_lie_in_a_repository(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = repository(base / "shop")
    (root / "home").mkdir()
    monkeypatch.setenv("HOME", str(root / "home"))
    assert _project(root / "src").key == str(root)


def test_only_the_home_and_the_root_directory_belong_to_no_project(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (base / "me/notes").mkdir(parents=True)
    (base / "link").symlink_to(base / "me")
    monkeypatch.setenv("HOME", str(base / "me"))
    assert is_wide("/")
    assert is_wide("~")
    assert is_wide(f"{base}/me/")
    assert is_wide(f"{base}/link")
    assert not is_wide(f"{base}/me/notes")
    assert not is_wide(f"{base}")
    assert not is_wide("me")
    git(base / "me", "init", "-q")
    assert not is_wide("~")


@pytest.mark.parametrize(
    ("directory", "other", "inside"),
    [
        ("/work/shop", "/work/shop", True),
        ("/work/shop/", "/work/shop", True),
        ("/work/shop/src/../lib", "/work/shop", True),
        ("/work/shop/../bakery", "/work/shop", False),
        ("/work/shopping", "/work/shop", False),
        ("/work", "/work/shop", False),
        ("/work/shop", "/", False),
        ("/home/me/work", "/home/me", False),
        ("/home/me", "/home/me", True),
        ("/", "/", True),
        ("shop/src", "shop", False),
        ("/work/shop", "shop", False),
    ],
)
def test_a_path_is_inside_a_directory_or_not(
    monkeypatch: pytest.MonkeyPatch, directory: str, other: str, *, inside: bool
) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert is_inside(directory, other) is inside


def test_a_folder_without_git_resolves_to_itself(base: Path) -> None:
    (base / "notes").mkdir()
    assert _project(base / "notes") == Project(
        str(base / "notes"), "notes", base / "notes", "directory"
    )


def test_a_missing_folder_keeps_its_own_path(base: Path) -> None:
    assert _project(base / "gone/deep").key == str(base / "gone/deep")


def test_slashes_and_dots_are_normalised(base: Path) -> None:
    (base / "notes").mkdir()
    assert _project(f"{base}/x/../notes//./") == _project(base / "notes")


def test_the_home_directory_can_be_written_short(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(base))
    assert _project("~").key == str(base)
    assert _project("~/work").key == str(base / "work")


def test_the_root_directory_counts_as_a_directory() -> None:
    assert _project("/") == Project("/", "/", Path("/"), "directory")


@pytest.mark.parametrize("text", [None, "", "  ", "\n", "\x00"])
def test_an_empty_text_is_no_project(text: str | None) -> None:
    assert resolve_project(text) is None


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("acme", "acme"),
        ("  Acme   Shop ", "Acme Shop"),
        ("./src", "./src"),
        ("..", ".."),
        ("a/b", "a/b"),
        ("file:///etc", "file:///etc"),
        ("https://example.org/x", "https://example.org/x"),
        ("C:\\Users\\me\\shop\\", "C:\\Users\\me\\shop"),
        ("~nobody-here/x", "~nobody-here/x"),
        ("ac\x00me", "acme"),
    ],
)
def test_any_other_text_is_a_project_name(text: str, key: str) -> None:
    assert resolve_project(text) == Project(key, key, None, "name")


def test_long_names_that_begin_alike_are_two_projects() -> None:
    one, two = _project("n" * 10_000 + "1"), _project("n" * 10_000 + "2")
    assert one.key != two.key
    assert len(one.key) < 250


def test_a_path_too_long_to_exist_is_a_name() -> None:
    project = _project("/" + "a/" * 5_000)
    assert project.kind == "name"
    assert not project.key.startswith("/")


def test_a_line_break_does_not_change_the_directory(base: Path) -> None:
    assert _project(f"{base}/my\nshop").key == f"{base}/my\nshop"


_PART = st.text(
    alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="/\x00"), min_size=1
)


@given(st.text())
def test_any_text_resolves_without_an_error(text: str) -> None:
    resolve_project(text)
    resolve_project("/" + text)
    resolve_project("~" + text)


@given(st.text() | st.text(max_size=9).map(lambda text: "/nowhere/" + text * 40))
def test_a_key_is_its_own_project(text: str) -> None:
    project = resolve_project(text)
    assert project is None or resolve_project(project.key) == project


@given(st.lists(_PART.filter(lambda part: part.strip(". \n") != ""), min_size=1, max_size=4))
@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_everything_in_a_repository_belongs_to_its_project(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    root = tmp_path_factory.getbasetemp().resolve() / "property"
    if not root.exists():
        repository(root)
    path = "/".join((str(root), *(part.strip() for part in parts)))
    assert _project(path).key == str(root)
