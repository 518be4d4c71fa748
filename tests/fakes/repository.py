"""A git repository as it lies on disk, made without git."""

from pathlib import Path


def make_repository(folder: Path, remote: str = "") -> Path:
    """Make an empty repository with, if named, its origin; return its folder."""
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    origin = f'[remote "origin"]\n\turl = {remote}\n' if remote else ""
    (folder / ".git" / "config").write_text(origin, encoding="utf-8")
    return folder
