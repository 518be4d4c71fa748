"""The repair of the full-text index of memories: counted first, filled in short transactions."""

from intaglio.base.text import count_of
from intaglio.domain.repair import Repair, RepairOptions, RepairResult
from intaglio.store.database import Database
from intaglio.store.memory_index import IndexDifference, difference, fill_again


def index_repair(db: Database) -> Repair:
    """Return the declaration of the repair."""

    async def count(options: RepairOptions) -> RepairResult:
        found = await db.read(difference)
        affected = found.live if options.everything or found.extra else found.missing
        return RepairResult(affected=affected, message=_describe(found))

    async def run(options: RepairOptions) -> RepairResult:
        added = await fill_again(db, everything=options.everything)
        left = await db.read(difference)
        return RepairResult(affected=added, message=f"{added} added; {_describe(left)}")

    return Repair(
        action="check-fts",
        title="Fill the search index again",
        text="Compares the full-text index with the memories, and adds what it lacks; an index "
        "with rows of no memory is filled anew. Searches by words find less until it's done.",
        budget="embedding",
        count=count,
        run=run,
        is_heavy=True,
    )


def _describe(found: IndexDifference) -> str:
    if found.is_same:
        return "every memory is indexed"
    lacking = count_of(found.missing, "memory isn't", "memories aren't")
    extra = count_of(found.extra, "row belongs", "rows belong")
    missing = f"{lacking} indexed" if found.missing else ""
    return " and ".join(filter(None, (missing, f"{extra} to no memory" if found.extra else "")))
