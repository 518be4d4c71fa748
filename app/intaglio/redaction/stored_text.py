"""Takes secrets out of whatever is bound to a statement, so that no field can store one.

Free text is redacted earlier, by kind. Here, in the last place before the file, are also the ids,
keys, paths and names that callers choose: two of them that differ only in a secret stay two.
"""

import functools
import hashlib
import hmac
import re
from collections import deque
from pathlib import Path

from intaglio.base.files.regular_file import read_regular
from intaglio.base.ids import Entropy
from intaglio.base.paths import write_private
from intaglio.redaction.redact import redact

_SHORTEST = 12
_CACHED_CHARS = 200
_CACHED = 4_096
_LONG_TEXTS = 64
_MARK_CHARS = 8
_KEY_BYTES = 32
_KEY_LENGTH = 2 * _KEY_BYTES
# Ids, times, hashes and numbers, alone or in a JSON list.
_PLAIN = re.compile(r"[0-9a-f\[\]{},\":TZ.+ -]*+")


def load_key(database: Path, entropy: Entropy) -> str | None:
    """Read the key of a database's hashes, creating it on first use; None if that can't be done.

    It lies beside the database (0600), so that a workspace that moves to another installation keeps
    its hashes, and not in it: a copy of the file alone lets nobody guess a short password.
    """
    file = database.with_name(f"{database.name}.key")
    try:
        return _read_key(file) or _create_key(file, entropy)
    except OSError:
        return None


def _create_key(file: Path, entropy: Entropy) -> str | None:
    write_private(file, entropy(_KEY_BYTES).hex())
    # Another process may have created one at the same time; the file has the last word.
    return _read_key(file)


def _read_key(file: Path) -> str | None:
    try:
        key = read_regular(file, _KEY_LENGTH).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    return key if len(key) == _KEY_LENGTH else None


class StoredTextRedactor:
    """Replaces each secret by ``[redacted:<hash>]``; ``key`` keeps the hash from being guessed.

    The same secret has the same hash as long as the key is the same. Safe for use by threads.
    """

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        self._short = functools.lru_cache(_CACHED)(self._redacted)
        # Fingerprints of the latest long texts without a secret: one text is stored in two tables.
        self._known: deque[bytes] = deque(maxlen=_LONG_TEXTS)

    def __call__(self, text: str) -> str:
        """Return the text without its secrets; repeating it changes nothing."""
        if len(text) < _SHORTEST:
            return text
        # Ids come again and again: finding one is faster than reading it.
        if len(text) <= _CACHED_CHARS:
            return self._short(text)
        fingerprint = hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest()
        if fingerprint in self._known:
            return text
        redacted = self._redacted(text)
        if redacted is text:
            self._known.append(fingerprint)
        return redacted

    def _redacted(self, text: str) -> str:
        if _PLAIN.fullmatch(text):
            return text
        return redact(text, self._label).text

    def _label(self, _: str, secret: str) -> str:
        return hmac.digest(self._key, secret.encode(errors="replace"), "sha256").hex()[:_MARK_CHARS]
