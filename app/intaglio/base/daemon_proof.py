"""How the daemon proves, before a client sends it anything, that it knows this installation's secrets."""

import hashlib
import hmac
from typing import Final

NONCE_PATTERN: Final = "^[0-9a-f]{32,128}$"
"""A nonce: 16 to 64 random bytes in hexadecimal, new for each question."""

_PURPOSE: Final = "intaglio daemon proof"


def daemon_proof(secret: str, nonce: str, port: int) -> str:
    """Return the HMAC-SHA256, in hexadecimal, of a nonce and the daemon's port under a secret.

    With the port in it, a program on another port can't pass on the daemon's own answer.
    """
    message = f"{_PURPOSE}\0{nonce}:{port}".encode()
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
