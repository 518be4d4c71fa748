"""Commits in the daemon: what reads them from git and what stores them."""

from typing import Final

from intaglio.commits.migrations import MIGRATIONS
from intaglio.package import KeptData, Package

_TABLES: Final = "`commits`, `commit_paths`, `commit_files`, `commits_fts`, `commits_vocabulary`"

PACKAGE = Package(
    name="commits",
    tables={
        "commits": "commits of your projects that have more than a subject, without secrets: hash, "
        "date, subject, body, names of what they changed; the author only if you choose so",
        "commit_paths": "the paths of files that these commits touch",
        "commit_files": "which commit touches which path",
        "commits_fts": "the full-text index over these commits, maintained by triggers",
        "commits_vocabulary": "its terms and the number of commits that contain each",
        "commit_reading": "of each project: how far git's log was read and when, whether you "
        "switched reading on or off, and when the last session started",
        "forgotten_commits": "hashes of commits that you forgot, so that they aren't read again",
    },
    migrations=MIGRATIONS,
    kept=(
        KeptData(
            _TABLES,
            "as long as the repository has them; of a project the newest 20,000",
            deleted_by="reading the log after history was rewritten; at once when you forget them",
        ),
        KeptData("`commit_reading`", "as long as the project has sessions"),
        KeptData("`forgotten_commits`", "forever, about 100 bytes each"),
    ),
)
