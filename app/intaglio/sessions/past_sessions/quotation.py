"""Quotes a text with its speaker so that it can't close its quotation; pure."""

import re
import unicodedata
from typing import Final

from intaglio.base.text import storage_form
from intaglio.domain.told_lines import SPEAKERS
from intaglio.fence.characters import visible
from intaglio.sessions.values import SessionLine

# Whatever looks like a double quotation mark: also marks of inches and ditto, two single marks side
# by side, and how HTML writes one.
_DOUBLE: Final = re.compile(
    '["\u00ab\u00bb\u02ba\u02dd\u02ee\u02f5\u02f6\u030b\u030e\u05f4\u1cd3\u201c-\u201f\u2033\u2034'
    "\u2036\u2037\u2057\u275d\u275e\u2760\u276e\u276f\u2e42\u3003\u300e\u300f\u301d-\u301f\uff02"
    "\U0001f676-\U0001f678]"
    "|['`\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u05f3\u2018-\u201b\u2032\u2035\uff07\uff40]{2,}"
    r"|&(?:quot|[lrb]dquo|laquo|raquo|#0{0,6}34|#[xX]0{0,6}22);"
)


def quoted(line: SessionLine) -> str:
    """Return a line in quotation marks, with its speaker before it."""
    return f"{SPEAKERS[line.kind]}: {in_quotation_marks(line.text)}"


def in_quotation_marks(text: str) -> str:
    """Return a text in quotation marks that it can't close by itself."""
    plain = storage_form(visible(unicodedata.normalize("NFC", text)))
    inner = _DOUBLE.sub("'", plain)
    return f'"{inner}"'
