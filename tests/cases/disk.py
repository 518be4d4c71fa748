"""Repositories as they lie on disk, made without git: submodules, worktrees, and forged ones."""

from pathlib import Path

from fakes.repository import make_repository


def make_submodule(parent: Path, name: str, remote: str = "") -> Path:
    """Add a submodule at ``name`` to a repository; return its folder."""
    folder, own = parent / name, parent / ".git" / "modules" / name
    bare(own, remote)
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {own}\n", encoding="utf-8")
    with (own / "config").open("a", encoding="utf-8") as config:
        config.write(f"[core]\n\tworktree = {folder}\n")
    listed = f'[submodule "{name}"]\n\tpath = {name}\n\turl = {remote or "../x.git"}\n'
    (parent / ".gitmodules").write_text(listed, encoding="utf-8")
    return folder


def bare(folder: Path, remote: str = "") -> Path:
    """Make what lies in a ``.git`` folder, at this place; return it."""
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    origin = f'[remote "origin"]\n\turl = {remote}\n' if remote else ""
    (folder / "config").write_text(origin, encoding="utf-8")
    return folder


def make_worktree(repository: Path, folder: Path, name: str = "feature") -> Path:
    """Add a working tree to a repository, as git does; return its folder."""
    own = repository / ".git" / "worktrees" / name
    own.mkdir(parents=True)
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {own}\n", encoding="utf-8")
    (own / "HEAD").write_text("ref: refs/heads/feature\n", encoding="utf-8")
    (own / "commondir").write_text("../..\n", encoding="utf-8")
    (own / "gitdir").write_text(f"{folder / '.git'}\n", encoding="utf-8")
    return folder


def forge(folder: Path, commondir: str, own: str = "own") -> Path:
    """Make a folder that claims to be a working tree of the repository at ``commondir``."""
    entry = folder / own
    entry.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {entry}\n", encoding="utf-8")
    (entry / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (entry / "commondir").write_text(f"{commondir}\n", encoding="utf-8")
    (entry / "gitdir").write_text(f"{folder / '.git'}\n", encoding="utf-8")
    return folder


__all__ = ["bare", "forge", "make_repository", "make_submodule", "make_worktree"]
