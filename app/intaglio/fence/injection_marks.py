"""Tells whether a text has marks of an injected instruction, so that no model reads it.

What a page or a file planted in it speaks to the model: it claims another role, or that what
was said before no longer counts. All patterns take time linear in the text.
"""

import re
from typing import Final

_MARKS: Final = re.compile(
    r"<\|[\w ]{1,40}\|>"
    r"|\[/?INST\]|<</?SYS>>"
    r"|</?(?:system|assistant|developer)(?:[ _-](?:prompt|message|reminder))?\s{0,4}>"
    r"|^\s{0,8}(?:system|assistant|developer)\s{0,4}(?:prompt|message)?\s{0,4}:"
    r"|\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|the|your|my|of|these|those)\s+){0,4}"
    r"(?:previous|prior|above|earlier|preceding|system|safety)\b"
    r"|\b(?:ignoriere|vergiss)\s+(?:(?:alle|deine|die)\s+){0,3}(?:bisherigen|vorherigen|obigen)\b"
    r"|\bignor(?:a|e|ez)\s+(?:(?:todas|las|toutes|les|tes|vos)\s+){0,3}"
    r"(?:instrucciones|instructions)\b"
    r"|忽略(?:以上|之前|先前|所有)",
    re.IGNORECASE | re.MULTILINE,
)


def has_injection_marks(text: str) -> bool:
    """Whether a text has such a mark."""
    return _MARKS.search(text) is not None
