"""The import of history in the daemon."""

from intaglio.harness.transcript_files import TranscriptFiles
from intaglio.history_import.sources import HistorySources, harness_histories
from intaglio.kernel import Kernel
from intaglio.package import Package, Part


def part(kernel: Kernel) -> Part:
    """Wire the sources."""
    sources = HistorySources((harness_histories(kernel.get(TranscriptFiles)),))
    return Part(services=(sources,))


PACKAGE = Package(name="history_import", make=part)
