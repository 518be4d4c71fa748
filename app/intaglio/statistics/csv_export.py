"""Writes counts as CSV: a row for each day, project, type and origin, a column for each measure."""

import csv
from collections import defaultdict
from collections.abc import Iterable
from io import StringIO
from typing import Final

from intaglio.statistics.values import MEASURES, Count, Measure

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_KEYS: Final = ("day", "project", "type", "origin")
_GONE: Final = "(former project)"


def to_csv(counts: Iterable[Count]) -> bytes:
    """Return CSV in UTF-8 (RFC 4180); texts can't be read as formulas by a spreadsheet."""
    rows: defaultdict[tuple[str, ...], dict[Measure, int]] = defaultdict(dict)
    for each in counts:
        project = _GONE if each.project is None else each.project
        row = rows[each.day, project, each.type, each.origin]
        row[each.measure] = row.get(each.measure, 0) + each.number
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow((*_KEYS, *MEASURES))
    for key, figures in rows.items():
        writer.writerow((*map(_text, key), *(figures.get(name, 0) for name in MEASURES)))
    return out.getvalue().encode()


def _text(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
