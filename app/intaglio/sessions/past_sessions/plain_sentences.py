"""Splits what was said into sentences without code and markup; pure."""

import re
from typing import Final

from intaglio.base.text import split_sentences, storage_form
from intaglio.fence.characters import visible

_CODE: Final = re.compile(r"```.*?(?:```|$)", re.DOTALL)
_MARKUP: Final = re.compile(r"^\s{0,4}(?:[#>|].*|[-*+]\s{1,3})", re.MULTILINE)


def plain(text: str) -> str:
    """Return a text on one line, without invisible characters."""
    return storage_form(visible(text))


def plain_sentences(text: str) -> list[str]:
    """Return the sentences of a message; headings, quotations, tables and code are left out."""
    bare = _MARKUP.sub(" ", _CODE.sub(" ", text))
    return [found for each in split_sentences(bare) if (found := plain(each))]
