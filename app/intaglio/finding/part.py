"""Finding in the daemon."""

from intaglio.finding.finder import Finder
from intaglio.inbox.kinds import InboxKinds
from intaglio.kernel import Kernel
from intaglio.package import Package, Part
from intaglio.recall.commits.commit_recall import CommitRecall
from intaglio.recall.past.session_recall import SessionRecall
from intaglio.recall.query import Recall


def part(kernel: Kernel) -> Part:
    """Wire the search over everything."""
    finder = Finder(
        db=kernel.database,
        settings=kernel.settings,
        recall=kernel.get(Recall),
        sessions=kernel.get(SessionRecall),
        commits=kernel.get(CommitRecall),
        kinds=kernel.get(InboxKinds),
    )
    return Part(services=(finder,))


PACKAGE = Package(name="finding", make=part)
