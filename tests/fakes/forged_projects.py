"""Folders that claim to belong to another repository: what an unpacked archive could hold."""

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from fakes.git import git

Forgery: TypeAlias = Callable[[Path, Path], None]
"""Makes an empty folder claim that it belongs to a repository with a worktree."""


def _worktree_of(victim: Path) -> Path:
    """Return the repository's own record of its worktree."""
    return next((victim / ".git/worktrees").iterdir())


def _point(folder: Path, target: Path | str) -> None:
    (folder / ".git").write_text(f"gitdir: {target}\n")


def _own_record(folder: Path, victim: Path, own: Path, common: str | None = None) -> None:
    """Make what looks like a repository's record of the folder, and point to it."""
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/main\n")
    (own / "commondir").write_text(f"{common or victim / '.git'}\n")
    (own / "gitdir").write_text(f"{folder / '.git'}\n")
    _point(folder, own)


def _like_a_repository(folder: Path) -> None:
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")


def own_folder(folder: Path, victim: Path) -> None:
    """Point to a folder of its own, which names the repository."""
    _own_record(folder, victim, folder / "own")


def own_folder_beside(folder: Path, victim: Path) -> None:
    """Point to such a folder beside it, by relative paths."""
    own = folder.parent / f"{folder.name}-own"
    _own_record(folder, victim, own, os.path.relpath(victim / ".git", own))
    _point(folder, f"../{own.name}")
    (own / "gitdir").write_text(f"../{folder.name}/.git\n")


def own_worktrees_folder(folder: Path, victim: Path) -> None:
    """Point to a folder that lies as in a repository, in one of its own."""
    _like_a_repository(folder / "x")
    _own_record(folder, victim, folder / "x/worktrees/tree")


def linked_common_folder(folder: Path, victim: Path) -> None:
    """Reach the repository by a link in its own folder."""
    (folder / "common").symlink_to(victim / ".git")
    _own_record(folder, victim, folder / "own", "../common")


def linked_worktrees_folder(folder: Path, victim: Path) -> None:
    """Lie in a folder whose parent is, by a link, the repository."""
    (folder / "repo").mkdir()
    for each in (victim / ".git").iterdir():
        if each.name != "worktrees":
            (folder / "repo" / each.name).symlink_to(each)
    _own_record(folder, victim, folder / "repo/worktrees/tree", "../..")


def real_record(folder: Path, victim: Path) -> None:
    """Point to the repository's record of another folder."""
    _point(folder, _worktree_of(victim))


def link_to_record(folder: Path, victim: Path) -> None:
    """Point there by a link."""
    (folder / "own").symlink_to(_worktree_of(victim))
    _point(folder, folder / "own")


def copied_record(folder: Path, victim: Path) -> None:
    """Copy that record, and name itself in it."""
    shutil.copytree(_worktree_of(victim), folder / "own")
    (folder / "own/commondir").write_text(f"{victim / '.git'}\n")
    (folder / "own/gitdir").write_text(f"{folder / '.git'}\n")
    _point(folder, "own")


def linked_git_file(folder: Path, victim: Path) -> None:
    """Use the ``.git`` file of the repository's worktree by a link."""
    tree = Path((_worktree_of(victim) / "gitdir").read_text().strip())
    (folder / ".git").symlink_to(tree)


def hard_linked_git_file(folder: Path, victim: Path) -> None:
    """Use the same file."""
    tree = Path((_worktree_of(victim) / "gitdir").read_text().strip())
    (folder / ".git").hardlink_to(tree)


def repository_itself(folder: Path, victim: Path) -> None:
    """Point to the repository, as a tree whose repository is elsewhere does."""
    _point(folder, victim / ".git")


def linked_git_folder(folder: Path, victim: Path) -> None:
    """Use the repository by a link."""
    (folder / ".git").symlink_to(victim / ".git")


def git_folder_with_common(folder: Path, victim: Path) -> None:
    """Have a repository whose objects are the other's."""
    _like_a_repository(folder / ".git")
    (folder / ".git/commondir").write_text(f"{victim / '.git'}\n")


def bare_git_folder_with_common(folder: Path, victim: Path) -> None:
    """Have nothing but a pointer to the other's."""
    (folder / ".git").mkdir()
    (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git/commondir").write_text(f"{victim / '.git'}\n")


def work_tree_of_config(folder: Path, victim: Path) -> None:
    """Say by its configuration that the repository's folder is its working tree."""
    git(folder, "init", "-q")
    git(folder, "config", "core.worktree", str(victim))


def shared_work_tree(folder: Path, victim: Path) -> None:
    """Be a worktree of its own repository, whose main working tree it says is the other's."""
    _like_a_repository(folder / "repo")
    (folder / "repo/config").write_text(f"[core]\n\tworktree = {victim}\n")
    _own_record(folder, victim, folder / "repo/worktrees/tree", "../..")


def submodule_of(folder: Path, victim: Path) -> None:
    """Point to a submodule's repository in the other's."""
    _like_a_repository(victim / ".git/modules/part")
    _point(folder, victim / ".git/modules/part")


def bare_inside(folder: Path, victim: Path) -> None:
    """Be a bare repository that names the other as common."""
    _like_a_repository(folder)
    (folder / "commondir").write_text(f"{victim / '.git'}\n")


FORGERIES: Final[Mapping[str, Forgery]] = {
    each.__name__.replace("_", " "): each
    for each in (
        own_folder,
        own_folder_beside,
        own_worktrees_folder,
        linked_common_folder,
        linked_worktrees_folder,
        real_record,
        link_to_record,
        copied_record,
        linked_git_file,
        hard_linked_git_file,
        repository_itself,
        linked_git_folder,
        git_folder_with_common,
        bare_git_folder_with_common,
        work_tree_of_config,
        shared_work_tree,
        submodule_of,
        bare_inside,
    )
}
