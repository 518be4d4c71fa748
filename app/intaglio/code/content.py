"""What the index keeps of a file's text: its terms and, for a test, its imports."""

import re
from typing import Final

from intaglio.code.definitions import definitions, is_source
from intaglio.code.imports import imported_modules
from intaglio.code.lookup import is_test
from intaglio.code.messages import shingles
from intaglio.code.terms import stem_of, term
from intaglio.code.values import IndexedFile

MAX_BYTES: Final = 512 * 1024
_FOREIGN: Final = re.compile(
    r"(?:^|/)(?:node_modules|vendor|vendored|third_party|dist|build|out|target|site-packages|"
    r"bower_components|\.venv|venv|__pycache__|\.next|coverage)/|\.min\.\w{1,5}+$|"
    r"(?:-lock|\.lock|_pb2|\.pb|\.generated|\.bundle)\.\w{1,8}+$"
)
# Of a text with longer lines on the average, a program wrote it.
_MAX_MEAN_LINE: Final = 200


def is_read(path: str) -> bool:
    """Tell whether a file's content is read: source of the project, nothing made or copied."""
    return is_source(path) and _FOREIGN.search(path) is None


def indexed(reading: int, path: str, blob: str, content: bytes | None) -> IndexedFile:
    """Return what is kept of a file; without content, its names only."""
    name = path.rpartition("/")[2]
    terms = {term(reading, "name", name), term(reading, "stem", stem_of(name))}
    if path.endswith(".go"):
        terms.add(term(reading, "folder", path.rpartition("/")[0]))
    text = "" if content is None else content.decode("utf-8", "replace")
    lines = text.split("\n")
    if not text or "\0" in text or len(text) / len(lines) > _MAX_MEAN_LINE:
        return IndexedFile(path, blob, tuple(terms))
    terms.update(term(reading, "definition", each.name) for each in definitions(path, lines))
    terms.update(term(reading, "message", each) for each in shingles(text))
    imports = imported_modules(path, text) if is_test(path) else ()
    return IndexedFile(path, blob, tuple(terms), imports)
