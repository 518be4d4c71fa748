"""Canonical names, by which entities and their aliases are compared."""

import re
from typing import Final

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]+")
_MOST_BYTES: Final = 512


def canonical_name(name: str) -> str:
    """Return the canonical form of a name (seed 004): lower case, without control characters."""
    text = " ".join(_CONTROL.sub(" ", name).lower().split())
    return text.encode()[:_MOST_BYTES].decode("utf-8", "ignore")
