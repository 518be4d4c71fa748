"""Returns what a user typed of a prompt to which Codex's editor extension or app added context."""

import re
from fnmatch import fnmatchcase
from typing import Final

from intaglio.fence.marks import strip_injected
from intaglio.harness.codex.tags import TAGS

# Open files, selections and attachments, under headings of their own.
_ADDED: Final = ("# Context from my IDE setup:", "# Files mentioned by the user:")
_REQUEST: Final = "\n## My request for Codex:"
# What is piped into `codex exec` stands behind the prompt.
_PIPED: Final = ("\n<stdin>\n", "</stdin>")
_PLACEHOLDERS: Final = re.compile(r"[ \t]{0,8}\[Image(?: #\d{1,9})?\]")
_TAG: Final = re.compile(r"<(?P<name>[a-z][\w-]{0,60})(?=[\s>/])")


def typed_text(text: str) -> str:
    """Return the user's own words; empty if there are none."""
    typed = strip_injected(text).strip()
    if typed.startswith(_ADDED):
        # The last heading: a selected text may contain one too, and isn't the user's.
        typed = typed.rpartition(_REQUEST)[2] if _REQUEST in typed else ""
    if typed.endswith(_PIPED[1]):
        typed = typed.partition(_PIPED[0])[0]
    typed = _PLACEHOLDERS.sub("", typed).strip()
    return "" if _is_from_client(typed) else typed


def _is_from_client(text: str) -> bool:
    """Whether the client wrote the text: it begins with a tag of its own."""
    tag = _TAG.match(text)
    name = tag["name"].replace("_", "-") if tag else ""
    return bool(name) and any(fnmatchcase(name, each) for each in TAGS)
