"""Changed memory files are read without waiting for the rescan."""

import asyncio

from fakes.memory_files import Shelf
from fakes.waiting import until
from intaglio.memory_files.watch import MemoryFileWatch


async def test_a_saved_file_is_read_at_once_and_so_is_a_new_folder(shelf: Shelf) -> None:
    watch = asyncio.create_task(MemoryFileWatch(files=shelf.files, debounce_s=0.05).run())
    try:
        shelf.write("a.md", "The importer runs every hour.\n")
        await until(lambda: _says(shelf, "The importer runs every hour."), "read")
        shelf.write("a.md", "The importer runs every day.\n")
        await until(lambda: _says(shelf, "The importer runs every day."), "it is read again")
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


async def _says(shelf: Shelf, content: str) -> bool:
    return await shelf.contents() == [content]
