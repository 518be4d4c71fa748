"""Free pages of the file: how many there are, and returning them to the system in pieces."""

from dataclasses import dataclass

from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True)
class FilePages:
    """The number of pages in the file, the unused ones among them, and the bytes per page."""

    pages: int
    free: int
    page_bytes: int

    @property
    def share_free(self) -> float:
        """The share of the file (0 to 1) that is unused."""
        return self.free / self.pages if self.pages else 0.0


def file_pages(tx: ReadTx) -> FilePages:
    """Count the file's pages."""
    return FilePages(
        tx.count("PRAGMA page_count"),
        tx.count("PRAGMA freelist_count"),
        tx.count("PRAGMA page_size"),
    )


def vacuum(tx: WriteTx, pages: int) -> int:
    """Shrink the file by up to this many unused pages; return the actual number.

    A file created before incremental vacuum was enabled keeps them for later writes.
    """
    before = tx.count("PRAGMA freelist_count")
    tx.execute(f"PRAGMA incremental_vacuum({pages:d})")
    return before - tx.count("PRAGMA freelist_count")
