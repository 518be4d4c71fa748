"""Pages that deleting freed: how many there are, and giving them back to the system in pieces."""

from dataclasses import dataclass

from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True)
class FilePages:
    """The pages of the file, the unused ones among them, and the bytes of each."""

    pages: int
    free: int
    page_bytes: int

    @property
    def share_free(self) -> float:
        """The share of the file (0 to 1) that holds nothing."""
        return self.free / self.pages if self.pages else 0.0


def file_pages(tx: ReadTx) -> FilePages:
    """Look at the file's pages."""
    return FilePages(
        tx.count("PRAGMA page_count"),
        tx.count("PRAGMA freelist_count"),
        tx.count("PRAGMA page_size"),
    )


def vacuum(tx: WriteTx, pages: int) -> int:
    """Shrink the file by up to this many unused pages; return by how many it was.

    A file that was not made for it (before this was so) keeps them for what is written next.
    """
    before = tx.count("PRAGMA freelist_count")
    tx.execute(f"PRAGMA incremental_vacuum({pages:d})")
    return before - tx.count("PRAGMA freelist_count")
