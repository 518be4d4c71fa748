"""Takes secrets out of settings that are shown, the password of an address too, however short."""

import re
from typing import Final

from intaglio.redaction.redact import clean

MARK: Final = "[redacted:"
"""What stands in a text where a secret was taken out begins so."""
PASSWORD: Final = f"{MARK}password]"

_IN_ADDRESS: Final = re.compile(r"(://[^\s/@:]*:)[^\s/]+@")


def without_secrets(text: str) -> str:
    """Return the text without its secrets and without passwords in its addresses."""
    return clean(_IN_ADDRESS.sub(rf"\1{PASSWORD}@", text))
