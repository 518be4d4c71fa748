"""The packages of the daemon in order: parts are built, and steps run, in it."""

from typing import Final

from intaglio.agents import part as agents
from intaglio.code import part as code
from intaglio.commits import part as commits
from intaglio.daemon import part as daemon
from intaglio.embedding import part as embedding
from intaglio.finding import part as finding
from intaglio.graph import part as graph
from intaglio.harness import part as harness
from intaglio.health import part as health
from intaglio.hints import part as hints
from intaglio.history_import import part as history_import
from intaglio.inbox import part as inbox
from intaglio.jobs import part as jobs
from intaglio.lifecycle import part as lifecycle
from intaglio.mcp import part as mcp
from intaglio.memory import part as memory
from intaglio.memory_files import part as memory_files
from intaglio.models import part as models
from intaglio.package import Packages
from intaglio.pauses import part as pauses
from intaglio.pipeline import part as pipeline
from intaglio.projection import part as projection
from intaglio.projects import part as projects
from intaglio.recall import part as recall
from intaglio.review import part as review
from intaglio.session_notes import part as session_notes
from intaglio.sessions import part as sessions
from intaglio.start_at_login import part as start_at_login
from intaglio.statistics import part as statistics
from intaglio.store import part as store
from intaglio.telemetry import part as telemetry
from intaglio.timelines import part as timelines
from intaglio.transcripts import part as transcripts
from intaglio.updates import part as updates
from intaglio.workspace import part as workspace

PACKAGES: Final = Packages(
    (
        store.PACKAGE,
        daemon.PACKAGE,
        pauses.PACKAGE,
        agents.PACKAGE,
        jobs.PACKAGE,
        embedding.PACKAGE,
        memory.PACKAGE,
        inbox.PACKAGE,
        projects.PACKAGE,
        models.PACKAGE,
        graph.PACKAGE,
        hints.PACKAGE,
        transcripts.PACKAGE,
        commits.PACKAGE,
        code.PACKAGE,
        recall.PACKAGE,
        pipeline.PACKAGE,
        sessions.PACKAGE,
        session_notes.PACKAGE,
        finding.PACKAGE,
        review.PACKAGE,
        projection.PACKAGE,
        harness.PACKAGE,
        lifecycle.PACKAGE,
        history_import.PACKAGE,
        memory_files.PACKAGE,
        workspace.PACKAGE,
        mcp.PACKAGE,
        telemetry.PACKAGE,
        timelines.PACKAGE,
        health.PACKAGE,
        statistics.PACKAGE,
        updates.PACKAGE,
        start_at_login.PACKAGE,
    )
)
