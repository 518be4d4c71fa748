"""Commits in the daemon: what reads them from git and what stores them."""

import asyncio
from typing import Final

from intaglio.commits import rows
from intaglio.commits.learnings import RevertLearnings
from intaglio.commits.migrations import MIGRATIONS
from intaglio.commits.reading import CommitReader
from intaglio.commits.settings import CommitSettings
from intaglio.commits.upkeep import CommitUpkeep
from intaglio.commits.vectors.embedding import CommitEmbedding
from intaglio.commits.vectors.job_types import EMBED_COMMITS
from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.git.command import find_git
from intaglio.jobs.job_type import OneByOne
from intaglio.kernel import Kernel
from intaglio.package import KeptData, Loop, Package, Part, SweepStep, singly
from intaglio.store.settings import RetentionSettings

# A cut-off 100 years ahead: every row is older, even one dated in the future.
_ALL: Final = -36_500


def part(kernel: Kernel) -> Part:
    """Wire what reads commits, and the loop that keeps them current."""
    git = find_git()

    async def close() -> None:
        git.stop()

    async def wanted(project: str) -> bool:
        return await kernel.get(CommitUpkeep).wanted(project)

    reader = CommitReader(
        db=kernel.database,
        git=git,
        clock=kernel.clock,
        settings=kernel.settings,
        in_thread=asyncio.to_thread,
        pause=asyncio.sleep,
        seconds=kernel.monotonic_s,
        wanted=wanted,
    )
    upkeep = CommitUpkeep(
        db=kernel.database,
        clock=kernel.clock,
        settings=kernel.settings,
        reader=reader,
        learnings=RevertLearnings(kernel.database, kernel.change_context, kernel.settings),
        background=kernel.background,
        bus=kernel.bus,
        pause=asyncio.sleep,
        turn=asyncio.Lock(),
    )
    search = kernel.get(SemanticSearch)
    embedding = CommitEmbedding(
        kernel.database, kernel.bus, kernel.change_context, lambda: search.embed.embedder
    )
    return Part(
        services=(git, reader, upkeep, embedding),
        loops=(
            Loop("commits", upkeep.keep_current),
            Loop("commit vectors", embedding.keep_queued),
        ),
        job_types=(EMBED_COMMITS.run_by(OneByOne(embedding.run)),),
        close=close,
    )


PACKAGE = Package(
    name="commits",
    tables={
        "commits": "commits of your projects that have more than a subject, without secrets: hash, "
        "date, subject, body, names of what they changed; the author only if you choose so",
        "commit_paths": "the paths of files that these commits touch",
        "commit_files": "which commit touches which path",
        "commits_fts": "the full-text index over these commits, maintained by triggers",
        "commits_vocabulary": "its terms and the number of commits that contain each",
        "commit_vectors": "vectors and word pieces of the newest of these commits, by the included "
        "model",
        "commit_reading": "of each project: how far git's log was read and when, whether you "
        "switched reading on or off, and when the last session started",
        "forgotten_commits": "hashes of commits that you forgot, so that they aren't read again",
    },
    migrations=MIGRATIONS,
    retention=(
        SweepStep(
            "commits",
            lambda s: s.of(RetentionSettings).transcript_days,
            rows.without_sessions,
            singly(rows.purge),
            at_once=1,
        ),
        SweepStep(
            "commits_off",
            lambda s: 0 if s.of(CommitSettings).enabled else _ALL,
            rows.not_wanted,
            singly(rows.purge),
            has_period=False,
            at_once=1,
        ),
        SweepStep(
            "commit_reading",
            lambda s: s.of(RetentionSettings).transcript_days,
            rows.old_readings,
            singly(rows.purge_reading),
            has_period=False,
        ),
    ),
    kept=(
        KeptData(
            "`commits`, `commit_paths`, `commit_files`, `commits_fts`, `commits_vocabulary`, "
            "`commit_vectors`",
            "as long as the repository has them, up to 180 days after the project's last session; "
            "of a project the newest 20,000",
            deleted_by="step `commits`; step `commits_off` once they are switched off; within "
            "minutes when history is rewritten or the folder is gone; at once when you forget one",
            settings=("retention.transcriptDays", "commits.maxPerProject", "commits.enabled"),
        ),
        KeptData(
            "`commit_reading`",
            "180 days after the project's last session; your choice for a project forever",
            deleted_by="step `commit_reading`",
            settings=("retention.transcriptDays",),
        ),
        KeptData(
            "memories of what commits took back, of a project the newest 30",
            "as long as their commit is read and nothing brings back what it reverts, unless you "
            "changed or pinned them",
            deleted_by="reading the project's commits, or switching that off",
            settings=("commits.enabled",),
        ),
        KeptData("`forgotten_commits`", "forever, about 100 bytes each"),
    ),
    make=part,
)
